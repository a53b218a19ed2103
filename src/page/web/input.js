// Input of a move on the board by click, drag, touch or keyboard: the user picks the amazon, its destination, then the
// arrow's square.

import { $ } from "./dom.js";
import { cellsAfterAmazonMove, movableAmazons, nameOf, reachable, squareOf } from "./rules.js";
import { emitChange, shownNode, state } from "./state.js";

/**
 * Callbacks of the board: `canMove` tests if the user may enter a move; `move` receives a complete move; `edit`
 * receives the square clicked in the position editor; `steps` tests if the arrow keys step through the game.
 */
const handlers = { canMove: () => false, move: (/** @type {string} */ _move) => {}, edit: (/** @type {number} */ _square) => {}, steps: () => false };

/** Replaces the given callbacks of the board. @param {Partial<typeof handlers>} given */
export const setHandlers = (given) => Object.assign(handlers, given);

/**
 * Returns the squares that the user can pick next: amazons that can move, then destinations, then arrow squares. Empty
 * if the user may not enter a move.
 * @param {number[]} [picked] the squares picked so far; by default `state.picked` @returns {number[]}
 */
export function pickableSquares(picked = state.picked) {
  if (state.editor || !handlers.canMove()) return [];
  const { position } = shownNode();
  const [from, to] = picked;
  if (from === undefined) return movableAmazons(position);
  if (to === undefined) return reachable(position.cells, from);
  return reachable(cellsAfterAmazonMove(position.cells, from, to), to);
}

/**
 * Picks a square as the next step of the move: amazon, destination, arrow square. The third pick plays the move. A
 * second click on the last picked square cancels the selection, and a click on another movable amazon selects that
 * amazon instead.
 * @param {number} square
 */
function pick(square) {
  if (state.editor) {
    handlers.edit(square);
    return;
  }
  const isChoice = pickableSquares().includes(square);
  if (isChoice && state.picked.length === 2) {
    const move = [...state.picked, square].map(nameOf).join(" ");
    state.picked = [];
    handlers.move(move);
    return;
  }
  const isAgain = square === state.picked[state.picked.length - 1];
  if (isChoice) state.picked = [...state.picked, square];
  else state.picked = !isAgain && pickableSquares([]).includes(square) ? [square] : [];
  state.hint = null;
  emitChange();
}

/** Cancels the selection of the squares picked so far. */
export function cancelSelection() {
  if (!state.picked.length) return;
  state.picked = [];
  emitChange();
}

/**
 * Returns the square at a point of the window; null if the point is outside the board.
 * @param {number} x pixels from the left edge @param {number} y pixels from the top edge
 */
function squareAt(x, y) {
  const element = document.elementFromPoint(x, y);
  const name = element instanceof HTMLElement ? element.dataset.square : undefined;
  return name === undefined ? null : squareOf(name);
}

/**
 * The current drag: its first square, whether the pointer has left this square, and whether the press has newly
 * selected an amazon (`fresh`). Null if nothing is dragged.
 */
let drag = /** @type {{ from: number, hasMoved: boolean, fresh: boolean } | null} */ (null);

/**
 * Begins a drag if the pointer is pressed on an amazon that can move, or on one that has moved and must still shoot.
 */
function beginDrag(event) {
  const square = squareAt(event.clientX, event.clientY);
  if (square === null || event.button !== 0 || state.editor) return;
  // A drag can begin on an amazon that can move, or on the destination of an amazon that must still shoot.
  const isLast = square === state.picked[1];
  const isMover = pickableSquares([]).includes(square) && state.picked.length < 2;
  if (!isLast && !isMover) return;
  drag = { from: square, hasMoved: false, fresh: isMover && state.picked[0] !== square };
  if (drag.fresh) {
    state.picked = [square];
    emitChange();
  }
}

/** Moves the image of the dragged piece with the pointer. */
function moveDrag(event) {
  if (!drag) return;
  const square = squareAt(event.clientX, event.clientY);
  if (square !== drag.from) drag.hasMoved = true;
  $("ghost").hidden = !drag.hasMoved;
  const box = $("squares").getBoundingClientRect();
  $("ghost").style.transform = `translate(${event.clientX - box.left}px, ${event.clientY - box.top}px)`;
}

/** Ends a drag: picks the square under the pointer if this is allowed. @param {any} event */
function endDrag(event) {
  const ended = drag;
  drag = null;
  $("ghost").hidden = true;
  if (!ended?.hasMoved) return;
  const square = squareAt(event.clientX, event.clientY);
  if (square !== null && pickableSquares().includes(square)) pick(square);
}

/**
 * Handles a click on a square: picks the square, unless the press of this click has already selected the amazon on it.
 * @param {any} event
 */
function handleClick(event) {
  const name = event.target.closest("[data-square]")?.dataset.square;
  if (name === undefined) return;
  if (lastPress.isNewSelection && event.detail > 0 && squareOf(name) === lastPress.square) return;
  pick(squareOf(name));
}

/**
 * Square of the last press (−1 if the press began no drag), and whether the press selected an amazon. Used by
 * `handleClick`.
 */
let lastPress = { square: -1, isNewSelection: false };

/** Steps of the arrow keys on the unturned board: columns to the right and rows down. Rank 1 is at the top. */
const KEY_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Whether the user moves between squares by keyboard: from Enter or Space on the board until Escape or until the focus
 * leaves the board.
 */
let isChoosing = false;

/**
 * Handles keys on the board. Arrow keys move the focus between squares if the user chooses squares by keyboard, or if
 * there is no game to step through. Escape cancels the selection. Enter and Space click the focused square, as on every
 * button.
 * @param {any} event
 */
function handleKey(event) {
  const step = KEY_STEPS[event.key];
  if (event.key === "Enter" || event.key === " ") isChoosing = true;
  if (event.key === "Escape") {
    isChoosing = false;
    cancelSelection();
  }
  if (!step || event.altKey || event.ctrlKey || event.metaKey || (handlers.steps() && !isChoosing)) return;
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

/** Sets up the input of moves: adds the pointer and keyboard event handlers of the board. */
export function initInput() {
  const squares = $("squares");
  squares.addEventListener("pointerdown", (event) => {
    isChoosing = false;
    beginDrag(event);
    lastPress = { square: drag?.from ?? -1, isNewSelection: Boolean(drag?.fresh) };
  });
  addEventListener("pointermove", moveDrag);
  addEventListener("pointerup", endDrag);
  addEventListener("pointercancel", () => {
    drag = null;
    $("ghost").hidden = true;
  });
  squares.addEventListener("click", handleClick);
  squares.addEventListener("keydown", handleKey);
  squares.addEventListener("focusout", (event) => {
    if (!squares.contains(event.relatedTarget)) isChoosing = false;
  });
}
