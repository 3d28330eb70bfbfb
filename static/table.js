// The page's script at the table: taps, and the joining of the other ways to move.
// No rule of a game is in it: the server says with every answer what is legal and what is best.

import { columnOf, form, isCard, setting, tableau } from "./table/board.js";
import { endsDrag } from "./table/drag.js";
import { command, inHand, letGo, pickUp, putDown, toBest } from "./table/hand.js";
import "./table/keys.js";

const DOUBLE_TAP = 400; // milliseconds between the two taps of a double tap
const SMALL = 24; // CSS pixels: a lower strip is hard for a finger to hit, so the first tap spreads its column

let lastTap = { card: null, time: 0 };
let pointer = "mouse"; // what the latest press came from

function tap(event) {
  const column = columnOf(event.target);
  if (!column || !tableau.contains(column)) return;
  event.preventDefault();
  if (endsDrag(event)) return;
  const card = isCard(event.target) ? event.target : null;
  // A prevented click puts a radio button back as it was once its event is over: what it means is done after that.
  setTimeout(() => means(column, card, event.timeStamp));
}

function means(column, card, time) {
  const hand = inHand();
  const again = card && card === lastTap.card && time - lastTap.time < DOUBLE_TAP;
  const puts = hand && columnOf(hand) !== column;
  const spread = !again && !puts && card && card !== hand && spreads(column, card);
  // What put cards down or spread a column begins no double tap: an unsteady hand taps twice where once was meant.
  lastTap = { card: again || puts || spread ? null : card, time };
  if (spread) return;
  if (again && setting("doubleTap") && card.isConnected) toBest(card);
  else if (puts) putDown(column);
  else if (card && card !== hand) pickUp(card);
  else {
    letGo();
    gather();
  }
}

function spreads(column, card) {
  if (pointer === "mouse" || card.offsetHeight >= SMALL || column.classList.contains("spread")) return false;
  gather();
  column.classList.add("spread");
  return true;
}

function gather() {
  for (const column of form.querySelectorAll(".spread")) column.classList.remove("spread");
}

tableau.addEventListener("pointerdown", (event) => (pointer = event.pointerType));
tableau.addEventListener("click", tap);
addEventListener("keydown", (event) => event.key === "Escape" && (lastTap.card = null));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const action = event.submitter?.name === "action" ? event.submitter.value : "auto";
  if (action !== "auto") command(action);
  else if (inHand()) toBest(inHand());
});
form.addEventListener("table:changed", gather);
document.addEventListener("click", (event) => {
  if (!form.contains(event.target)) letGo();
});

document.documentElement.classList.add("script");
