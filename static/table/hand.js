// The hand: the one small state machine of all ways to move. It is empty, or it has picked up a card with what lies on it.

import { at, bestOf, columnAt, columnOf, columns, faceOf, form, groupOf, indexOf, placeOf, setting, targetsOf, words } from "./board.js";
import { ask, settled } from "./server.js";

let picked = null; // the first card of the group in the hand

export const inHand = () => picked;

/** Pick up a card and what lies on it, and light the columns that would take it. */
export function pickUp(card) {
  letGo();
  picked = card;
  card.checked = true;
  for (const one of groupOf(card)) one.classList.add("picked");
  light();
}

function light() {
  const targets = settled() ? targetsOf(picked) : [];
  for (const index of targets) {
    const column = columnAt(index);
    column.classList.add("target");
    if (index === bestOf(picked)) column.classList.add("best");
    const button = column.lastElementChild;
    button.ariaDescription = words.fits;
  }
  const numbers = targets.map((index) => index + 1).join(", ");
  const name = picked.ariaLabel;
  speak(!settled() ? name : (numbers ? words.picked : words.pickedNone).replace("{card}", name).replace("{columns}", numbers));
}

/** Let go of what is in the hand: it lies where it was. */
export function letGo() {
  if (picked) picked.checked = false;
  picked = null;
  for (const marked of form.querySelectorAll(".picked")) marked.classList.remove("picked");
  for (const column of columns()) {
    column.classList.remove("target", "best");
    column.lastElementChild.ariaDescription = null;
  }
}

/** Put what is in the hand onto a column. The server decides; until then it lies there. */
export function putDown(column) {
  const card = picked;
  letGo();
  if (!card) return;
  const lift = placeOf(card);
  const onto = indexOf(column);
  ask({ action: "move", lift, onto }, column === columnOf(card) ? null : { lift, onto });
}

/** Send a card and what lies on it to its best column. */
export function toBest(card) {
  letGo();
  const lift = placeOf(card);
  const best = settled() ? bestOf(card) : undefined;
  ask({ action: "auto", lift }, best === undefined ? null : { lift, onto: best });
}

/** Drop dragged cards: onto a column, or, where automatic placement is on and none takes them there, to the best one. */
export function drop(column) {
  const card = picked;
  const takes = column && (!settled() || targetsOf(card).includes(indexOf(column)));
  if (column === columnOf(card)) letGo();
  else if (takes || (column && !setting("automatic"))) putDown(column);
  else if (setting("automatic")) toBest(card);
  else letGo();
}

/** Ask for an action that names no card. */
export function command(action) {
  letGo();
  ask({ action });
}

/** Say something to those who listen, and show nothing. */
function speak(text) {
  document.getElementById("voice").textContent = text;
}

// An answer can replace the columns under a hand: what it holds is found again by its place, if it is still the same card.
let held = null;
form.addEventListener("table:changing", () => {
  held = picked && { place: placeOf(picked), face: faceOf(picked) };
});
form.addEventListener("table:changed", () => {
  letGo();
  const card = held && at(held.place);
  if (card && faceOf(card) === held.face) pickUp(card);
  held = null;
});
form.addEventListener("table:settled", () => {
  if (picked) pickUp(picked);
});
