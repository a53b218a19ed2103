// Shows the engine's analysis of the current position: a verdict on the last move, the best lines, the state of the search.

import { $, button, grouped, make, percent, points, setText } from "./elements.js";
import { say, term } from "./words.js";
import { Ended, canRun, engine, hasEngine } from "./engine.js";
import { editStudy, found, goTo, onChange, onFound, shownNode, state } from "./state.js";
import { isOver } from "./rules.js";
import { certainWinner, child } from "./tree.js";
import { notify } from "./notice.js";
import { reasonsBehind, renderReasons } from "./reasons.js";
import { sign } from "./board.js";

/** Number of iterations after which the analysis of a position stops. */
const ENOUGH = 20_000_000;

/** The position that the engine is analysing, or null. @type {import("./tree.js").GameNode | null} */
let thought = null;

/** Starts the analysis of the current position if the user has switched it on; stops the analysis of any other position. */
function think() {
  const node = shownNode();
  const wanted = state.tab === "study" && state.thinks && !state.isReading && !state.lesson && !state.editor && !document.hidden && !isOver(node.position);
  if (!wanted) {
    if (thought) engine.stop();
    thought = null;
    return;
  }
  if (node === thought) return;
  thought = node;
  const tell = (findings) => {
    if (thought !== node) return;
    node.found = findings;
    found();
  };
  const task = { position: node.position, candidates: Math.max(state.lines, 1), iterations: ENOUGH };
  engine.think(task, tell).then(tell, (error) => {
    if (thought === node) thought = null;
    if (!(error instanceof Ended)) notify(say("engineFailed", error.message));
  });
}

/** Restarts the analysis, for example after the user has changed the number of lines. */
function thinkAnew() {
  thought = null;
  think();
}

/** Returns the parts of the verdict on the last move: its judgement, how much it lost, and a button with the best move. */
function verdict() {
  const node = shownNode();
  const ply = node.parent?.ply;
  if (!ply || ply.move !== node.move || ply.win_probability_after === undefined) return [];
  const mover = say(ply.player);
  const best = ply.candidates[0]?.move;
  if (best === node.move) return [say("chosen", mover)];
  const kept = say("kept", mover, percent(ply.win_probability_best), percent(ply.win_probability_after));
  if (!ply.judgement) return [kept];
  const better = button({ class: "inline", id: "better", onclick: () => follow([best], node.parent) }, best);
  return [sign(ply.judgement), " ", say("verdict", say(ply.judgement), mover, term("lost", points(ply.loss))), better, say("fullStop")];
}

function renderVerdict() {
  const { parent, move } = shownNode();
  $("verdict").replaceChildren(...(state.lesson ? [] : verdict()));
  renderReasons($("reasons"), state.lesson ? [] : reasonsBehind(parent?.ply, move));
}

/** Returns the engine's findings on the current position: from the running search, or else from the saved analysis. */
const known = () => shownNode().found ?? shownNode().ply;

function renderLines() {
  const findings = known();
  const candidates = (findings?.candidates ?? []).slice(0, state.lines);
  renderTable($("candidates"), candidates.map(({ win_probability: chance, proven, visits, principal_variation: line }) =>
    ({ cells: [proven ? say(chance > 0.5 ? "winsSurely" : "losesSurely") : percent(chance), grouped(visits)], line })), state.candidate, choose);
  setText($("effort"), effort(findings));
}

/**
 * Shows lines of moves as rows of a table. Existing rows are updated in place, so that they can be clicked during a search.
 * @param {HTMLElement} body @param {{ cells: string[], line: string[] }[]} rows two numbers and the moves of each line
 * @param {number} [chosen] index of the highlighted row
 * @param {(rank: number) => void} [choose] called with the index of the row under the pointer
 */
export function renderTable(body, rows, chosen = -1, choose = () => {}) {
  while (body.children.length > rows.length) body.lastChild?.remove();
  rows.forEach((row, rank) => {
    const shown = body.children[rank] ?? newRow(body, () => choose(rank));
    shown.classList.toggle("chosen", rank === chosen);
    fillRow(shown, row);
  });
}

function effort(findings) {
  if (!findings || isOver(shownNode().position)) return isOver(shownNode().position) ? "" : say("unknown");
  if (!findings.iterations && findings.candidates.length) return say("counted");
  const speed = findings.ms > 500 ? " " + say("speed", grouped(Math.round(findings.iterations / findings.ms * 1000))) : "";
  const proven = certainWinner(shownNode()) ? " " + say("proven") : "";
  return say("effort", grouped(findings.iterations), findings.depth, grouped(findings.visits)) + speed + proven;
}

function newRow(body, choose) {
  const row = make("tr", {},
    make("td", { class: "number" }), make("td", { class: "number" }), make("td", { class: "line" }));
  body.append(row);
  row.onpointerenter = choose;
  row.onfocusin = choose;
  return row;
}

/** Emphasises the arrow of a line on the board. @param {number} rank index of the line, 0 for the best */
function choose(rank) {
  if (state.candidate === rank) return;
  state.candidate = rank;
  found();
}

function fillRow(row, { cells, line }) {
  const [first, second, lineCell] = row.children;
  setText(first, cells[0]);
  setText(second, cells[1]);
  const shown = line.slice(0, 6);
  while (lineCell.children.length > shown.length) lineCell.lastChild.remove();
  shown.forEach((move, at) => {
    const cell = lineCell.children[at] ?? lineCell.appendChild(button({}));
    setText(cell, move);
    const moves = line.slice(0, at + 1);
    cell.onclick = () => follow(moves);
    // Ignores the event that browsers send when a new row appears under a pointer that has not moved.
    cell.onpointermove = ({ movementX, movementY }) => (movementX || movementY) && point(moves);
    cell.onfocus = () => point(moves);
    cell.onpointerleave = cell.onblur = () => point([]);
  });
}

/** Previews the position after a sequence of moves on the board; an empty sequence ends the preview. @param {string[]} moves */
function point(moves) {
  if (state.pointed.join() === moves.join()) return;
  state.pointed = moves;
  found();
}

/**
 * Adds the moves of a line to the game as a variation, and shows the last position.
 * @param {string[]} moves @param {import("./tree.js").GameNode | null} from
 */
function follow(moves, from = shownNode()) {
  if (!from) return;
  editStudy(() => goTo(moves.reduce((node, move) => child(node, move), from)));
}

function renderControls() {
  $("thinks").hidden = !hasEngine || !canRun;
  $("lines-choice").hidden = $("thinks").hidden;
  $("thinks").setAttribute("aria-pressed", String(state.thinks));
  $("no-engine").hidden = hasEngine;
  $("old-browser").hidden = !hasEngine || canRun;
  $("analysis").hidden = state.tab !== "study" || Boolean(state.lesson || state.editor);
  $("lines").value = String(state.lines);
}

/** Sets up the analysis panel: updates it at every change, runs the engine, and adds the event handlers of its controls. */
export function showLines() {
  onChange(() => {
    renderControls();
    renderVerdict();
    renderLines();
    think();
  });
  onFound(renderLines);
  $("thinks").onclick = () => {
    state.thinks = !state.thinks;
    goTo(shownNode());
  };
  $("lines").onchange = () => {
    state.lines = Number($("lines").value);
    thinkAnew();
    goTo(shownNode());
  };
  document.addEventListener("visibilitychange", think);
}
