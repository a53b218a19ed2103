// The review of a game by the engine, in a worker of its own: accuracy, mistakes, turning points; and the table of open
// games.

import { $, formatPoints, makeButton, makeElement, setOptions, setText } from "./dom.js";
import { endingText, t, term } from "./texts.js";
import { Engine, EngineTerminated, canRun, hasEngine } from "./engine.js";
import { emitChange, game, goTo, onChange, openStudy, shownNode, state } from "./state.js";
import { isOver, opponentOf } from "./rules.js";
import { storeAnalysis, isFromStart, isInGame, mainLine, moveNumber, recordNodes } from "./tree.js";
import { judgementOf } from "./moves.js";
import { notify } from "./notice.js";
import { annotation, revealBoard } from "./board.js";

/** Size of the review's search tree in MiB; enough for 100,000 iterations. */
const MEMORY_MB = 64;

/**
 * Maximum number of nodes that the solver expands per position, so that solving a position takes a few seconds at most.
 */
const MAX_SOLVER_NODES = 20_000;

/** Numbers of search iterations per position that the user can choose for a review. */
const ITERATION_CHOICES = [1000, 10_000, 30_000, 100_000];
/** Default number of search iterations per position of a review. */
const DEFAULT_ITERATIONS = 10_000;

/**
 * Engine for reviews, lessons, warnings and puzzles, in a web worker of its own: it does not delay the engine that
 * plays.
 */
const reviewer = new Engine();

/**
 * The running review, or null: its game, the number of positions `searched` so far and to search in all (`of`), and in
 * `toSolve` the next position to solve, as a number of plies from the start (null while positions are searched and at
 * the end).
 * @type {{ game: import("./tree.js").Game, searched: number, of: number, toSolve: number | null } | null}
 */
let runningReview = null;

/** Returns the number of search iterations per position that the user has selected. */
const iterationsPerPosition = () => Number($("review-effort").value || DEFAULT_ITERATIONS);

/**
 * Sends a request to the reviewing engine; returns a promise of the response. Defaults: the selected number of
 * iterations, five candidate moves, and `MEMORY_MB` of memory.
 * @param {object} request @returns {Promise<any>}
 */
export const askReviewer = (request) => reviewer.ask({ iterations: iterationsPerPosition(), candidates: 5, memory_mb: MEMORY_MB, ...request });

/**
 * Searches a position with the engine for reviews, from an empty tree; returns a promise of the results with four
 * candidate moves.
 * @param {import("./rules.js").Position} position @param {number} iterations
 */
export const searchDeep = (position, iterations) => reviewer.search({ position, iterations, candidates: 4, afresh: true });

/** Reviews the main line of the current game, and shows the results so far after each position. */
export async function review() {
  const reviewed = game();
  const line = mainLine(reviewed);
  const nodes = recordNodes(reviewed, (node) => line.includes(node));
  const run = { game: reviewed, searched: 0, of: line.length, toSolve: /** @type {number | null} */ (null) };
  runningReview = run;
  emitChange();
  try {
    await askReviewer({ ask: "review", title: reviewed.title, nodes, nodes_to_solve: MAX_SOLVER_NODES });
    while (run.searched < run.of || run.toSolve !== null) {
      const analysis = await reviewer.ask({ ask: "next" });
      // The review ends if the user has deleted moves of the reviewed line.
      if (!isInGame(line[line.length - 1])) break;
      storeAnalysis(reviewed, analysis, line);
      Object.assign(run, { searched: analysis.searched, of: analysis.of, toSolve: analysis.searched < analysis.of ? null : analysis.to_solve });
      emitChange();
    }
  } catch (error) {
    if (!(error instanceof EngineTerminated)) notify(t("engineFailed", error.message));
  }
  // Another review may have started meanwhile; the variable then belongs to that review.
  if (runningReview === run) runningReview = null;
  emitChange();
}

/** Returns the nodes after all inaccuracies, mistakes and blunders of a game's reviewed line. */
export const mistakesOf = (/** @type {import("./tree.js").Game} */ { reviewed }) => reviewed.filter(judgementOf);

/**
 * Shows the position after the nearest mistake before or after the current position; does nothing if there is none.
 * @param {1 | -1} direction 1 for later, −1 for earlier
 */
function goToMistake(direction) {
  const all = mistakesOf(game());
  const isBeyond = (node) => direction * (node.depth - shownNode().depth) > 0;
  const next = direction > 0 ? all.find(isBeyond) : all.reverse().find(isBeyond);
  if (next) showNode(next);
}

/** Shows a node's position and scrolls to the board. @param {import("./tree.js").GameNode} node */
function showNode(node) {
  goTo(node);
  revealBoard();
}

// ---- Panel with the review's results

/**
 * Updates the controls of the review: the button that starts or stops it, the number of iterations, and the progress
 * bar.
 */
function renderRun() {
  const isRunning = runningReview?.game === game();
  $("review-run").textContent = isRunning ? t("stop") : t("reviewGame");
  $("review-run").hidden = !hasEngine || !canRun;
  $("review-run").disabled = !isFromStart(game()) || mainLine(game()).length < 2;
  $("review-effort").hidden = $("review-run").hidden || isRunning;
  setText($("review-note"), isFromStart(game()) ? "" : t("reviewFromStart"));
  $("review-progress").hidden = !isRunning;
  if (runningReview) {
    setText($("review-progress-text"), runningReview.toSolve === null ? t("reviewing", runningReview.searched, runningReview.of) : t("solving", runningReview.toSolve));
    [$("review-meter").value, $("review-meter").max] = [runningReview.searched, runningReview.of];
  }
}

/** Updates the results of the review: accuracy, mistakes, turning points and solved end. */
function renderReview() {
  const { summary, reviewed: line, names } = game();
  const all = mistakesOf(game());
  for (const id of ["mistake-steps", "mistakes"]) $(id).hidden = !summary;
  $("mistake-previous").disabled = !all.some((node) => node.depth < shownNode().depth);
  $("mistake-next").disabled = !all.some((node) => node.depth > shownNode().depth);
  $("lesson-start").disabled = !all.length || Boolean(runningReview);
  setText($("no-mistakes"), summary && !runningReview && !all.length ? t("noMistakes") : "");
  if (!summary) {
    $("review-results").replaceChildren();
    return;
  }
  const { review: results } = summary;
  const sides = /** @type {const} */ (["black", "white"]).map((player) => sideResults(results[player], names[player] ?? t(player), player, line));
  const turning = results.turning_points.map(({ ply, leader }) => jumpItem(line[ply], t("leads", t(leader))));
  const parts = [makeElement("div", { class: "sides" }, ...sides)];
  if (turning.length) parts.push(makeElement("h3", {}, t("turningPoints")), makeElement("ul", { class: "jumps turning" }, ...turning));
  if (summary.solved) parts.push(makeElement("h3", {}, t("solvedEnd")), ...solverResults(summary.solved, line));
  $("review-results").replaceChildren(...parts);
}

/**
 * Returns one player's results of the review: the accuracy in percent, and buttons to the mistakes, or to the moves
 * with the largest losses if there are no mistakes.
 */
function sideResults({ accuracy, moves, inaccuracies, mistakes: wrong, blunders, biggest }, name, player, line) {
  const isKnown = accuracy !== null;
  const judged = line.filter((node) => judgementOf(node) && node.parent?.position.toMove === player);
  const listed = judged.length ? judged : biggest.map((ply) => line[ply]);
  const jumps = listed.map((node) => {
    const { loss, candidates } = node.parent.ply;
    return jumpItem(node, [term("lost", formatPoints(loss)), term("better", candidates[0].move)].join(t("and")));
  });
  const counts = [term("inaccuracies", inaccuracies), term("mistakes", wrong), term("blunders", blunders)];
  return makeElement("div", {},
    makeElement("h3", {}, name),
    makeElement("div", { class: "accuracy" }, isKnown ? accuracy.toFixed(1) : "–"),
    makeElement("p", { class: "note" }, isKnown ? t("accuracyOf", term("accuracy"), moves) : t("noneCounts")),
    makeElement("p", { class: "note" }, counts.join(t("and"))),
    makeElement("ul", { class: "jumps" }, ...jumps));
}

/**
 * Returns the solver's results as elements: after how many plies the game was decided, when the loser could last have
 * won, and the moves that turned a proven win into a loss.
 */
function solverResults({ decided, solved_after: from, thrown }, line) {
  if (!decided) return [makeElement("p", {}, t("openEnd"))];
  const { winner, after, last_chance: chance } = decided;
  const loser = t(opponentOf(winner));
  const sentences = [t("decidedAfter", after, t(winner)), chance === null ? t("noChance", loser, from) : t("lastChance", loser, chance)];
  const jumps = thrown.map(({ ply }) => jumpItem(line[ply], t("threwAway")));
  return [...sentences.map((text) => makeElement("p", {}, text)), makeElement("ul", { class: "jumps thrown" }, ...jumps)];
}

/**
 * Returns a list item with a button that shows a node's position; empty if there is no node.
 * @param {any} node @param {string} why text below the move
 */
function jumpItem(node, why) {
  if (!node) return makeElement("li");
  const judgement = judgementOf(node);
  const parts = [makeElement("span", {}, `${moveNumber(node)} ${node.move} `, ...(judgement ? [annotation(judgement)] : [])), makeElement("small", {}, why)];
  return makeElement("li", {}, makeButton({ onclick: () => showNode(node), "data-node": node.id }, ...parts));
}

// ---- Result of a game, table of all open games

/**
 * Returns a text on a game's result: the winner and how the game ended, or that the game is unfinished.
 * @param {import("./tree.js").Game} ended
 */
export function outcomeOf(ended) {
  const end = ended.summary?.winner ? ended.summary : ended.end;
  const lost = (loser, ending) => t("namely", t("won", t(opponentOf(loser))), endingText(ending, t(loser)));
  if (end) return lost(opponentOf(end.winner), end.ending);
  const line = mainLine(ended);
  const { position } = line[line.length - 1];
  if (!isOver(position)) return t("running");
  return lost(position.toMove, "no move");
}

/**
 * Returns a game's title: the players' names, or else the name of its file, or else “Amazons”.
 * @param {import("./tree.js").Game} named
 */
export function titleOf(named) {
  const { black, white } = named.names;
  if (black || white) return `${black ?? t("black")} – ${white ?? t("white")}`;
  return named.title || t("page");
}

/** Updates the table of all open games, which is hidden if there are fewer than two. */
function renderOverview() {
  $("overview").hidden = state.tab !== "study" || state.collection.length < 2;
  $("games").hidden = $("overview").hidden;
  if ($("overview").hidden) return;
  setOptions($("games"), state.collection.map((one, at) => [at, `${at + 1}. ${titleOf(one)}`]));
  $("games").value = String(state.collection.indexOf(state.games.study));
  $("overview-rows").replaceChildren(...state.collection.map((one, at) => overviewRow(one, at)));
}

/** Returns a row of the table of open games: title, result, number of plies, and both players' accuracies. */
function overviewRow(one, at) {
  const accuracy = (player) => one.summary?.review[player].accuracy?.toFixed(1) ?? "–";
  const open = makeButton({ onclick: () => openStudy(one), "data-node": one.root.id, "aria-current": String(one === game()) }, `${at + 1}. ${titleOf(one)}`);
  const numbers = [String(mainLine(one).length - 1), accuracy("black"), accuracy("white")];
  return makeElement("tr", {}, makeElement("td", {}, open), makeElement("td", {}, outcomeOf(one)), ...numbers.map((number) => makeElement("td", { class: "number" }, number)));
}

/** Sets up the review panel and the table of open games: updates both at every change, and adds the event handlers. */
export function initReview() {
  onChange(() => {
    const efforts = ITERATION_CHOICES.map((number) => [number, t("iterations", number.toLocaleString("en"))]);
    setOptions($("review-effort"), efforts);
    renderRun();
    renderReview();
    renderOverview();
  });
  $("review-effort").append(makeElement("option", { value: DEFAULT_ITERATIONS, selected: "" }));
  $("review-run").onclick = () => {
    const isOwn = runningReview?.game === game();
    if (runningReview) reviewer.terminate();
    if (!isOwn) review();
  };
  $("mistake-previous").onclick = () => goToMistake(-1);
  $("mistake-next").onclick = () => goToMistake(1);
  $("games").onchange = () => {
    openStudy(state.collection[Number($("games").value)]);
    // Without the focus on the list of games, the arrow keys step through the moves.
    $("games").blur();
  };
}

