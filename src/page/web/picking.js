// Choosing a move on the board: the amazon, where it goes, where its arrow goes; by click, drag, touch or keyboard.

import { $ } from "./elements.js";
import { movable, nameOf, reach, squareOf, walked } from "./rules.js";
import { changed, shownNode, state } from "./state.js";

/** Whoever is asked if a move may be made, what to do with one, and with a square that is edited. */
const handlers = { may: () => false, move: (/** @type {string} */ _move) => {}, edit: (/** @type {number} */ _square) => {} };

/** Says who takes moves. @param {Partial<typeof handlers>} given */
export const handlePicks = (given) => Object.assign(handlers, given);

/** The squares that may be chosen next. @param {number[]} [picked] @returns {number[]} */
export function choices(picked = state.picked) {
  if (state.editor || !handlers.may()) return [];
  const { position } = shownNode();
  const [from, to] = picked;
  if (from === undefined) return movable(position);
  if (to === undefined) return reach(position.cells, from);
  return reach(walked(position.cells, from, to), to);
}

/** Chooses a square. What is chosen already is released; another amazon takes its place. @param {number} square */
function pick(square) {
  if (state.editor) {
    handlers.edit(square);
    return;
  }
  const isChoice = choices().includes(square);
  if (isChoice && state.picked.length === 2) {
    const move = [...state.picked, square].map(nameOf).join(" ");
    state.picked = [];
    handlers.move(move);
    return;
  }
  const isAgain = square === state.picked[state.picked.length - 1];
  if (isChoice) state.picked = [...state.picked, square];
  else state.picked = !isAgain && choices([]).includes(square) ? [square] : [];
  state.hint = null;
  changed();
}

/** Releases what is chosen. */
export function release() {
  if (!state.picked.length) return;
  state.picked = [];
  changed();
}

/** The square under a point of the window; nothing beside the board. */
function squareAt(x, y) {
  const element = document.elementFromPoint(x, y);
  const name = element instanceof HTMLElement ? element.dataset.square : undefined;
  return name === undefined ? null : squareOf(name);
}

/** The drag under way: where it began, whether it has left that square, and whether it began with the pick. */
let drag = /** @type {{ from: number, moved: boolean, fresh: boolean } | null} */ (null);

function press(event) {
  const square = squareAt(event.clientX, event.clientY);
  if (square === null || event.button !== 0 || state.editor) return;
  // An amazon that can move, or the one that has just moved and now shoots.
  const isLast = square === state.picked[1];
  const isMover = choices([]).includes(square) && state.picked.length < 2;
  if (!isLast && !isMover) return;
  drag = { from: square, moved: false, fresh: isMover && state.picked[0] !== square };
  if (drag.fresh) {
    state.picked = [square];
    changed();
  }
}

function follow(event) {
  if (!drag) return;
  const square = squareAt(event.clientX, event.clientY);
  if (square !== drag.from) drag.moved = true;
  $("ghost").hidden = !drag.moved;
  const box = $("squares").getBoundingClientRect();
  $("ghost").style.transform = `translate(${event.clientX - box.left}px, ${event.clientY - box.top}px)`;
}

/** Ends a drag over a square that may be chosen by choosing it. */
function drop(event) {
  const ended = drag;
  drag = null;
  $("ghost").hidden = true;
  if (!ended?.moved) return;
  const square = squareAt(event.clientX, event.clientY);
  if (square !== null && choices().includes(square)) pick(square);
}

/** A click; the one that ends a press of a fresh pick has done its work already. */
function click(event) {
  const name = event.target.closest("[data-square]")?.dataset.square;
  if (name === undefined) return;
  if (pressed.fresh && event.detail > 0 && squareOf(name) === pressed.square) return;
  pick(squareOf(name));
}

/** What the last press chose, for the click that follows it. */
let pressed = { square: -1, fresh: false };

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Arrow keys go from square to square, Enter and Space choose, Escape releases. */
function key(event) {
  const step = ARROWS[event.key];
  if (event.key === "Escape") release();
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const at = squareOf(event.target.dataset.square);
  const [right, down] = step.map((by) => (state.isFlipped ? -by : by));
  const [x, y] = [Math.min(Math.max((at % 8) + right, 0), 7), Math.min(Math.max((at >> 3) + down, 0), 7)];
  const next = $("squares").querySelector(`[data-square=${nameOf(8 * y + x)}]`);
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** Listens to the board. */
export function listenToBoard() {
  const squares = $("squares");
  squares.addEventListener("pointerdown", (event) => {
    press(event);
    pressed = { square: drag?.from ?? -1, fresh: Boolean(drag?.fresh) };
  });
  addEventListener("pointermove", follow);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", () => {
    drag = null;
    $("ghost").hidden = true;
  });
  squares.addEventListener("click", click);
  squares.addEventListener("keydown", key);
}
