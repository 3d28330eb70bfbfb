// The keyboard: arrows walk the cards, Enter or Space picks up and puts down, a letter each gives the commands.

import { at, cardsOf, columnAt, columnOf, columns, form, indexOf, isCard, placeOf, tableau } from "./board.js";
import { command, inHand, letGo, pickUp, putDown } from "./hand.js";

const COMMANDS = { u: "undo", r: "redo", d: "deal" };
const PRESSES = { n: "new", s: "again" };
const HELP = ["h", "?"];

/** What can have the focus in a column: its face-up cards, or its button when it has none. */
function stops(column) {
  const cards = cardsOf(column).filter(isCard);
  return cards.length ? cards : [column.lastElementChild];
}

function walk(key, element) {
  const column = columnOf(element);
  const [all, mine] = [columns(), stops(column)];
  const row = mine.indexOf(element);
  // On a mirrored table the first column is the rightmost.
  const forward = document.documentElement.dataset.hand === "left" ? "ArrowLeft" : "ArrowRight";
  if (key === "ArrowUp" || key === "ArrowDown") return mine[row + (key === "ArrowDown" ? 1 : -1)];
  if (key === "Home" || key === "End") return stops(all.at(key === "Home" ? 0 : -1)).at(-1);
  const beside = all[indexOf(column) + (key === forward ? 1 : -1)];
  if (!beside) return null;
  const theirs = stops(beside);
  // From an end one comes to an end, for that is where cards go.
  return row === mine.length - 1 || row < 0 ? theirs.at(-1) : theirs[Math.min(row, theirs.length - 1)];
}

tableau.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const element = event.target;
  if (/^(Arrow(Up|Down|Left|Right)|Home|End)$/.test(event.key)) {
    event.preventDefault();
    walk(event.key, element)?.focus();
  } else if ((event.key === "Enter" || event.key === " ") && isCard(element)) {
    event.preventDefault();
    press(element);
  }
});

function press(card) {
  if (!inHand() || (inHand() !== card && columnOf(inHand()) === columnOf(card))) pickUp(card);
  else if (inHand() === card) letGo();
  else {
    const moved = inHand();
    putDown(columnOf(card));
    moved.focus();
  }
}

form.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const key = event.key.toLowerCase();
  if (key === "escape") return letGo(); // Whatever else is open closes by this key too.
  if (key in COMMANDS) command(COMMANDS[key]);
  else if (key in PRESSES) document.getElementById(PRESSES[key]).click();
  else if (HELP.includes(key)) document.getElementById("sheet").togglePopover();
  else return;
  event.preventDefault();
});

// An answer replaces columns: the focus finds its place again, or the end of its column.
let focused = null;
form.addEventListener("table:changing", () => {
  const element = document.activeElement;
  const column = columnOf(element);
  focused = column && { column: indexOf(column), place: isCard(element) ? placeOf(element) : null };
});
form.addEventListener("table:changed", () => {
  if (!focused || columnOf(document.activeElement)) return;
  const there = focused.place && at(focused.place);
  (there && isCard(there) ? there : stops(columnAt(focused.column)).at(-1)).focus({ preventScroll: true });
});
