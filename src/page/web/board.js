// Draws the board as SVG (`drawBoard`): squares, pieces, selection, last move, and the best moves as arrows. Updates
// the win-probability bar and the players' names.

import { $, formatPercent, makeButton, makeElement, makeSvg, setText } from "./dom.js";
import { cellsAfterAmazonMove, isOver, nameOf, opponentOf, positionAfter, squaresOf } from "./rules.js";
import { endingText, t, term } from "./texts.js";
import { shownFault } from "./faults.js";
import { pickableSquares } from "./input.js";
import { game, isFlipped, onChange, onFindings, shownNode, state } from "./state.js";
import { marksOf } from "./annotations.js";
import { blackWinProbability, isFinal } from "./tree.js";
import { animatePieces, startAnimation } from "./animation.js";

/** @typedef {import("./rules.js").Player} Player */

/** Width and height of a square of the board in SVG units. */
const SQUARE_SIZE = 100;
/** SVG path of the crown on an amazon, in SVG units around the centre of the square. */
const CROWN = "M-21 17 L-25 -12 L-11 1 L0 -20 L11 1 L25 -12 L21 17 Z";
const FILE_LETTERS = "abcdefgh";
/**
 * Annotation symbols of bad moves, as in chess books. Key: the judgement of the move; value: the symbol, such as `??`
 * for a blunder.
 */
const ANNOTATIONS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * Returns a `<span>` with the annotation symbol of a judgement, such as `??` for a blunder.
 * @param {"inaccuracy" | "mistake" | "blunder"} judgement
 */
export function annotation(judgement) {
  return makeElement("span", { class: "judged " + judgement, title: t(judgement) }, ANNOTATIONS[judgement]);
}

/**
 * Returns the 64 cells to draw on the board (`b`, `w`, `x` or `.`, row by row from a1). If the position editor is open,
 * these are the cells of the edited position; otherwise those of the shown position after the previewed moves, if any.
 * If the user has picked an amazon and its destination, the amazon stands on the destination.
 */
function cellsShown() {
  if (state.editor) return state.editor.position.cells;
  const { cells } = state.previewedMoves.reduce(positionAfter, state.previewedFrom ?? shownNode().position);
  return state.picked.length === 2 ? cellsAfterAmazonMove(cells, state.picked[0], state.picked[1]) : cells;
}

/**
 * Draws the board with its pieces and marks: last move, candidate moves, picked squares, annotations. Starts or
 * continues the animation of the latest change, and updates the invisible buttons over the squares.
 */
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
  const marks = state.editor || state.lesson || state.previewedMoves.length ? { squares: [], arrows: [] } : marksOf(node);
  svg.append(...marks.squares.map((at) => squareRect(at, "marked", 5)));
  svg.append(...state.highlighted.map((at) => squareRect(at, "pointed", 5)));
  const pieces = [...cells].map((cell, at) => (cell === "x" ? arrowOnSquare(at) : cell === "." ? null : amazon(at, cell)));
  const isStone = (piece, at) => cells[at] === "x";
  svg.append(...pieces.filter(isStone));
  const drawn = state.picked.length || state.previewedMoves.length || state.editor ? [] : movesToDraw();
  svg.append(...drawn.flatMap(([move, kind, opacity]) => moveLines(move, kind, opacity)));
  svg.append(...pieces.filter((piece, at) => piece && !isStone(piece, at)));
  svg.append(...drawn.map(([move, kind, opacity]) => arrowTarget(move, kind, opacity)));
  svg.append(...marks.arrows.map(([from, to]) => drawnArrow(from, to)));
  if (!state.editor) svg.append(...selectionMarks(), ...faultMarks());
  $("drawing").replaceChildren(svg);
  startAnimation(node, cells);
  animatePieces((at) => pieces[at], centre);
  updateSquareButtons(cells);
}

/**
 * Returns the x and y of a square's upper left corner on the drawn board, in SVG units.
 * @param {number} square from 0 (a1) to 63 (h8)
 */
function corner(square) {
  const place = isFlipped() ? 63 - square : square;
  return [SQUARE_SIZE * (place % 8), SQUARE_SIZE * (place >> 3)];
}

/**
 * Returns an SVG rectangle inside a square (0 = a1 to 63 = h8), with the CSS class `kind`. `inset` is the distance
 * between the rectangle and the edges of the square, in SVG units.
 */
function squareRect(square, kind, inset) {
  const side = SQUARE_SIZE - 2 * inset;
  const [x, y] = corner(square);
  return makeSvg("rect", { x: x + inset, y: y + inset, width: side, height: side, rx: inset / 1.2, class: kind });
}

/**
 * Returns an SVG rectangle that shades a square by its probable owner. `owner` is from 1 (certainly black's) over 0
 * (neutral) to −1 (certainly white's), and determines colour and opacity.
 */
function ownershipShade(owner, square) {
  const shading = squareRect(square, owner > 0 ? "owner-black" : "owner-white", 0);
  shading.setAttribute("opacity", (0.62 * Math.abs(owner)).toFixed(2));
  return shading;
}

/**
 * Returns the x and y of a square's centre on the drawn board, in SVG units. The square is a number from 0 (a1) to 63
 * (h8).
 */
const centre = (/** @type {number} */ square) => corner(square).map((edge) => edge + SQUARE_SIZE / 2);

/**
 * Returns an SVG picture of what a cell of the board contains, to show on a button: an amazon, an arrow or an empty
 * square.
 * @param {string} cell letter of the cell: `b`, `w`, `x` or `.`
 */
export function pieceIcon(cell) {
  const piece = cell === "x" ? arrowPicture(0, 0) : cell === "." ? makeSvg("path", { class: "nothing", d: "M-24 -24L24 24M24 -24L-24 24" }) : amazonPicture(cell, "");
  return makeSvg("svg", { viewBox: "-45 -45 90 90", class: "piece", "aria-hidden": "true" }, piece);
}

function arrowOnSquare(at) {
  const [x, y] = centre(at);
  return arrowPicture(x, y);
}

/**
 * Returns an SVG group that draws a shot arrow as a piece on the board: a block with a cross. `x` and `y` are the
 * centre of the piece in SVG units.
 */
function arrowPicture(x = 0, y = 0) {
  const side = SQUARE_SIZE - 28;
  const block = makeSvg("rect", { class: "arrow", x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 14 / 1.2 });
  return makeSvg("g", {}, block, makeSvg("path", { class: "notch", d: `M${x - 13} ${y - 13}l26 26m0 -26l-26 26` }));
}

function amazon(at, cell) {
  return amazonPicture(cell, `translate(${centre(at).join(" ")})`);
}

/**
 * Returns an SVG group that draws an amazon of the colour `cell` (`b` or `w`). The drawing has its centre at 0, 0;
 * `transform` is an SVG transformation that moves it to its place, or an empty text.
 */
function amazonPicture(cell, transform) {
  const kind = cell === "b" ? "black" : "white";
  return makeSvg("g", { class: "amazon " + kind, transform }, makeSvg("circle", { r: 38 }), makeSvg("path", { d: CROWN }));
}

/**
 * Returns three SVG rectangles that mark the squares of the last move, such as `c1 c6 f6`: the amazon's origin, its
 * destination, and the arrow's square.
 */
function lastMoveMarks(move) {
  const [from, to, arrow] = squaresOf(move);
  return [squareRect(from, "last", 4), squareRect(to, "last", 4), squareRect(arrow, "last shot", 4)];
}

/**
 * Returns SVG elements for a move that the user is entering: a rectangle on the latest picked square, and dots on the
 * squares that can be picked next. Returns an empty list if no square is picked.
 */
function selectionMarks() {
  const [from, to] = state.picked;
  const chosen = state.picked.length ? [squareRect(to ?? from, "picked", 4)] : [];
  const dot = (at) => makeSvg("circle", { class: "choice", cx: centre(at)[0], cy: centre(at)[1], r: 15 });
  return [...chosen, ...(state.picked.length ? pickableSquares().map(dot) : [])];
}

/**
 * Returns SVG marks that explain why a match's referee rejected a bot's answer (such as an illegal move) at the shown
 * node. The numbers 1, 2 and 3 stand on the answer's squares: the amazon's origin, its destination and the arrow's
 * square. A frame surrounds the square that breaks a rule. Returns an empty list if no answer was rejected there.
 */
function faultMarks() {
  const { squares, wrong } = shownFault() ?? { squares: [], wrong: null };
  const frame = wrong === null ? [] : [squareRect(wrong, "wrong", 5)];
  const numbers = squares.map((at, order) => {
    const [x, y] = corner(at);
    // Counts the numbers that are drawn on this square already: an arrow may hit the amazon's origin, for example. The
    // next number is drawn to the right of them.
    const before = squares.slice(0, order).filter((other) => other === at).length;
    return makeSvg("text", { class: "step", x: x + 18 + 26 * before, y: y + 32 }, String(order + 1));
  });
  return [...frame, ...numbers];
}

/**
 * Returns the moves to draw as lines on the board: the hint if there is one, or else the best moves of the analysis.
 * Each element is a list. First: the move; second: the CSS class of its lines; third: their opacity (0 to 1). The
 * elements are in ascending order of opacity, so that the most opaque move is drawn last, above the others.
 */
function movesToDraw() {
  const node = shownNode();
  if (state.hint) return [[state.hint, "hinted", 1]];
  if (!state.shown.best || state.lesson || state.tab === "play") return [];
  const known = (node.findings ?? node.ply)?.candidates ?? [];
  const drawn = known.slice(0, state.candidateCount).map(({ move }, rank) => [move, "best", rank === state.candidateIndex ? 1 : 0.34]);
  return drawn.sort((a, b) => a[2] - b[2]);
}

/**
 * Returns the SVG elements that show a move: a solid line for the amazon's path, a dotted line for the arrow's path,
 * and a circle on the amazon's destination.
 * @param {string} move such as `c1 c6 f6` @param {string} kind CSS class @param {number} opacity from 0 to 1
 */
function moveLines(move, kind, opacity) {
  const [from, to, arrow] = squaresOf(move);
  const [x, y] = centre(to);
  const style = { opacity };
  return [
    makeSvg("path", { class: `way ${kind}`, d: `M${centre(from).join(" ")}L${x} ${y}`, ...style }),
    makeSvg("path", { class: `way shot ${kind}`, d: `M${x} ${y}L${centre(arrow).join(" ")}`, ...style }),
    makeSvg("circle", { class: `goal ${kind}`, cx: x, cy: y, r: 30, ...style }),
  ];
}

/**
 * Returns an SVG frame that marks the square to which a candidate move shoots its arrow. The caller must draw the frame
 * above the pieces, because the arrow may hit the square that the amazon leaves, and there the amazon is still drawn.
 * @param {string} move such as `c1 c6 f6` @param {string} kind CSS class @param {number} opacity from 0 to 1
 */
function arrowTarget(move, kind, opacity) {
  const drawn = squareRect(squaresOf(move)[2], `target ${kind}`, 17);
  drawn.setAttribute("opacity", String(opacity));
  return drawn;
}

/**
 * Returns an SVG path for an arrow that the user has drawn as an annotation, between the centres of two squares (0 = a1
 * to 63 = h8).
 */
function drawnArrow(from, to) {
  const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [x, y] = [(x2 - x1) / length, (y2 - y1) / length];
  const [baseX, baseY] = [x2 - 34 * x, y2 - 34 * y];
  const head = `M${x2} ${y2}L${baseX - 20 * y} ${baseY + 20 * x}L${baseX + 20 * y} ${baseY - 20 * x}Z`;
  return makeSvg("path", { class: "drawn", d: `M${x1} ${y1}L${baseX} ${baseY}${head}` });
}

// ---- Buttons over the squares, for pointer, keyboard and screen readers

/**
 * Creates the 64 invisible buttons over the board's squares, through which the user picks squares by pointer, keyboard
 * or screen reader.
 */
function makeSquareButtons() {
  const rows = Array.from({ length: 8 }, (_, y) =>
    makeElement("div", { role: "row" }, ...Array.from({ length: 8 }, (__, x) =>
      makeButton({ role: "gridcell", "data-square": nameOf(8 * y + x), tabindex: y + x ? -1 : 0 }))));
  $("squares").replaceChildren(...rows);
}

/**
 * Updates the buttons over the squares: their labels for screen readers, and the CSS class of those that the user can
 * pick next.
 * @param {string} cells the 64 cells that the board shows
 */
function updateSquareButtons(cells) {
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
    // The CSS class `drag` marks the squares on which a touch starts a drag (see `beginDrag` in input.js); on all other
    // squares, it scrolls the page. These are all squares in the drawing mode, otherwise the squares of the amazons that
    // can move, and the square to which the user has just moved an amazon, from which its arrow is dragged.
    element.classList.toggle("drag", state.isDrawing || movers.has(at) || at === state.picked[1]);
  }
}

// ---- Win-probability bar, players, description of the position

/**
 * Updates the bar that shows black's win probability in the shown position, and the win probabilities of both players
 * as text. Hides bar and text if the user has switched them off, in lessons, and in the position editor.
 */
function renderBar() {
  const chance = blackWinProbability(shownNode());
  const isHidden = !state.shown.bar || Boolean(state.lesson || state.editor);
  // The CSS class `off` makes the win-probability bar invisible but keeps its space, so that the board below it does
  // not move.
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

/**
 * Returns a sentence that describes the shown position for the user: the number and text of the last move, and the side
 * to move or the result.
 */
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
 * Returns the displayed name of the bot that plays a colour in the "Play" tab, such as `Level 6`; null if a person
 * plays. `initBoard` replaces this function.
 * @type {(player: Player) => string | null}
 */
let botName = () => null;

/**
 * Updates the texts around the board: the players' names, the mark at the player who is to move, and the sentence that
 * describes the position.
 */
function renderPlayers() {
  document.body.classList.toggle("flipped", isFlipped());
  const { position } = shownNode();
  const isOn = !isFinal(game(), shownNode()) && !(state.tab === "play" && game().end);
  for (const player of /** @type {const} */ (["black", "white"])) {
    const seat = state.tab === "play" && botName(player);
    setText($("name-" + player), seat ? `${t(player)} · ${seat}` : game().names[player] ?? t(player));
    setText($("mover-" + player), position.toMove === player && isOn ? t("onMove") : "");
  }
  setText($("position"), state.editor ? t("editor") : describePosition());
}

/**
 * Scrolls to the board if less than half of the board is visible, as on a phone where the user has scrolled down to a
 * button.
 */
export function revealBoard() {
  const { top, bottom, height } = $("board").getBoundingClientRect();
  if (bottom < height / 2 || top > innerHeight - height / 2) $("board").scrollIntoView({ block: "nearest" });
}

/**
 * Creates the board, and redraws it whenever the page's state changes or the engine reports new results.
 * @param {(player: Player) => string | null} nameOfBot returns the name of a colour's bot, or null for a person
 */
export function initBoard(nameOfBot) {
  botName = nameOfBot;
  makeSquareButtons();
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
