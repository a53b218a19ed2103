// The move list with variations, and the buttons, keys and mouse wheel that step through the game.

import { $, addShortcuts, makeButton, makeElement, setText } from "./dom.js";
import { editStudy, game, goTo, canUndoEdit, nodeAt, onChange, shownNode, state, undoEdit } from "./state.js";
import { commentOf, symbolOf } from "./annotations.js";
import { annotation } from "./board.js";
import { t } from "./texts.js";
import { isOnMainLine, lineThrough, moveNumber, pathTo, promote, provenWinner, removeSubtree } from "./tree.js";

/**
 * Returns the judgement of the move that led to a node: `inaccuracy`, `mistake` or `blunder`. Returns undefined if the
 * move was good, or if it was not analysed.
 * @param {import("./tree.js").GameNode} node
 */
export function judgementOf(node) {
  const ply = node.parent?.ply;
  return ply && ply.move === node.move ? ply.judgement : undefined;
}

/**
 * Tests if the user may step through the game in the open tab. This default always returns true. `initMoves` replaces
 * it by a function that returns false during an unfinished game against a bot, during a lesson, and in the position
 * editor.
 */
let canStep = () => true;

/** Tests if keys, buttons and mouse wheel at present step through the positions of the game in the open tab. */
export const isStepping = () => canStep();

/**
 * Returns a button with the move that led to a node, and the move's annotation symbol, such as `?`: the symbol given by
 * the file or the user, or if there is none, the symbol of the engine's judgement. If `isNumbered` is true, the move
 * number precedes the move. A click shows the position after the move.
 */
function moveButton(node, isNumbered = false) {
  const [symbol, judgement] = [symbolOf(node), judgementOf(node)];
  const number = isNumbered ? `${moveNumber(node)} ` : "";
  const symbols = symbol ? [" ", makeElement("b", {}, symbol)] : judgement ? [" ", annotation(judgement)] : [];
  const parts = [`${number}${node.move}`, ...symbols];
  const winner = provenWinner(node);
  const certain = winner ? { class: "certain", title: t("certain", t(winner)) } : {};
  return makeButton({ onclick: () => canStep() && goTo(node), "data-node": node.id, "aria-current": String(node === shownNode()), ...certain }, ...parts);
}

/**
 * Returns the rows of the move list as `<li>` elements. A row contains a move number, black's move and white's reply in
 * the main line. If a move has a comment or alternatives, the row ends after this move, and the next row contains the
 * comment and the variations.
 */
function mainLineItems(root) {
  const list = [];
  let row = null;
  for (let node = root; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    const isBlack = node.position.toMove === "black";
    if (isBlack || !row) row = makeElement("li", {}, makeElement("span", {}, moveNumber(main).replace(/\D/, "")), ...(isBlack ? [] : [makeElement("i", {}, "…")]));
    if (!row.isConnected && !list.includes(row)) list.push(row);
    row.append(moveButton(main));
    const below = [...commentParts(main), ...others.map((other) => makeElement("p", {}, ...variationParts(other)))];
    if (below.length) {
      list.push(makeElement("li", { class: "variations" }, ...below));
      row = null;
    }
  }
  return list;
}

/**
 * Returns the comment on a node as a `<p>` element, the only element of a list. Returns an empty list if the node has
 * no comment.
 */
const commentParts = (node) => (commentOf(node) ? [makeElement("p", { class: "remark" }, commentOf(node))] : []);

/**
 * Returns the content of the paragraph that shows a variation, as a list of strings and DOM elements. It contains a
 * button for each move, the comments, and further variations in parentheses.
 * @param {any} first first node of the variation
 */
function variationParts(first) {
  const parts = [];
  for (let node = first; node; node = node.children[0]) {
    parts.push(moveButton(node, true), " ", ...(commentOf(node) ? [makeElement("span", { class: "remark" }, commentOf(node)), " "] : []));
    const siblings = node === first ? [] : (node.parent?.children.slice(1) ?? []);
    for (const sibling of siblings) parts.push("( ", ...variationParts(sibling), ") ");
  }
  return parts;
}

function renderMoves() {
  $("moves").replaceChildren(...mainLineItems(game().root));
  const list = $("moves");
  const current = list.querySelector("[aria-current=true]");
  // Scrolls the list until the current move is in its centre. `scrollIntoView` would scroll the page as well.
  if (current) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  else list.scrollTop = 0;
  const isVariation = state.tab === "study" && canStep() && !isOnMainLine(shownNode());
  $("make-main").hidden = !isVariation;
  $("remove").hidden = !isVariation;
  $("undo-edit").hidden = state.tab !== "study" || !canStep() || !canUndoEdit();
  const comment = commentOf(shownNode());
  $("comment").hidden = !comment || (state.tab === "study" && state.panel === "notes");
  setText($("comment"), comment);
}

/**
 * Steps forwards or backwards through the shown variation. Stops at the first and the last position.
 * @param {number} by number of plies; negative: backwards; ±Infinity: to the first or last position
 */
function step(by) {
  goTo(nodeAt(lineThrough(shownNode()), shownNode().depth + by));
}

/** Keys that step through the game, named as in `KeyboardEvent.key`, and the function that each key calls. */
const STEP_KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity) };

/** Distance in pixels that the user must scroll with the mouse wheel for a step of one ply. */
const WHEEL_STEP_PX = 60;

/** Distance in pixels that the user has scrolled with the mouse wheel since the last step; positive is downwards. */
let wheelDistance = 0;

/**
 * Steps through the game by the mouse wheel over the board: scrolling down shows the next position, scrolling up the
 * previous one. One step takes `WHEEL_STEP_PX` pixels.
 * @param {any} event the `wheel` event
 */
function stepByWheel(event) {
  if (!canStep() || event.ctrlKey) return;
  event.preventDefault();
  wheelDistance += event.deltaMode ? WHEEL_STEP_PX * Math.sign(event.deltaY) : event.deltaY;
  if (Math.abs(wheelDistance) < WHEEL_STEP_PX) return;
  step(Math.sign(wheelDistance));
  wheelDistance = 0;
}

function renderSteps() {
  $("steps").hidden = !canStep() || Boolean(state.lesson || state.editor);
  const line = lineThrough(shownNode());
  const [atStart, atEnd] = [!shownNode().parent, line[line.length - 1] === shownNode()];
  [$("first").disabled, $("previous").disabled, $("next").disabled, $("last").disabled] = [atStart, atStart, atEnd, atEnd];
  $("place").textContent = `${shownNode().depth} / ${line.length - 1}`;
}

/**
 * Sets up the move list, and the keys, buttons and mouse wheel that step through the game.
 * @param {() => boolean} allowed tests if the open tab and its game allow stepping
 */
export function initMoves(allowed) {
  canStep = () => allowed() && !state.lesson && !state.editor;
  onChange(() => {
    renderMoves();
    renderSteps();
  });
  const stepIf = (action) => () => canStep() && action();
  $("first").onclick = stepIf(STEP_KEYS.Home);
  $("previous").onclick = stepIf(STEP_KEYS.ArrowLeft);
  $("next").onclick = stepIf(STEP_KEYS.ArrowRight);
  $("last").onclick = stepIf(STEP_KEYS.End);
  addShortcuts(STEP_KEYS, canStep);
  $("board").addEventListener("wheel", stepByWheel, { passive: false });
  $("remove").onclick = () => editStudy(() => {
    removeSubtree(game(), shownNode());
    goTo(shownNode());
  });
  $("make-main").onclick = () => editStudy(() => {
    pathTo(shownNode()).forEach(promote);
    goTo(shownNode());
  });
  $("undo-edit").onclick = undoEdit;
  document.addEventListener("keydown", (event) => {
    const isText = event.target instanceof HTMLInputElement && event.target.value !== "";
    if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || isText || $("undo-edit").hidden) return;
    event.preventDefault();
    undoEdit();
  });
}
