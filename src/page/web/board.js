// Draws the board as SVG (squares, pieces, selection, last move, best moves as arrows), the win-probability bar and the
// players.

import { $, formatPercent, makeButton, makeElement, makeSvg, setText } from "./dom.js";
import { cellsAfterWalk, isOver, nameOf, opponentOf, positionAfter, squaresOf } from "./rules.js";
import { endingText, t, term } from "./texts.js";
import { faultShown } from "./faults.js";
import { pickableSquares } from "./input.js";
import { game, onChange, onFindings, shownNode, state } from "./state.js";
import { blackWinProbability, isFinal } from "./tree.js";
import { animatePieces, startAnimation } from "./animation.js";

/** @typedef {import("./rules.js").Player} Player */

const SQUARE_SIZE = 100;
const CROWN = "M-21 17 L-25 -12 L-11 1 L0 -20 L11 1 L25 -12 L21 17 Z";
const FILE_LETTERS = "abcdefgh";
const ANNOTATIONS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * Returns an element with the annotation sign of a bad move, such as `??`.
 * @param {"inaccuracy" | "mistake" | "blunder"} judgement
 */
export function annotation(judgement) {
  return makeElement("span", { class: "judged " + judgement, title: t(judgement) }, ANNOTATIONS[judgement]);
}

/**
 * Returns the 64 cells to draw: those of the editor's position, or of the position after the line under the pointer. If an
 * amazon and its destination are selected, the amazon stands on the destination.
 */
function cellsShown() {
  if (state.editor) return state.editor.position.cells;
  const { cells } = state.previewedMoves.reduce(positionAfter, shownNode().position);
  return state.picked.length === 2 ? cellsAfterWalk(cells, state.picked[0], state.picked[1]) : cells;
}

function drawBoard() {
  const svg = makeSvg("svg", { viewBox: "-34 -34 838 838", "aria-hidden": "true" });
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) svg.append(squareRect(8 * y + x, (x + y) % 2 ? "dark" : "light", 0));
    const [column, row] = corner(9 * y);
    svg.append(makeSvg("text", { x: -18, y: row + 58 }, String(y + 1)));
    svg.append(makeSvg("text", { x: column + 50, y: -11 }, FILE_LETTERS[y]));
  }
  const node = shownNode();
  const cells = cellsShown();
  const lastMove = state.previewedMoves[state.previewedMoves.length - 1] ?? node.move;
  const owners = state.shown.ownership && !state.editor && !state.previewedMoves.length ? (node.findings ?? node.ply)?.ownership : null;
  owners?.forEach((owner, at) => svg.append(ownershipShade(owner, at)));
  if (lastMove && state.shown.last && !state.editor) svg.append(...lastMoveMarks(lastMove));
  svg.append(...state.highlighted.map((at) => squareRect(at, "pointed", 5)));
  const pieces = [...cells].map((cell, at) => (cell === "x" ? stone(at) : cell === "." ? null : amazon(at, cell)));
  const isStone = (piece, at) => cells[at] === "x";
  svg.append(...pieces.filter(isStone));
  const drawn = state.picked.length || state.previewedMoves.length || state.editor ? [] : movesToDraw();
  svg.append(...drawn.flatMap(([move, kind, weight]) => moveLines(move, kind, weight)));
  svg.append(...pieces.filter((piece, at) => piece && !isStone(piece, at)));
  svg.append(...drawn.map(([move, kind, weight]) => arrowTarget(move, kind, weight)));
  if (!state.editor) svg.append(...selectionMarks(), ...faultMarks());
  $("drawing").replaceChildren(svg);
  startAnimation(node, cells);
  animatePieces((at) => pieces[at], centre);
  labelSquares(cells);
}

/** Returns the x and y of a square's upper left corner, in SVG units. @param {number} at number of the square, from 0 to 63 */
function corner(at) {
  const place = state.isFlipped ? 63 - at : at;
  return [SQUARE_SIZE * (place % 8), SQUARE_SIZE * (place >> 3)];
}

function squareRect(at, kind, inset) {
  const side = SQUARE_SIZE - 2 * inset;
  const [x, y] = corner(at);
  return makeSvg("rect", { x: x + inset, y: y + inset, width: side, height: side, rx: inset / 1.2, class: kind });
}

function ownershipShade(owner, at) {
  const shading = squareRect(at, owner > 0 ? "owner-black" : "owner-white", 0);
  shading.setAttribute("opacity", (0.62 * Math.abs(owner)).toFixed(2));
  return shading;
}

const centre = (/** @type {number} */ at) => corner(at).map((edge) => edge + SQUARE_SIZE / 2);

function stone(at) {
  const [x, y] = centre(at);
  return makeSvg("g", {}, squareRect(at, "arrow", 14), makeSvg("path", { class: "notch", d: `M${x - 13} ${y - 13}l26 26m0 -26l-26 26` }));
}

function amazon(at, cell) {
  const transform = `translate(${centre(at).join(" ")})`;
  const kind = cell === "b" ? "black" : "white";
  return makeSvg("g", { class: "amazon " + kind, transform }, makeSvg("circle", { r: 38 }), makeSvg("path", { d: CROWN }));
}

/** Returns the highlights of the last move: the squares that the amazon left and reached, and the square of its arrow. */
function lastMoveMarks(move) {
  const [from, to, arrow] = squaresOf(move);
  return [squareRect(from, "last", 4), squareRect(to, "last", 4), squareRect(arrow, "last shot", 4)];
}

/** Returns the marker of the selected square, and a dot on every square that can be selected next. */
function selectionMarks() {
  const [from, to] = state.picked;
  const chosen = state.picked.length ? [squareRect(to ?? from, "picked", 4)] : [];
  const dot = (at) => makeSvg("circle", { class: "choice", cx: centre(at)[0], cy: centre(at)[1], r: 15 });
  return [...chosen, ...(state.picked.length ? pickableSquares().map(dot) : [])];
}

/** Returns the marks of a rejected answer: its squares numbered in order, and a frame around the square that breaks a rule. */
function faultMarks() {
  const { squares, wrong } = faultShown() ?? { squares: [], wrong: null };
  const frame = wrong === null ? [] : [squareRect(wrong, "wrong", 5)];
  const numbers = squares.map((at, order) => {
    const [x, y] = corner(at);
    // An answer may name one square more than once: its numbers stand side by side.
    const before = squares.slice(0, order).filter((other) => other === at).length;
    return makeSvg("text", { class: "step", x: x + 18 + 26 * before, y: y + 32 }, String(order + 1));
  });
  return [...frame, ...numbers];
}

/** Returns the moves to draw as arrows: the hint, or else the engine's best moves. Each has its CSS class and its opacity. */
function movesToDraw() {
  const node = shownNode();
  if (state.hint) return [[state.hint, "hinted", 1]];
  if (!state.shown.best || state.lesson || state.tab === "play") return [];
  const known = (node.findings ?? node.ply)?.candidates ?? [];
  const drawn = known.slice(0, state.lineCount).map(({ move }, rank) => [move, "best", rank === state.candidate ? 1 : 0.34]);
  return drawn.sort((a, b) => a[2] - b[2]);
}

/** Draws a move as two lines: a solid line for the amazon's path and a dotted line for the arrow's path. */
function moveLines(move, kind, weight) {
  const [from, to, arrow] = squaresOf(move);
  const [x, y] = centre(to);
  const style = { opacity: weight };
  return [
    makeSvg("path", { class: `way ${kind}`, d: `M${centre(from).join(" ")}L${x} ${y}`, ...style }),
    makeSvg("path", { class: `way shot ${kind}`, d: `M${x} ${y}L${centre(arrow).join(" ")}`, ...style }),
    makeSvg("circle", { class: `goal ${kind}`, cx: x, cy: y, r: 30, ...style }),
  ];
}

/**
 * Draws a frame where a move's arrow lands. Drawn above the pieces: the arrow may land on the square that the amazon leaves.
 */
function arrowTarget(move, kind, weight) {
  const drawn = squareRect(squaresOf(move)[2], `target ${kind}`, 17);
  drawn.setAttribute("opacity", String(weight));
  return drawn;
}

// ---- Buttons over the squares, for pointer, keyboard and screen readers

/** Creates the 64 invisible buttons over the board's squares. */
function makeSquares() {
  const rows = Array.from({ length: 8 }, (_, y) =>
    makeElement("div", { role: "row" }, ...Array.from({ length: 8 }, (__, x) =>
      makeButton({ role: "gridcell", "data-square": nameOf(8 * y + x), tabindex: y + x ? -1 : 0 }))));
  $("squares").replaceChildren(...rows);
}

/** Updates the accessible names of the squares' buttons, and marks the squares that can be selected. @param {string} cells */
function labelSquares(cells) {
  const pickable = new Set(pickableSquares());
  const movers = new Set(state.editor ? [] : pickableSquares([]));
  for (const element of $("squares").querySelectorAll("button")) {
    const name = element.dataset.square;
    const at = name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1);
    const words = { ".": t("squareEmpty", name), x: t("squareArrow", name) }[cells[at]] ??
      t("squareAmazon", name, t(cells[at] === "b" ? "black" : "white"));
    element.setAttribute("aria-label", pickable.has(at) ? `${words}, ${t("target")}` : words);
    element.setAttribute("aria-selected", String(state.picked.includes(at)));
    element.classList.toggle("may", pickable.has(at) || Boolean(state.editor));
    // On these squares a touch drags instead of scrolling: an amazon that can move, or the moved amazon that must still shoot.
    element.classList.toggle("drag", movers.has(at) || at === state.picked[1]);
  }
}

// ---- Win-probability bar, players, description of the position

function renderBar() {
  const chance = blackWinProbability(shownNode());
  const isHidden = !state.shown.bar || Boolean(state.lesson || state.editor);
  // Hides the bar but keeps its space, so that the board does not move.
  $("bar").classList.toggle("off", isHidden);
  $("bar").classList.toggle("unknown", chance === null);
  $("bar").style.setProperty("--black-share", String(100 * (chance ?? 0.5)) + "%");
  $("bar").setAttribute("aria-valuenow", String(Math.round(100 * (chance ?? 0.5))));
  $("bar").setAttribute("aria-valuetext", chance === null ? t("unknown") : formatPercent(chance));
  for (const player of ["black", "white"]) {
    const own = chance === null ? null : player === "black" ? chance : 1 - chance;
    setText($("chance-" + player), own === null || isHidden ? "" : formatPercent(own));
  }
}

/** Returns a sentence that describes the position on the board: move number, last move, side to move or result. */
function describePosition() {
  const { move, depth, position, parent } = shownNode();
  const mover = t(position.toMove);
  const toMove = term("toMove", mover);
  if (isOver(position)) return t("overAt", depth, endingText("no move", mover));
  const { end } = game();
  if (end && isFinal(game(), shownNode())) return t("overAt", depth, endingText(end.ending, t(opponentOf(end.winner))));
  if (!move || !parent) return t("atStart", toMove);
  return t("atMove", depth, t(parent.position.toMove), move, toMove);
}

/**
 * Returns the name of the bot that plays a colour, or null for a person; set by `initBoard`.
 * @type {(player: Player) => string | null}
 */
let botName = () => null;

function renderPlayers() {
  document.body.classList.toggle("flipped", Boolean(state.isFlipped));
  const { position } = shownNode();
  const isOn = !isFinal(game(), shownNode()) && !(state.tab === "play" && game().end);
  for (const player of /** @type {const} */ (["black", "white"])) {
    const seat = state.tab === "play" && botName(player);
    setText($("name-" + player), seat ? `${t(player)} · ${seat}` : game().names[player] ?? t(player));
    setText($("mover-" + player), position.toMove === player && isOn ? t("onMove") : "");
  }
  setText($("position"), state.editor ? t("editor") : describePosition());
}

/** Scrolls to the board if less than half of the board is visible, as on a phone after a press on a button far below. */
export function revealBoard() {
  const { top, bottom, height } = $("board").getBoundingClientRect();
  if (bottom < height / 2 || top > innerHeight - height / 2) $("board").scrollIntoView({ block: "nearest" });
}

/**
 * Creates the board and redraws it whenever the page's state changes.
 * @param {(player: Player) => string | null} nameOfBot returns the name of the bot that plays a colour, or null for a person
 */
export function initBoard(nameOfBot) {
  botName = nameOfBot;
  makeSquares();
  onChange(() => {
    drawBoard();
    renderBar();
    renderPlayers();
  });
  onFindings(() => {
    if (!state.picked.length) drawBoard();
    renderBar();
  });
}
