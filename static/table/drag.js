// Dragging, with mouse, finger or pen alike: the very cards follow the pointer, and fall where they overlap most.

import { columns, form, groupOf, isCard, tableau } from "./board.js";
import { drop, inHand, letGo, pickUp } from "./hand.js";
import { arrive, leave, stop } from "./motion.js";

const SLACK = 6; // CSS pixels that a press may stray and still be a tap

let press = null; // { id, card, x, y }: a pointer that is down on a card
let drag = null; // { x, y, shown }: how far the pointer is from where it was pressed, and how far off its cards are shown
let frame = 0;

const group = () => (inHand() ? groupOf(inHand()) : []);

tableau.addEventListener("pointerdown", (event) => {
  // A new press: whatever click belonged to a drag has come, or its release was not heard.
  suppressed = -Infinity;
  if (event.pointerId === spent) spent = null;
  if (press) {
    cancel(); // A second finger or another button is no drag.
    return;
  }
  if (event.button !== 0 || !event.isPrimary || !isCard(event.target)) return;
  press = { id: event.pointerId, card: event.target, x: event.clientX, y: event.clientY };
});

addEventListener("pointermove", (event) => {
  if (event.pointerId !== press?.id) return;
  // Another button pressed while the first is down comes as a move with more buttons.
  if (event.buttons !== 1) {
    cancel();
    return;
  }
  const [x, y] = [event.clientX - press.x, event.clientY - press.y];
  if (!drag) {
    if (Math.hypot(x, y) < SLACK) return;
    if (!press.card.isConnected) {
      press = null;
      return;
    }
    // The tableau, not a card, holds the pointer: an answer may replace the card while it is dragged.
    tableau.setPointerCapture(press.id);
    stop();
    pickUp(press.card);
    drag = { x, y, shown: [0, 0] };
  }
  [drag.x, drag.y] = [x, y];
  frame ||= requestAnimationFrame(follow);
});

function follow() {
  frame = 0;
  if (!drag) return;
  if (!inHand()) {
    cancel(); // An answer has changed the cards that were dragged.
    return;
  }
  for (const card of group()) {
    card.classList.add("dragging");
    card.style.transform = `translate(${drag.x}px, ${drag.y}px)`;
  }
  drag.shown = [drag.x, drag.y];
}

addEventListener("pointerup", (event) => {
  if (event.pointerId === spent) {
    spent = null;
    suppressed = performance.now();
  }
  if (event.pointerId !== press?.id) return;
  if (!drag) {
    press = null;
    return;
  }
  [drag.x, drag.y] = [event.clientX - press.x, event.clientY - press.y];
  const column = inHand() ? overlapped(group()) : null;
  leave(group());
  end();
  if (inHand()) drop(column);
  arrive();
});

/** The column that cards overlap most, where the pointer is now; a column reaches to the bottom of the table. */
function overlapped(cards) {
  const rects = [cards[0], cards.at(-1)].map((card) => card.getBoundingClientRect());
  // The latest step of the pointer may not be shown yet: to show it first would take a layout of its own.
  const [x, y] = [drag.x - drag.shown[0], drag.y - drag.shown[1]];
  const [left, right] = [rects[0].left + x, rects[0].right + x];
  const [top, bottom] = [rects[0].top + y, Math.max(rects[1].bottom, rects[0].top + rects[0].width) + y];
  const floor = Math.max(tableau.getBoundingClientRect().bottom, innerHeight);
  let [best, most] = [null, 0];
  for (const column of columns()) {
    const rect = column.getBoundingClientRect();
    const width = Math.min(right, rect.right) - Math.max(left, rect.left);
    const height = Math.min(bottom, floor) - Math.max(top, rect.top);
    if (width > 0 && height > 0 && width * height > most) [best, most] = [column, width * height];
  }
  return best;
}

/** Lay the cards back where they were picked up, as it was before the drag. */
function end() {
  for (const card of form.querySelectorAll(".dragging")) {
    card.classList.remove("dragging");
    card.style.transform = "";
  }
  if (tableau.hasPointerCapture?.(press.id)) tableau.releasePointerCapture(press.id);
  press = drag = null;
  // The click that follows the end of a drag is no tap.
  suppressed = performance.now();
}

let suppressed = -Infinity;
let spent = null; // the pointer of a drag that was given up, as long as it is still down: its release is no tap either

/** Whether a click belongs to a drag that has just ended. */
export const endsDrag = (event) => event.timeStamp - suppressed < 50;

/** End a drag as if it had not begun. */
export function cancel() {
  if (drag) {
    spent = press.id;
    leave(group());
    end();
    letGo();
    arrive();
  }
  press = null;
}

addEventListener("pointercancel", (event) => event.pointerId === press?.id && cancel());
addEventListener("blur", cancel);
document.addEventListener("visibilitychange", () => document.hidden && cancel());
addEventListener("contextmenu", (event) => {
  if (!drag && !(press && event.pointerType !== "mouse")) return;
  event.preventDefault();
  if (event.pointerType === "mouse") cancel();
});
addEventListener("keydown", (event) => event.key === "Escape" && cancel());
addEventListener("resize", () => drag && follow());

// Cards that an answer has put in the place of the dragged ones take their part in the drag at once.
form.addEventListener("table:changed", () => drag && follow());
