// Motion that explains: cards glide from where they were seen to where they lie, and a run leaves for its place.
// Only what is drawn moves. The cards themselves lie where they belong a frame later, so that the next move waits for nothing.

import { at, cardsOf, columns, faceOf, form, groupOf, indexOf, isCard, tableau } from "./board.js";

const GLIDE = 180; // milliseconds
const TURN = 160;
const LEAVE = 420;
const STAGGER = 18; // between one card of a leaving run and the next
const EASING = "cubic-bezier(0.2, 0.8, 0.3, 1)";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether anything is to move: by the player's setting, or else by the device's. */
function wanted() {
  const setting = document.documentElement.dataset.motion;
  return setting === "on" || (setting !== "off" && !reduced.matches);
}

// The drawings that are on their way: how far each set out from its card, and the animation that brings it there.
const gliding = new WeakMap();

/** Where an element is seen: its drawing may not have arrived yet. */
function seenAt(element) {
  const { left, top, width } = element.getBoundingClientRect();
  const way = gliding.get(element);
  const rest = way?.animation.playState === "running" ? 1 - (way.animation.effect.getComputedTiming().progress ?? 1) : 0;
  return rest ? { left: left + way.x * rest, top: top + way.y * rest, width } : { left, top, width };
}

// The cards that leave a place for another, with where they were last seen.
const left = new Map();

/** Remember where cards are seen, before they are put elsewhere. */
export function leave(cards) {
  if (!wanted()) return;
  for (const card of cards) if (!left.has(card)) left.set(card, seenAt(card));
}

let frame = 0;

/** Let the cards that left glide to where they lie. */
export function arrive() {
  if (left.size) frame ||= requestAnimationFrame(hold);
}

/** Hold cards where they were seen for one frame: to show that costs less than to begin a motion, so it is seen sooner. */
function hold() {
  for (const [card, x, y] of waysFrom(left)) {
    card.style.transform = `translate(${x}px, ${y}px)`;
    card.style.zIndex = 6; // as high as what is dragged
  }
  frame = requestAnimationFrame(arrived);
}

function rest() {
  cancelAnimationFrame(frame);
  frame = 0;
  for (const card of left.keys()) card.style.transform = card.style.zIndex = "";
}

function arrived() {
  rest();
  glide(waysFrom(left));
  left.clear();
}

/** How far from where they lie cards were seen; all are asked before any is changed, since that lays the table out. */
function waysFrom(seen) {
  return [...seen].filter(([card]) => card.isConnected).map(([card, from]) => {
    const to = card.getBoundingClientRect();
    return [card, from.left - to.left, from.top - to.top];
  });
}

/** Draw each card as far from where it lies as it was seen, and let the drawing glide there. */
function glide(ways) {
  for (const [card, x, y] of ways) {
    if (Math.abs(x) + Math.abs(y) < 2) continue;
    const frames = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
    const animation = animate(card, frames, { duration: GLIDE });
    gliding.set(card, { x, y, animation });
    above(card.parentElement, animation);
  }
}

/** Draw a column above what lies, as long as something of it glides. */
function above(column, animation) {
  column.glides = (column.glides ?? 0) + 1;
  column.classList.add("gliding");
  animation.onfinish = () => {
    column.glides -= 1;
    if (!column.glides) column.classList.remove("gliding");
  };
}

function animate(element, frames, options) {
  const [animation] = ["::before", "::after"].map((pseudoElement) =>
    element.animate(frames, { easing: EASING, fill: "backwards", pseudoElement, ...options }),
  );
  return animation;
}

/** End every motion at once: what is drawn is where it lies. */
export function stop() {
  rest();
  left.clear();
  for (const animation of tableau.getAnimations({ subtree: true })) animation.finish();
}

// What was seen before an answer is put on the table: by element, and by place for those that it replaces.
let before = null;

form.addEventListener("table:changing", () => {
  arrived();
  before = wanted() ? { elements: new Map(), places: new Map(), stock: seen("deal"), runs: runs().map(seenAt), removed: removed() } : null;
  if (!before) return;
  for (const column of columns()) {
    for (const [index, card] of cardsOf(column).entries()) {
      const rect = seenAt(card);
      before.elements.set(card, rect);
      before.places.set(`${indexOf(column)}.${index}`, { rect, card, face: faceOf(card) });
    }
  }
});

const seen = (id) => document.getElementById(id)?.getBoundingClientRect();
const runs = () => [...document.querySelectorAll("#places > li")];
const removed = () => runs().filter((place) => place.className).length;

form.addEventListener("table:changed", () => {
  const steps = (document.getElementById("status").dataset.moved ?? "").split(" ").filter(Boolean);
  mark(steps);
  if (!before) return;
  const origins = new Map();
  for (const step of steps) {
    const [from, to] = step.split(">");
    // An answer that refuses tells the latest action once more: what is to be seen already does not happen again.
    if (step.endsWith("!")) turn(step.slice(0, -1));
    else if (to.startsWith("p")) depart(from, Number(to.slice(1)));
    else origin(origins, from, to);
  }
  const moved = [];
  for (const column of columns()) {
    for (const [index, card] of cardsOf(column).entries()) {
      const from = cameFrom(card, `${indexOf(column)}.${index}`, origins);
      if (from) moved.push([card, from]);
    }
  }
  glide(waysFrom(moved));
  before = null;
});

/** Where a card was seen before: itself, or the one that it took over from, or at the place that it came from. */
function cameFrom(card, place, origins) {
  const own = before.elements.get(card);
  if (own) return own;
  const there = before.places.get(place);
  if (there && there.face === faceOf(card)) return there.rect;
  return origins.get(card);
}

/** Note for each card that went from one place to another where it was seen. */
function origin(origins, from, to) {
  const first = /^\d/.test(to) && at(to); // What goes back to the stock is seen no more.
  if (!first) return;
  const [column, index] = from.split(".").map(Number);
  for (const [offset, card] of groupOf(first).entries()) {
    const rect = from === "s" ? before.stock : from.startsWith("p") ? before.runs[from.slice(1)] : before.places.get(`${column}.${index + offset}`)?.rect;
    if (rect) origins.set(card, rect);
    if (from === "s") return;
  }
}

function turn(place) {
  const card = at(place);
  if (card && isCard(card) && before.places.get(place)?.face === "") animate(card, [{ transform: "scaleX(0)" }, { transform: "none" }], { duration: TURN });
}

/** Let a run that left the table fly to its place: the cards that were seen, above everything and out of reach. */
function depart(from, number) {
  const [column, index] = from.split(".").map(Number);
  const target = runs()[number]?.getBoundingClientRect();
  if (!target || number < before.removed) return;
  const sky = document.createElement("div");
  sky.className = "column flight";
  sky.inert = true;
  const cards = [...before.places].filter(([place]) => {
    const [c, i] = place.split(".").map(Number);
    return c === column && i >= index;
  });
  for (const [order, [, { rect, card }]] of cards.entries()) {
    const ghost = card.cloneNode();
    ghost.removeAttribute("name");
    Object.assign(ghost.style, { left: `${rect.left}px`, top: `${rect.top}px`, width: `${rect.width}px` });
    sky.append(ghost);
    const [x, y] = [target.left - rect.left, target.top - rect.top];
    ghost.animate(
      [{ transform: "none" }, { transform: `translate(${x}px, ${y}px) scale(${target.width / rect.width})` }],
      // The ace leaves first, as a hand gathers a run from its end.
      { duration: LEAVE, delay: (cards.length - order) * STAGGER, easing: EASING, fill: "both" },
    );
  }
  document.body.append(sky);
  setTimeout(() => sky.remove(), LEAVE + cards.length * STAGGER);
}

/** Mark where the latest action put cards; the mark stays until the next action. */
function mark(steps) {
  for (const card of tableau.querySelectorAll(".last")) card.classList.remove("last");
  for (const step of steps) {
    const to = step.split(">")[1];
    const first = /^\d/.test(to ?? "") && at(to);
    if (first && isCard(first)) for (const card of groupOf(first)) card.classList.add("last");
  }
}

mark((document.getElementById("status").dataset.moved ?? "").split(" "));
addEventListener("resize", stop);
