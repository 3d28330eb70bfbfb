// Looking back with script: a step's page is fetched, and its table takes the place of the one before.
// The server alone knows what each step shows: every step is a page of its own, which works without this.

import { form as table, words } from "./table/board.js";
import "./table/motion.js";

const PACE = 1200; // milliseconds from one step to the next while the game plays by itself
const STEADY = 60; // milliseconds that the slider stands still before its step is asked for

const steps = document.getElementById("steps");
const slider = steps.querySelector("input[type=range]");
const run = steps.querySelector(".run");
const last = Number(slider.max);

let shown = Number(slider.value);
let wanted = shown;
let busy = false;
let timer = null;
const pages = new Map(); // the steps that were fetched, as promises of their documents

const addressOf = (at) => `${location.pathname}?at=${at}`;

/** Fetch the page of a step; one that was fetched is kept, and one that failed is not. */
function fetched(at) {
  if (!pages.has(at)) {
    const page = fetch(addressOf(at), { headers: { Accept: "text/html" } }).then(async (response) => {
      if (!response.ok) throw new Error(response.status);
      return new DOMParser().parseFromString(await response.text(), "text/html");
    });
    page.catch(() => pages.delete(at));
    pages.set(at, page);
    if (pages.size > 60) pages.delete(pages.keys().next().value);
  }
  return pages.get(at);
}

/** Show a step. Of the steps that are asked for while one is on its way, only the latest is shown. */
async function show(at) {
  wanted = Math.min(Math.max(at, 0), last);
  slider.value = wanted;
  if (busy) return;
  busy = true;
  try {
    while (shown !== wanted) {
      const next = wanted;
      put(await fetched(next), next);
    }
  } catch {
    stop();
    wanted = slider.value = shown;
    say(words.offline);
  }
  busy = false;
}

function put(page, at) {
  // Cards glide where one step follows the other; over several steps there is no one way that they went.
  const follows = at === shown + 1;
  if (follows) table.dispatchEvent(new Event("table:changing"));
  for (const id of ["figures", "message"]) replace(page, id);
  for (const column of table.querySelectorAll(".column")) {
    const other = page.getElementById(column.id);
    if (other.outerHTML !== column.outerHTML) column.replaceWith(document.adoptNode(other.cloneNode(true)));
  }
  for (const button of steps.querySelectorAll("button[name=at], .run")) follow(button, page);
  shown = at;
  slider.value = wanted;
  history.replaceState(null, "", addressOf(at));
  for (const back of document.querySelectorAll(".languages [name=back]")) back.value = addressOf(at);
  table.dispatchEvent(new Event("table:changed"));
  if (at < last) fetched(at + 1).catch(() => {});
}

function replace(page, id) {
  document.getElementById(id).replaceChildren(...document.adoptNode(page.getElementById(id).cloneNode(true)).childNodes);
}

/** Let a button be as it is on the page of the step that is shown; the focus of one that goes out finds the slider. */
function follow(button, page) {
  const selector = button.className ? `.${button.className.split(" ")[0]}` : "#onward button";
  const other = page.getElementById("steps").querySelector(selector);
  if (button.name) button.value = other.value;
  if (other.disabled && document.activeElement === button) slider.focus();
  button.disabled = other.disabled;
}

function say(text) {
  const line = document.createElement("p");
  line.className = "notice";
  line.textContent = text;
  document.getElementById("message").replaceChildren(line);
}

function tick() {
  if (shown === wanted) show(shown + 1);
  if (wanted >= last) stop();
}

function stop() {
  clearInterval(timer);
  timer = null;
  run.ariaPressed = "false";
}

run.hidden = false;
run.addEventListener("click", () => {
  if (timer) return stop();
  run.ariaPressed = "true";
  timer = setInterval(tick, PACE);
  tick();
});

steps.querySelector("#buttons").addEventListener("submit", (event) => {
  event.preventDefault();
  stop();
  // A second press may come before the first one's step is here, and means the step after it.
  const value = Number(event.submitter.value);
  const beside = { next: wanted + 1, previous: wanted - 1 }[event.submitter.className];
  show(beside ?? value);
});
steps.querySelector("#slider").addEventListener("submit", (event) => {
  event.preventDefault();
  show(Number(slider.value));
});

let still = null;
slider.addEventListener("input", () => {
  stop();
  clearTimeout(still);
  still = setTimeout(() => show(Number(slider.value)), STEADY);
});

const KEYS = { ArrowLeft: () => wanted - 1, ArrowRight: () => wanted + 1, Home: () => 0, End: () => last };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target === slider || event.target.closest("#menu")) return;
  const step = KEYS[event.key];
  if (!step) return;
  event.preventDefault();
  stop();
  show(step());
});

document.documentElement.classList.add("script");
if (shown < last) fetched(shown + 1).catch(() => {});
