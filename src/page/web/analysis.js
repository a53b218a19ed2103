// Shows the engine's analysis of the current position: a verdict on the last move, the best lines, the state of the
// search.

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
 * The node that the engine is analysing; null while the analysis is off.
 * @type {import("./tree.js").GameNode | null}
 */
let analysedNode = null;

/**
 * Starts the analysis of the current position if the user has switched the analysis on; stops the analysis of an
 * earlier position.
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
  const task = { position: node.position, candidates: Math.max(state.lineCount, 1), iterations: MAX_ITERATIONS };
  engine.search(task, report).then(report, (error) => {
    if (analysedNode === node) analysedNode = null;
    if (!(error instanceof EngineTerminated)) notify(t("engineFailed", error.message));
  });
}

/** Restarts the analysis of the current position, for example after the user has changed the number of lines. */
function restartAnalysis() {
  analysedNode = null;
  updateAnalysis();
}

/**
 * Returns texts and buttons on the last move: its judgement, its loss in win probability, and a button that plays the
 * best move. Empty if the move was not analysed.
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

/** Returns the analysis of the current position: that of the latest search if there is one, else that of the review. */
const knownFindings = () => shownNode().findings ?? shownNode().ply;

/** Updates the table of candidate moves with their principal variations, and the text on the search's state. */
function renderLines() {
  const findings = knownFindings();
  const candidates = (findings?.candidates ?? []).slice(0, state.lineCount);
  renderLineTable($("candidates"), candidates.map(({ win_probability: chance, proven, visits, principal_variation: line }) =>
    ({ cells: [proven ? t(chance > 0.5 ? "winsSurely" : "losesSurely") : formatPercent(chance), formatCount(visits)], line })), state.candidate, emphasise);
  setText($("effort"), searchStatus(findings));
}

/**
 * Shows sequences of moves as rows of a table, with a button for each move. Updates existing rows in place, so that
 * they can be clicked during a search.
 * @param {HTMLElement} body the table's body
 * @param {{ cells: string[], line: string[] }[]} rows the texts of the two number cells, and the moves of each row
 * @param {number} [chosen] index of the highlighted row
 * @param {(rank: number) => void} [choose] called with the index of the row under the pointer
 */
export function renderLineTable(body, rows, chosen = -1, choose = () => {}) {
  while (body.children.length > rows.length) body.lastChild?.remove();
  rows.forEach((row, rank) => {
    const shown = body.children[rank] ?? newRow(body, () => choose(rank));
    shown.classList.toggle("chosen", rank === chosen);
    fillRow(shown, row);
  });
}

/** Returns a text on the state of the search: iterations, depth, visits and speed. */
function searchStatus(findings) {
  if (!findings || isOver(shownNode().position)) return isOver(shownNode().position) ? "" : t("unknown");
  if (!findings.iterations && findings.candidates.length) return t("counted");
  const speed = findings.ms > 500 ? " " + t("speed", formatCount(Math.round(findings.iterations / findings.ms * 1000))) : "";
  const proven = provenWinner(shownNode()) ? " " + t("proven") : "";
  return t("effort", formatCount(findings.iterations), findings.depth, formatCount(findings.visits)) + speed + proven;
}

function newRow(body, choose) {
  const row = makeElement("tr", {},
    makeElement("td", { class: "number" }), makeElement("td", { class: "number" }), makeElement("td", { class: "line" }));
  body.append(row);
  row.onpointerenter = choose;
  row.onfocusin = choose;
  return row;
}

/**
 * Emphasises a candidate move's arrow on the board.
 * @param {number} rank index of the candidate, 0 for the best move
 */
function emphasise(rank) {
  if (state.candidate === rank) return;
  state.candidate = rank;
  emitFindings();
}

function fillRow(row, { cells, line }) {
  const [first, second, lineCell] = row.children;
  setText(first, cells[0]);
  setText(second, cells[1]);
  const shown = line.slice(0, 6);
  while (lineCell.children.length > shown.length) lineCell.lastChild.remove();
  shown.forEach((move, at) => {
    const cell = lineCell.children[at] ?? lineCell.appendChild(makeButton({}));
    setText(cell, move);
    const moves = line.slice(0, at + 1);
    cell.onclick = () => playLine(moves);
    // Ignores the event that browsers send if a new row appears under a resting pointer.
    cell.onpointermove = ({ movementX, movementY }) => (movementX || movementY) && preview(moves);
    cell.onfocus = () => preview(moves);
    cell.onpointerleave = cell.onblur = () => preview([]);
  });
}

/**
 * Shows the position after a sequence of moves on the board without playing them; an empty sequence ends the preview.
 * @param {string[]} moves
 */
function preview(moves) {
  if (state.previewedMoves.join() === moves.join()) return;
  state.previewedMoves = moves;
  state.previewedFrom = null;
  emitFindings();
}

/**
 * Adds a sequence of moves to the game as a variation, and shows the position after the last move.
 * @param {string[]} moves @param {import("./tree.js").GameNode | null} from the node before the first move
 */
function playLine(moves, from = shownNode()) {
  if (!from) return;
  editStudy(() => goTo(moves.reduce((node, move) => getOrAddChild(node, move), from)));
}

function renderControls() {
  $("thinks").hidden = !hasEngine || !canRun;
  $("lines-choice").hidden = $("thinks").hidden;
  $("thinks").setAttribute("aria-pressed", String(state.isAnalysing));
  $("no-engine").hidden = hasEngine;
  $("old-browser").hidden = !hasEngine || canRun;
  $("analysis").hidden = state.tab !== "study" || Boolean(state.lesson || state.editor);
  $("lines").value = String(state.lineCount);
}

/**
 * Sets up the analysis panel: updates the panel and the engine's task at every change, and adds the event handlers of
 * its controls.
 */
export function initAnalysis() {
  onChange(() => {
    renderControls();
    renderVerdict();
    renderLines();
    updateAnalysis();
  });
  onFindings(renderLines);
  $("thinks").onclick = () => {
    state.isAnalysing = !state.isAnalysing;
    goTo(shownNode());
  };
  $("lines").onchange = () => {
    state.lineCount = Number($("lines").value);
    restartAnalysis();
    goTo(shownNode());
  };
  document.addEventListener("visibilitychange", updateAnalysis);
}
