// What lies on the table, read from the page: columns, cards, and what the server said is legal.
// A card is known by its place, a column and an index into it, never by its face.

export const form = document.getElementById("table");
export const tableau = form.querySelector(".tableau");

/** The sentences of the page's script in the player's language. */
export const words = JSON.parse(document.getElementById("voice").dataset.words);

export const columns = () => [...tableau.children];
export const columnOf = (element) => element.closest(".column");
export const indexOf = (column) => Number(column.id.slice(1));
export const columnAt = (index) => document.getElementById(`c${index}`);

/** The cards of a column, face down and face up: all but the button that ends it. */
export const cardsOf = (column) => [...column.children].slice(0, -1);
export const isCard = (element) => element instanceof HTMLInputElement && element.type === "radio";

/** A card and all that lies on it. */
export function groupOf(card) {
  const cards = cardsOf(columnOf(card));
  return cards.slice(cards.indexOf(card));
}

/** The place of a card as the server reads it, such as "1.5". */
export const placeOf = (card) => `${indexOf(columnOf(card))}.${cardsOf(columnOf(card)).indexOf(card)}`;

/** The element at a place, or undefined. */
export function at(place) {
  const [column, index] = place.split(".").map(Number);
  return cardsOf(columnAt(column))[index];
}

/** The face that an element shows, or nothing for a face-down card or none: to tell whether a place still holds what it held. */
export const faceOf = (element) => (element && isCard(element) ? element.classList[0] : "");

/** The face of a column's end: what a player saw when putting cards on it. */
export const endOf = (column) => faceOf(cardsOf(column).at(-1));

/** What the server said with its latest answer of a card and what lies on it: "-678", the columns that take it. */
function legal(card) {
  const place = placeOf(card);
  const entry = document.getElementById("status").dataset.legal.split(" ").find((one) => /^[.\d]+/.exec(one)?.[0] === place);
  return entry?.slice(place.length) ?? "";
}

/** The columns that would take a card and what lies on it. */
export const targetsOf = (card) => [...legal(card).slice(1)].map(Number);

/** The best of these columns, or undefined: behind a plus sign it comes first. */
export const bestOf = (card) => (legal(card)[0] === "+" ? targetsOf(card)[0] : undefined);

/** A player's setting: true when it is on. */
export const setting = (name) => document.documentElement.dataset[name] !== "off";

/** Move cards to the end of a column, on this page only; a card that has the focus keeps it. */
export function place(cards, column) {
  const focused = document.activeElement;
  // Where a browser can move an element without taking it out, the focus stays by itself; to give it back takes a layout.
  const put = "moveBefore" in column ? "moveBefore" : "insertBefore";
  for (const card of cards) column[put](card, column.lastElementChild);
  if (cards.includes(focused) && document.activeElement !== focused) focused.focus({ preventScroll: true });
}
