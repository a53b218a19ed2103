// The review of a game by the engine, in a worker of its own: accuracy, mistakes, turning points; and the table of open games.

import { $, button, make, points, setOptions, setText } from "./elements.js";
import { say, sayEnding, term } from "./words.js";
import { Ended, Engine, canRun, hasEngine } from "./engine.js";
import { changed, game, goTo, onChange, openStudy, shownNode, state } from "./state.js";
import { isOver, other } from "./rules.js";
import { isFromStart, isThere, attachAnalysis, mainLine, nodesOf, numberOf } from "./tree.js";
import { judgementOf } from "./moves.js";
import { notify } from "./notice.js";
import { revealBoard, sign } from "./board.js";

/** Size of the review's search tree in MiB; enough for 100,000 iterations. */
const MEMORY_MB = 64;

/** Maximum number of nodes that the solver expands per position, so that a position takes seconds at most. */
const NODES_TO_SOLVE = 20_000;

/** Choices of the number of search iterations per position of a review. */
const EFFORTS = [1000, 10_000, 30_000, 100_000];
const USUAL_EFFORT = 10_000;

const reviewer = new Engine();

/**
 * The running review, or null: number of positions searched and to search (`of`). When the search is complete, the solver runs
 * and `toSolve` is the number of positions left for it.
 * @type {{ game: import("./tree.js").Game, searched: number, of: number, toSolve: number | null } | null}
 */
let running = null;

/** Returns the selected number of search iterations per position. */
const effort = () => Number($("review-effort").value || USUAL_EFFORT);

/**
 * Asks the review's engine a question, with the selected number of iterations as default.
 * @param {object} question @returns {Promise<any>}
 */
export const askReviewer = (question) => reviewer.ask({ iterations: effort(), candidates: 5, memory_mb: MEMORY_MB, ...question });

/**
 * Searches a position with the review's engine and an empty tree; returns the four best moves.
 * @param {import("./rules.js").Position} position @param {number} iterations
 */
export const searchDeep = (position, iterations) => reviewer.think({ position, iterations, candidates: 4, afresh: true });

/** Reviews the main line of the current game, and shows the results after each position. */
export async function review() {
  const reviewed = game();
  const line = mainLine(reviewed);
  const nodes = nodesOf(reviewed, (node) => line.includes(node));
  const run = { game: reviewed, searched: 0, of: line.length, toSolve: /** @type {number | null} */ (null) };
  running = run;
  changed();
  try {
    await askReviewer({ ask: "review", title: reviewed.title, nodes, nodes_to_solve: NODES_TO_SOLVE });
    while (run.searched < run.of || run.toSolve !== null) {
      const analysis = await reviewer.ask({ ask: "next" });
      // If the user has deleted moves of the reviewed line, the review ends.
      if (!isThere(line[line.length - 1])) break;
      attachAnalysis(reviewed, analysis, line);
      Object.assign(run, { searched: analysis.searched, of: analysis.of, toSolve: analysis.searched < analysis.of ? null : analysis.to_solve });
      changed();
    }
  } catch (error) {
    if (!(error instanceof Ended)) notify(say("engineFailed", error.message));
  }
  // If another review has started, the variable belongs to that review.
  if (running === run) running = null;
  changed();
}

/** Returns the positions after each inaccuracy, mistake or blunder of the reviewed line. */
export const mistakes = (/** @type {import("./tree.js").Game} */ { reviewed }) => reviewed.filter(judgementOf);

/** Shows the nearest mistake before or after the current position. @param {1 | -1} direction 1 for later, -1 for earlier */
function toMistake(direction) {
  const all = mistakes(game());
  const isBeyond = (node) => direction * (node.depth - shownNode().depth) > 0;
  const next = direction > 0 ? all.find(isBeyond) : all.reverse().find(isBeyond);
  if (next) showPosition(next);
}

/** Shows a position and scrolls to the board. @param {import("./tree.js").GameNode} node */
function showPosition(node) {
  goTo(node);
  revealBoard();
}

// ---- Panel with the review's results

function renderRun() {
  const isRunning = running?.game === game();
  $("review-run").textContent = isRunning ? say("stop") : say("reviewGame");
  $("review-run").hidden = !hasEngine || !canRun;
  $("review-run").disabled = !isFromStart(game()) || mainLine(game()).length < 2;
  $("review-effort").hidden = $("review-run").hidden || isRunning;
  setText($("review-note"), isFromStart(game()) ? "" : say("reviewFromStart"));
  $("review-progress").hidden = !isRunning;
  if (running) {
    setText($("review-progress-text"), running.toSolve === null ? say("reviewing", running.searched, running.of) : say("solving", running.toSolve));
    [$("review-meter").value, $("review-meter").max] = [running.searched, running.of];
  }
}

function renderReview() {
  const { summary, reviewed: line, names } = game();
  const all = mistakes(game());
  for (const id of ["mistake-steps", "mistakes"]) $(id).hidden = !summary;
  $("mistake-previous").disabled = !all.some((node) => node.depth < shownNode().depth);
  $("mistake-next").disabled = !all.some((node) => node.depth > shownNode().depth);
  $("lesson-start").disabled = !all.length || Boolean(running);
  setText($("no-mistakes"), summary && !running && !all.length ? say("noMistakes") : "");
  if (!summary) {
    $("moments").replaceChildren();
    return;
  }
  const { review: found } = summary;
  const sides = /** @type {const} */ (["black", "white"]).map((player) => side(found[player], names[player] ?? say(player), player, line));
  const turning = found.turning_points.map(({ ply, leader }) => jump(line[ply], say("leads", say(leader))));
  const parts = [make("div", { class: "sides" }, ...sides)];
  if (turning.length) parts.push(make("h3", {}, say("turningPoints")), make("ul", { class: "jumps turning" }, ...turning));
  if (summary.solved) parts.push(make("h3", {}, say("solvedEnd")), ...solvedEnd(summary.solved, line));
  $("moments").replaceChildren(...parts);
}

/**
 * Returns a player's part of the review: accuracy and a list of the mistakes, or of the worst moves if there are no mistakes.
 */
function side({ accuracy, moves, inaccuracies, mistakes: wrong, blunders, biggest }, name, player, line) {
  const isKnown = accuracy !== null;
  const judged = line.filter((node) => judgementOf(node) && node.parent?.position.toMove === player);
  const listed = judged.length ? judged : biggest.map((ply) => line[ply]);
  const jumps = listed.map((node) => {
    const { loss, candidates } = node.parent.ply;
    return jump(node, [term("lost", points(loss)), term("better", candidates[0].move)].join(say("and")));
  });
  const counts = [term("inaccuracies", inaccuracies), term("mistakes", wrong), term("blunders", blunders)];
  return make("div", {},
    make("h3", {}, name),
    make("div", { class: "accuracy" }, isKnown ? accuracy.toFixed(1) : "–"),
    make("p", { class: "note" }, isKnown ? say("accuracyOf", term("accuracy"), moves) : say("noneCounts")),
    make("p", { class: "note" }, counts.join(say("and"))),
    make("ul", { class: "jumps" }, ...jumps));
}

/**
 * Returns the solver's results: the ply at which the game was decided, the loser's last chance to win, the moves that gave a
 * win away.
 */
function solvedEnd({ decided, solved_after: from, thrown }, line) {
  if (!decided) return [make("p", {}, say("openEnd"))];
  const { winner, after, last_chance: chance } = decided;
  const loser = say(other(winner));
  const told = [say("decidedAfter", after, say(winner)), chance === null ? say("noChance", loser, from) : say("lastChance", loser, chance)];
  const jumps = thrown.map(({ ply }) => jump(line[ply], say("threwAway")));
  return [...told.map((text) => make("p", {}, text)), make("ul", { class: "jumps thrown" }, ...jumps)];
}

/** Returns a list item whose button shows a position. @param {any} node @param {string} why text below the move */
function jump(node, why) {
  if (!node) return make("li");
  const judgement = judgementOf(node);
  const parts = [make("span", {}, `${numberOf(node)} ${node.move} `, ...(judgement ? [sign(judgement)] : [])), make("small", {}, why)];
  return make("li", {}, button({ onclick: () => showPosition(node), "data-node": node.id }, ...parts));
}

// ---- Result of a game, table of all open games

/** Returns the winner and the reason as text, or that the game is unfinished. @param {import("./tree.js").Game} ended */
export function outcomeOf(ended) {
  const end = ended.summary?.winner ? ended.summary : ended.end;
  const lost = (loser, ending) => say("namely", say("won", say(other(loser))), sayEnding(ending, say(loser)));
  if (end) return lost(other(end.winner), end.ending);
  const line = mainLine(ended);
  const { position } = line[line.length - 1];
  if (!isOver(position)) return say("running");
  return lost(position.toMove, "no move");
}

/** Returns a game's title: the players' names, or else the name of its file. @param {import("./tree.js").Game} named */
export function titleOf(named) {
  const { black, white } = named.names;
  if (black || white) return `${black ?? say("black")} – ${white ?? say("white")}`;
  return named.title || say("page");
}

function renderOverview() {
  $("overview").hidden = state.tab !== "study" || state.collection.length < 2;
  $("games").hidden = $("overview").hidden;
  if ($("overview").hidden) return;
  setOptions($("games"), state.collection.map((one, at) => [at, `${at + 1}. ${titleOf(one)}`]));
  $("games").value = String(state.collection.indexOf(state.games.study));
  $("overview-rows").replaceChildren(...state.collection.map((one, at) => overviewRow(one, at)));
}

function overviewRow(one, at) {
  const accuracy = (player) => one.summary?.review[player].accuracy?.toFixed(1) ?? "–";
  const open = button({ onclick: () => openStudy(one), "data-node": one.root.id, "aria-current": String(one === game()) }, `${at + 1}. ${titleOf(one)}`);
  const numbers = [String(mainLine(one).length - 1), accuracy("black"), accuracy("white")];
  return make("tr", {}, make("td", {}, open), make("td", {}, outcomeOf(one)), ...numbers.map((number) => make("td", { class: "number" }, number)));
}

/** Sets up the review panel and the table of games, and adds the event handlers of their buttons. */
export function showReview() {
  onChange(() => {
    const efforts = EFFORTS.map((number) => [number, say("iterations", number.toLocaleString("en"))]);
    setOptions($("review-effort"), efforts);
    renderRun();
    renderReview();
    renderOverview();
  });
  $("review-effort").append(make("option", { value: USUAL_EFFORT, selected: "" }));
  $("review-run").onclick = () => {
    const isOwn = running?.game === game();
    if (running) reviewer.end();
    if (!isOwn) review();
  };
  $("mistake-previous").onclick = () => toMistake(-1);
  $("mistake-next").onclick = () => toMistake(1);
  $("games").onchange = () => {
    openStudy(state.collection[Number($("games").value)]);
    // Removes the focus from the list of games, so that the arrow keys step through the moves.
    $("games").blur();
  };
}

