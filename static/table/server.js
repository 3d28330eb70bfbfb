// Asking the server: wishes wait in a queue and are sent one after another, each with the version known when it is sent.
// A move shows its result at once, as a provisional one; the answer confirms it, or everything provisional goes back.

import { arrive, leave } from "./motion.js";
import { at, columnAt, columnOf, endOf, faceOf, form, groupOf, place, tableau, words } from "./board.js";

const PATIENCE = 10_000; // milliseconds that an answer may take
const PAUSES = [300, 1000, 2500]; // milliseconds before a wish without an answer is sent again

const queue = [];
let sending = false;
let status = null; // of the latest answer, null while there is none
let ours = false; // whether the latest answer is the table's

htmx.config.defaultSettleDelay = 0;
htmx.config.defaultTimeout = PATIENCE;

/** Whether nothing is on its way, so that what the server said of the table holds. */
export const settled = () => queue.length === 0;

/** Ask for an action; where it is plain what becomes of the cards, `provisional` names their place and their column. */
export function ask(values, provisional = null) {
  const wish = { values: { ...values, nonce: nonce() }, provisional };
  if (values.lift) wish.faces = facesOf(wish);
  if (provisional) {
    leave(groupOf(at(provisional.lift)));
    show(wish);
    arrive();
  }
  queue.push(wish);
  // What the player sees comes first. No frame comes to a page that is hidden, so nothing waits for one there.
  if (provisional && !document.hidden) requestAnimationFrame(() => setTimeout(pump));
  else pump();
}

/** What the player saw when wishing: the face of the card, and that of the card that it was put on. */
function facesOf({ values, provisional }) {
  return `${faceOf(at(values.lift))} ${provisional ? endOf(columnAt(provisional.onto)) : ""}`;
}

/** A nonce makes sure that an action whose answer was lost is not made twice when it is sent again. */
function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(36)).join("");
}

function show(wish) {
  const card = at(wish.provisional.lift);
  wish.from = columnOf(card);
  wish.cards = groupOf(card);
  place(wish.cards, columnAt(wish.provisional.onto));
}

function takeBack() {
  for (const wish of queue.toReversed()) {
    if (wish.cards) place(wish.cards, wish.from);
    wish.cards = null;
  }
}

/** Show again what is still only wished for; from the first wish on whose cards are no longer there, none is. */
function showAgain() {
  for (const [index, wish] of queue.entries()) {
    if (wish.faces && facesOf(wish) !== wish.faces) {
      queue.length = index;
      say(words.changed);
      return;
    }
    if (wish.provisional) show(wish);
  }
}

async function pump() {
  if (sending) return;
  sending = true;
  while (queue.length) {
    if (!(await send(queue[0]))) giveUp();
  }
  sending = false;
  form.dispatchEvent(new Event("table:settled"));
}

/** Send a wish, again and again while no answer comes; return whether one came. */
async function send(wish) {
  for (const pause of [0, ...PAUSES]) {
    if (pause) {
      if (pause === PAUSES[0]) say(words.retry); // Said once, it is heard once.
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    status = null;
    // The request comes from inside the form, whose own property "action" is hidden by its buttons of that name.
    await htmx.ajax("POST", form.getAttribute("action"), { source: tableau, swap: "none", values: wish.values });
    if (status !== null) return true;
  }
  return false;
}

function giveUp() {
  takeBack();
  queue.length = 0;
  say(words.offline);
  form.dispatchEvent(new Event("table:changed"));
}

/** Put a sentence where messages are; it is spoken once. */
export function say(text) {
  const line = document.createElement("p");
  line.className = "notice";
  line.textContent = text;
  document.getElementById("message").replaceChildren(line);
}

form.addEventListener("htmx:before:swap", (event) => {
  const { response, text } = event.detail.ctx;
  status = response.status;
  // Something between the page and the server can answer in its stead; but whatever the table answers brings a message.
  ours = text.includes("id=message");
  form.dispatchEvent(new Event("table:changing"));
  takeBack();
  if (status === 200 && ours) queue.shift();
  else queue.length = 0;
});

form.addEventListener("htmx:after:swap", () => {
  if (!ours) say(words.offline);
  showAgain();
  form.dispatchEvent(new Event("table:changed"));
});
