// The table for hands: taps are turned into the very form that the page works with when there is no script.
// No rule of a game is here: which columns take a card, and which is best, the server tells with every answer.

const DOUBLE_TAP = 350; // milliseconds between the two taps of a double tap

const form = document.getElementById("table");
const message = document.getElementById("message");
let picked = null; // the radio button of the card that is picked up
let lastTap = { card: "", time: 0 };

document.documentElement.classList.add("script");

/** The targets of each group, by the value of its first card: { "1.5": "678" }. */
function targets(list) {
  return Object.fromEntries((list ?? "").split(" ").filter(Boolean).map((entry) => entry.split("-")));
}

function status() {
  return document.getElementById("status");
}

function columnOf(element) {
  return element.closest(".column");
}

function pick(card) {
  letGo();
  picked = card;
  card.checked = true;
  for (let one = card; one; one = one.nextElementSibling) if (one.type === "radio") one.classList.add("picked");
  for (const index of targets(status().dataset.legal)[card.value] ?? "") {
    document.getElementById(`c${index}`).classList.add("target");
  }
}

function letGo() {
  if (picked) picked.checked = false;
  picked = null;
  for (const marked of form.querySelectorAll(".picked, .target")) marked.classList.remove("picked", "target");
}

function send(button) {
  form.requestSubmit(button);
}

function tap(event) {
  const column = columnOf(event.target);
  if (!column) return;
  const card = event.target.type === "radio" ? event.target : null;
  event.preventDefault();
  const now = event.timeStamp;
  const again = card && card.value === lastTap.card && now - lastTap.time < DOUBLE_TAP;
  lastTap = { card: again ? "" : (card?.value ?? ""), time: now };
  // A prevented click puts a radio button back as it was, once its event is over: what it chose is set after that.
  setTimeout(() => {
    if (again) {
      pick(card);
      send(document.getElementById("auto"));
    } else if (picked && columnOf(picked) !== column) {
      send(column.querySelector("button"));
    } else if (card && card !== picked) {
      pick(card);
    } else {
      letGo();
    }
  });
}

function say(text) {
  const line = document.createElement("p");
  line.className = "notice";
  line.textContent = text;
  message.replaceChildren(line);
}

form.addEventListener("click", tap);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") letGo();
});
document.addEventListener("htmx:after:swap", letGo);
document.addEventListener("htmx:error", () => {
  letGo();
  say(form.dataset.offline);
});
