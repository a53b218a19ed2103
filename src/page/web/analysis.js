// Shows the engine's analysis of the current position in the "Study" tab: a sentence on the last move, the candidate
// moves with their principal variations, and the progress of the search.

import { $, formatCount, formatPercent, formatPoints, makeButton, makeElement, setText } from "./dom.js";
import { t, term } from "./texts.js";
import { EngineTerminated, canRun, engine, hasEngine } from "./engine.js";
import { editStudy, emitFindings, goTo, onChange, onFindings, shownNode, state } from "./state.js";
import { isOver } from "./rules.js";
import { getOrAddChild, provenWinner } from "./tree.js";
import { notify } from "./notice.js";
import { reasonsToShow, renderReasons } from "./reasons.js";
import { annotation } from "./board.js";

/** Maximum number of search iterations in the analysis of one position. */
const MAX_ITERATIONS = 20_000_000;

/**
 * The node whose position the engine is analysing; null while the engine is not analysing.
 * @type {import("./tree.js").GameNode | null}
 */
let analysedNode = null;

/**
 * Starts or stops the engine's analysis of the position that the "Study" tab shows. The analysis runs if the user has
 * switched it on, but not during a lesson, in the position editor, while files are read, or while the page is hidden.
 */
function updateAnalysis() {
  const node = shownNode();
  const wanted = state.tab === "study" && state.isAnalysing && !state.isReading && !state.lesson && !state.editor && !document.hidden && !isOver(node.position);
  if (!wanted) {
    if (analysedNode) engine.stop();
    analysedNode = null;
    return;
  }
  if (node === analysedNode) return;
  analysedNode = node;
  const report = (findings) => {
    if (analysedNode !== node) return;
    node.findings = findings;
    emitFindings();
  };
  const task = { position: node.position, candidates: Math.max(state.candidateCount, 1), iterations: MAX_ITERATIONS };
  engine.search(task, report).then(report, (error) => {
    if (analysedNode === node) analysedNode = null;
    if (!(error instanceof EngineTerminated)) notify(t("engineFailed", error.message));
  });
}

/**
 * Restarts the analysis of the shown position, for example after the user has changed the number of candidate moves to
 * show.
 */
function restartAnalysis() {
  analysedNode = null;
  updateAnalysis();
}

/**
 * Returns the sentence that judges the move before the shown position, as a list of strings and DOM elements. For a bad
 * move, the sentence contains the judgement, the loss in win probability, and a button that plays the best move
 * instead. Returns an empty list if the move was not analysed.
 */
function verdictParts() {
  const node = shownNode();
  const ply = node.parent?.ply;
  if (!ply || ply.move !== node.move || ply.win_probability_after === undefined) return [];
  const mover = t(ply.player);
  const best = ply.candidates[0]?.move;
  if (best === node.move) return [t("chosen", mover)];
  const kept = t("kept", mover, formatPercent(ply.win_probability_best), formatPercent(ply.win_probability_after));
  if (!ply.judgement) return [kept];
  const better = makeButton({ class: "inline", id: "better", onclick: () => playLine([best], node.parent) }, best);
  return [annotation(ply.judgement), " ", t("verdict", t(ply.judgement), mover, term("lost", formatPoints(ply.loss))), better, t("fullStop")];
}

function renderVerdict() {
  const { parent, move } = shownNode();
  $("verdict").replaceChildren(...(state.lesson ? [] : verdictParts()));
  renderReasons($("reasons"), state.lesson ? [] : reasonsToShow(parent?.ply, move), parent?.position);
}

/**
 * Returns the engine's analysis of the position on the board. If this page has searched the position, returns the
 * results of the search (the node's field `findings`); otherwise the analysis from a review or a report (field `ply`);
 * null if there is neither.
 */
const knownAnalysis = () => shownNode().findings ?? shownNode().ply;

/**
 * Updates the analysis panel: the table of candidate moves, each with its win probability, visits and principal
 * variation, and the text on the search's iterations, depth and speed.
 */
function renderCandidates() {
  const findings = knownAnalysis();
  const candidates = (findings?.candidates ?? []).slice(0, state.candidateCount);
  renderMoveTable($("candidates"), candidates.map(({ win_probability: chance, proven, visits, principal_variation: line }) =>
    ({ cells: [proven ? t(chance > 0.5 ? "winsSurely" : "losesSurely") : formatPercent(chance), formatCount(visits)], line })), state.candidateIndex, emphasiseCandidate);
  setText($("effort"), searchProgressText(findings));
}

/**
 * Updates a table in which each row shows two texts and a sequence of moves with a button for each move. Changes
 * existing rows instead of replacing them, so that their buttons can be clicked while a search updates the table.
 * @param {HTMLElement} body the `<tbody>` element of the table
 * @param {{ cells: string[], line: string[] }[]} rows `cells`: the two texts, such as win probability and visits;
 * `line`: the moves, such as `c1 c6 f6`
 * @param {number} [chosen] index of the highlighted row; by default none
 * @param {(index: number) => void} [choose] called with a row's index when the pointer or the focus enters the row
 */
export function renderMoveTable(body, rows, chosen = -1, choose = () => {}) {
  while (body.children.length > rows.length) body.lastChild?.remove();
  rows.forEach((row, rank) => {
    const shown = body.children[rank] ?? newRow(body, () => choose(rank));
    shown.classList.toggle("chosen", rank === chosen);
    fillRow(shown, row);
  });
}

/**
 * Returns a text on the progress of the analysis `findings`: iterations, depth, iterations per second, and whether the
 * winner is proven. If `findings` is null, the text says that there is no analysis. Returns an empty text if the game
 * is over in the shown position.
 */
function searchProgressText(findings) {
  if (!findings || isOver(shownNode().position)) return isOver(shownNode().position) ? "" : t("unknown");
  if (!findings.iterations && findings.candidates.length) return t("counted");
  const speed = findings.ms > 500 ? " " + t("speed", formatCount(Math.round(findings.iterations / findings.ms * 1000))) : "";
  const proven = provenWinner(shownNode()) ? " " + t("proven") : "";
  return t("effort", formatCount(findings.iterations), findings.depth) + speed + proven;
}

function newRow(body, choose) {
  const row = makeElement("tr", {},
    makeElement("td", { class: "number" }), makeElement("td", { class: "number" }), makeElement("td", { class: "line" }, makeElement("div", {})));
  body.append(row);
  row.onpointerenter = choose;
  row.onfocusin = choose;
  return row;
}

/**
 * Makes a candidate move of the analysis stand out: draws it on the board more opaque than the other candidate moves,
 * and highlights its row in the table.
 * @param {number} rank index of the candidate move, from 0 (the best move)
 */
function emphasiseCandidate(rank) {
  if (state.candidateIndex === rank) return;
  state.candidateIndex = rank;
  emitFindings();
}

function fillRow(row, { cells, line }) {
  const [first, second, { firstElementChild: lineCell }] = row.children;
  setText(first, cells[0]);
  setText(second, cells[1]);
  const shown = line.slice(0, 6);
  while (lineCell.children.length > shown.length) lineCell.lastChild.remove();
  shown.forEach((move, at) => {
    const cell = lineCell.children[at] ?? lineCell.appendChild(makeButton({}));
    setText(cell, move);
    const moves = line.slice(0, at + 1);
    cell.onclick = () => playLine(moves);
    // If a table row appears under a pointer at rest, browsers send a `pointermove` event without movement. Such an
    // event is ignored, so that it does not start a preview.
    cell.onpointermove = ({ movementX, movementY }) => (movementX || movementY) && preview(moves);
    cell.onfocus = () => preview(moves);
    cell.onpointerleave = cell.onblur = () => preview([]);
  });
}

/**
 * Shows a preview on the board: the position after a sequence of moves. Leaves the game unchanged. An empty sequence
 * ends the preview.
 * @param {string[]} moves from the shown position on, such as `["c1 c6 f6"]`
 */
function preview(moves) {
  if (state.previewedMoves.join() === moves.join()) return;
  state.previewedMoves = moves;
  state.previewedFrom = null;
  emitFindings();
}

/**
 * Adds a sequence of moves to the game as a variation, and makes the position after the last move the current position.
 * @param {string[]} moves such as `["c1 c6 f6"]`
 * @param {import("./tree.js").GameNode | null} startNode the node before the first move; by default the shown node
 */
function playLine(moves, startNode = shownNode()) {
  if (!startNode) return;
  editStudy(() => goTo(moves.reduce((node, move) => getOrAddChild(node, move), startNode)));
}

function renderControls() {
  $("thinks").hidden = !hasEngine || !canRun;
  $("lines-choice").hidden = $("thinks").hidden;
  $("thinks").setAttribute("aria-pressed", String(state.isAnalysing));
  $("no-engine").hidden = hasEngine;
  $("old-browser").hidden = !hasEngine || canRun;
  $("analysis").hidden = state.tab !== "study" || Boolean(state.lesson || state.editor);
  $("lines").value = String(state.candidateCount);
}

/**
 * Sets up the analysis panel: after every change of the page's state, updates the panel and starts or stops the
 * analysis. Adds the event handlers of the panel's controls.
 */
export function initAnalysis() {
  onChange(() => {
    renderControls();
    renderVerdict();
    renderCandidates();
    updateAnalysis();
  });
  onFindings(renderCandidates);
  $("thinks").onclick = () => {
    state.isAnalysing = !state.isAnalysing;
    goTo(shownNode());
  };
  $("lines").onchange = () => {
    state.candidateCount = Number($("lines").value);
    restartAnalysis();
    goTo(shownNode());
  };
  document.addEventListener("visibilitychange", updateAnalysis);
}
