// Input of a move on the board by click, drag, touch or keyboard: the user picks the amazon, its destination, then the
// arrow's square.

import { $ } from "./dom.js";
import { cellsAfterAmazonMove, movableAmazons, nameOf, reachable, squareOf } from "./rules.js";
import { emitChange, isFlipped, shownNode, state } from "./state.js";

/**
 * Functions through which the board reports the user's input, and asks what input is allowed; `setHandlers` replaces
 * them:
 * - `canMove`: tests if the user may enter a move;
 * - `enterMove`: receives the move that the user has entered, such as `c1 c6 f6`;
 * - `editSquare`: receives the square (0 = a1 to 63 = h8) that was clicked in the position editor;
 * - `isStepping`: tests if the arrow keys step through the game;
 * - `canMark`: tests if the user may draw marks on the board;
 * - `mark`: receives two squares (0 = a1 to 63 = h8), and draws an arrow from the first to the second; if they are the
 *   same, marks this square.
 */
const handlers = {
  canMove: () => false, enterMove: (/** @type {string} */ _move) => {}, editSquare: (/** @type {number} */ _square) => {}, isStepping: () => false,
  canMark: () => false, mark: (/** @type {number} */ _from, /** @type {number} */ _to) => {},
};

/**
 * Replaces the functions that the board's input calls (see `handlers`). Functions that `given` does not contain stay.
 * @param {Partial<typeof handlers>} given
 */
export const setHandlers = (given) => Object.assign(handlers, given);

/**
 * Returns the squares (0 = a1 to 63 = h8) that the user can pick next. If no square is picked: the squares of the
 * amazons that can move. If the amazon is picked: its destinations. If its destination is picked, too: the squares that
 * the arrow can hit. Returns an empty list if the user may not enter a move.
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
 * Handles the choice of a square for a move: the amazon, its destination, or the arrow's square, which completes the
 * move. Choosing the latest picked square again cancels the selection; choosing another amazon that can move selects
 * that amazon instead. In the position editor, edits the square.
 * @param {number} square from 0 (a1) to 63 (h8)
 */
function pick(square) {
  if (state.editor) {
    handlers.editSquare(square);
    return;
  }
  const isChoice = pickableSquares().includes(square);
  if (isChoice && state.picked.length === 2) {
    const move = [...state.picked, square].map(nameOf).join(" ");
    state.picked = [];
    handlers.enterMove(move);
    return;
  }
  const isAgain = square === state.picked[state.picked.length - 1];
  if (isChoice) state.picked = [...state.picked, square];
  else state.picked = !isAgain && pickableSquares([]).includes(square) ? [square] : [];
  state.hint = null;
  emitChange();
}

/** Cancels the selection: no square is picked any more. Does nothing if no square was picked. */
export function cancelSelection() {
  if (!state.picked.length) return;
  state.picked = [];
  emitChange();
}

/**
 * Returns the square at a point of the window, from 0 (a1) to 63 (h8); null if the point is outside the board.
 * @param {number} x pixels from the window's left edge @param {number} y pixels from the window's top edge
 */
function squareAt(x, y) {
  const element = document.elementFromPoint(x, y);
  const name = element instanceof HTMLElement ? element.dataset.square : undefined;
  return name === undefined ? null : squareOf(name);
}

/**
 * The drag of an amazon that is in progress; null if no amazon is dragged. `from`: square (0 = a1 to 63 = h8) where the
 * pointer was pressed; `hasMoved`: true if the pointer has left this square since; `isNewSelection`: true if the press
 * also selected the amazon.
 */
let drag = /** @type {{ from: number, hasMoved: boolean, isNewSelection: boolean } | null} */ (null);

/**
 * Handles a press of the pointer on the board. A press on an amazon that can move begins to drag the amazon. If an
 * amazon has moved and must still shoot, a press on its destination begins a drag that chooses the arrow's square. In
 * the drawing mode, a press begins to draw instead.
 */
function beginDrag(event) {
  const square = squareAt(event.clientX, event.clientY);
  if (square === null || state.editor) return;
  markStart = isMarking(event) ? square : null;
  if (event.button !== 0 || state.isDrawing) return;
  // True if the press is on the destination of an amazon that the user has moved and that must still shoot its arrow. A
  // drag from this square chooses the arrow's square.
  const isMovedAmazon = square === state.picked[1];
  const isMover = pickableSquares([]).includes(square) && state.picked.length < 2;
  if (!isMovedAmazon && !isMover) return;
  drag = { from: square, hasMoved: false, isNewSelection: isMover && state.picked[0] !== square };
  if (drag.isNewSelection) {
    state.picked = [square];
    emitChange();
  }
}

/**
 * The square (0 = a1 to 63 = h8) where the user began to draw a marked square or arrow; null while the user draws
 * nothing.
 * @type {number | null}
 */
let markStart = null;

/**
 * Tests if a press on the board draws a marked square or arrow. This is so if the user may draw marks
 * (`handlers.canMark`) and presses the right button, or the left button in the drawing mode (`state.isDrawing`).
 */
const isMarking = (/** @type {any} */ { button }) => handlers.canMark() && (button === 2 || (button === 0 && state.isDrawing));

/**
 * Finishes the marked square or arrow that the user is drawing: it ends on the square under the pointer.
 * @param {any} event the `pointerup` event
 */
function endMark(event) {
  const [from, to] = [markStart, squareAt(event.clientX, event.clientY)];
  markStart = null;
  if (from !== null && to !== null) handlers.mark(from, to);
}

/** Moves the image of the dragged amazon with the pointer. Does nothing if no amazon is dragged. */
function moveDrag(event) {
  if (!drag) return;
  const square = squareAt(event.clientX, event.clientY);
  if (square !== drag.from) drag.hasMoved = true;
  $("ghost").hidden = !drag.hasMoved;
  const box = $("squares").getBoundingClientRect();
  $("ghost").style.transform = `translate(${event.clientX - box.left}px, ${event.clientY - box.top}px)`;
}

/**
 * Ends the drag of an amazon. If the square under the pointer can be picked (as the amazon's destination, or as the
 * arrow's square), picks this square; otherwise the amazon stays selected. Does nothing if the pointer has not left the
 * square where it was pressed.
 * @param {any} event the `pointerup` event
 */
function endDrag(event) {
  const ended = drag;
  drag = null;
  $("ghost").hidden = true;
  if (!ended?.hasMoved) return;
  const square = squareAt(event.clientX, event.clientY);
  if (square !== null && pickableSquares().includes(square)) pick(square);
}

/**
 * Handles a click on a square of the board: picks the square for the user's move, or marks it in the drawing mode.
 * Ignores the click if the preceding `pointerdown` event has just selected the amazon on this square (see `lastPress`):
 * a second choice of the same square would cancel the selection.
 * @param {any} event the `click` event
 */
function handleClick(event) {
  const name = event.target.closest("[data-square]")?.dataset.square;
  if (name === undefined) return;
  if (state.isDrawing) {
    // In the drawing mode, a click by keyboard (`detail` is 0) marks the square. A click by pointer is ignored here,
    // because `endMark` has drawn the marked square already.
    if (!event.detail) handlers.mark(squareOf(name), squareOf(name));
    return;
  }
  if (lastPress.isNewSelection && event.detail > 0 && squareOf(name) === lastPress.square) return;
  pick(squareOf(name));
}

/**
 * The latest press of the pointer on the board. `square` is the pressed square (0 = a1 to 63 = h8) if the press began
 * to drag an amazon, else −1; `isNewSelection` is true if the press selected an amazon that was not selected before.
 */
let lastPress = { square: -1, isNewSelection: false };

/**
 * How each arrow key moves the keyboard focus on the board. First: number of columns to the right; second: number of
 * rows downwards. The top row is rank 1. If the board is turned, both signs are reversed.
 */
const KEY_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * True while the arrow keys move the keyboard focus between the squares of the board, instead of stepping through the
 * game. Becomes true when the user presses Enter or Space on the board; false with Escape, with a press of the pointer,
 * or when the focus leaves the board.
 */
let isChoosing = false;

/**
 * Handles a key that is pressed while a square of the board has the keyboard focus:
 * - An arrow key moves the focus to the adjacent square if the user is choosing a square (`isChoosing` is true), or if
 *   the arrow keys cannot step through a game in the open tab.
 * - Escape cancels the selection, and sets `isChoosing` to false.
 * - Enter and Space set `isChoosing` to true, and the browser clicks the focused square.
 * @param {any} event the `keydown` event
 */
function handleKey(event) {
  const step = KEY_STEPS[event.key];
  if (event.key === "Enter" || event.key === " ") isChoosing = true;
  if (event.key === "Escape") {
    isChoosing = false;
    cancelSelection();
  }
  if (!step || event.altKey || event.ctrlKey || event.metaKey || (handlers.isStepping() && !isChoosing)) return;
  event.preventDefault();
  event.stopPropagation();
  const at = squareOf(event.target.dataset.square);
  const [right, down] = step.map((by) => (isFlipped() ? -by : by));
  const [x, y] = [Math.min(Math.max((at % 8) + right, 0), 7), Math.min(Math.max((at >> 3) + down, 0), 7)];
  const next = $("squares").querySelector(`[data-square=${nameOf(8 * y + x)}]`);
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** Sets up the input of moves on the board: adds the event handlers for pointer and keyboard. */
export function initInput() {
  const squares = $("squares");
  squares.addEventListener("pointerdown", (event) => {
    isChoosing = false;
    beginDrag(event);
    lastPress = { square: drag?.from ?? -1, isNewSelection: Boolean(drag?.isNewSelection) };
  });
  addEventListener("pointermove", moveDrag);
  addEventListener("pointerup", (event) => {
    endMark(event);
    endDrag(event);
  });
  squares.addEventListener("contextmenu", (event) => handlers.canMark() && event.preventDefault());
  addEventListener("pointercancel", () => {
    [drag, markStart] = [null, null];
    $("ghost").hidden = true;
  });
  squares.addEventListener("click", handleClick);
  squares.addEventListener("keydown", handleKey);
  squares.addEventListener("focusout", (event) => {
    if (!squares.contains(event.relatedTarget)) isChoosing = false;
  });
}
