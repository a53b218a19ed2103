// The review of a game by a second engine (`review`), and the panel with its results: accuracy, mistakes and turning
// points. Also the table of the open games.

import { $, formatPoints, makeButton, makeElement, setOptions, setText } from "./dom.js";
import { endingText, t, term } from "./texts.js";
import { Engine, EngineTerminated, canRun, hasEngine } from "./engine.js";
import { emitChange, game, goTo, onChange, openStudy, shownNode, state } from "./state.js";
import { isOver, opponentOf } from "./rules.js";
import { storeAnalysis, isFromStart, isInGame, mainLine, moveNumber, recordNodes } from "./tree.js";
import { judgementOf } from "./moves.js";
import { notify } from "./notice.js";
import { annotation, revealBoard } from "./board.js";

/** Size in MiB of the search tree of the engine for reviews; enough for 100,000 iterations. */
const MEMORY_MB = 64;

/**
 * Maximum number of nodes that the solver expands for a position. It limits the time for a position to a few seconds.
 */
const MAX_SOLVER_NODES = 20_000;

/** Numbers of search iterations per position among which the user can choose for a review. */
const ITERATION_CHOICES = [1000, 10_000, 30_000, 100_000];
/** Default number of search iterations per position of a review. */
const DEFAULT_ITERATIONS = 10_000;

/**
 * Second engine, in a web worker of its own, for reviews, lessons, warnings and puzzles. Its searches do not delay the
 * engine that plays the bots' moves.
 */
const reviewer = new Engine();

/**
 * State of the running review; null if none is running:
 * - `game`: the reviewed game;
 * - `searched`, `of`: numbers of positions searched so far, and to search in all;
 * - `toSolve`: the next position to solve, as a number of plies from the start; null before all positions are searched,
 *   and after all are solved.
 * @type {{ game: import("./tree.js").Game, searched: number, of: number, toSolve: number | null } | null}
 */
let runningReview = null;

/** Returns the number of search iterations per position that the user has selected for reviews. */
const iterationsPerPosition = () => Number($("review-effort").value || DEFAULT_ITERATIONS);

/**
 * Sends a request to the engine for reviews, and returns a promise of the response. Unless the request says otherwise,
 * the engine searches with the number of iterations that the user has selected, `MEMORY_MB` of memory and five
 * candidate moves.
 * @param {object} request one of the requests of ../engine/request.rs @returns {Promise<any>}
 */
export const askReviewer = (request) => reviewer.ask({ iterations: iterationsPerPosition(), candidates: 5, memory_mb: MEMORY_MB, ...request });

/**
 * Searches a position with the engine for reviews, starting from an empty search tree. Returns a promise of the results
 * with four candidate moves.
 * @param {import("./rules.js").Position} position @param {number} iterations number of search iterations
 */
export const searchDeep = (position, iterations) => reviewer.search({ position, iterations, candidates: 4, afresh: true });

/**
 * Reviews the main line of the current game: searches and solves one position after the other, and shows the results so
 * far after each.
 */
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
      // The user may have deleted moves of the reviewed line meanwhile. The review then ends.
      if (!isInGame(line[line.length - 1])) break;
      storeAnalysis(reviewed, analysis, line);
      Object.assign(run, { searched: analysis.searched, of: analysis.of, toSolve: analysis.searched < analysis.of ? null : analysis.to_solve });
      emitChange();
    }
  } catch (error) {
    if (!(error instanceof EngineTerminated)) notify(t("engineFailed", error.message));
  }
  // If the user has started another review meanwhile, `runningReview` is the state of that review and is not changed.
  if (runningReview === run) runningReview = null;
  emitChange();
}

/** Returns the nodes after the inaccuracies, mistakes and blunders of both players in a game's reviewed line. */
export const mistakesOf = (/** @type {import("./tree.js").Game} */ { reviewed }) => reviewed.filter(judgementOf);

/**
 * Shows the position after the nearest inaccuracy, mistake or blunder before or after the current position. Does
 * nothing if there is none.
 * @param {1 | -1} direction 1 for later in the game, −1 for earlier
 */
function goToMistake(direction) {
  const all = mistakesOf(game());
  const isBeyond = (node) => direction * (node.depth - shownNode().depth) > 0;
  const next = direction > 0 ? all.find(isBeyond) : all.reverse().find(isBeyond);
  if (next) showNode(next);
}

/** Shows the position of a node and scrolls to the board. @param {import("./tree.js").GameNode} node */
function showNode(node) {
  goTo(node);
  revealBoard();
}

// ---- Panel with the review's results

/**
 * Updates the controls of the review: the button that starts or stops it, the choice of the number of iterations, and
 * the progress bar.
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

/**
 * Updates the panel with the results of the review: accuracy, mistakes, turning points, and the results of the solver.
 */
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
 * Returns an element with the review's results for one player: the accuracy in percent, and buttons that show the
 * positions after the player's mistakes. If there are no mistakes, the buttons show the moves with the largest losses
 * (`biggest`).
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
 * Returns elements with the results of the solver: after how many plies the winner was certain, when the loser could
 * have won for the last time, and the moves (`thrown`) by which a player lost a proven win.
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
 * Returns an `<li>` element with a button that shows the position of a node; an empty element if `node` is undefined.
 * @param {any} node @param {string} why text below the move that led to the node
 */
function jumpItem(node, why) {
  if (!node) return makeElement("li");
  const judgement = judgementOf(node);
  const parts = [makeElement("span", {}, `${moveNumber(node)} ${node.move} `, ...(judgement ? [annotation(judgement)] : [])), makeElement("small", {}, why)];
  return makeElement("li", {}, makeButton({ onclick: () => showNode(node), "data-node": node.id }, ...parts));
}

// ---- Result of a game, table of all open games

/**
 * Returns a text on the result of a game: the winner and how the game ended, or that it is unfinished.
 * @param {import("./tree.js").Game} ended the game, finished or not
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
 * Returns the title of a game to display: the players' names if one is known, or else the name of its file, or else
 * “Amazons”.
 * @param {import("./tree.js").Game} named the game
 */
export function titleOf(named) {
  const { black, white } = named.names;
  if (black || white) return `${black ?? t("black")} – ${white ?? t("white")}`;
  return named.title || t("page");
}

/**
 * Updates the table of the games that are open in the "Study" tab. The table is hidden if there are fewer than two
 * games.
 */
function renderOverview() {
  $("overview").hidden = state.tab !== "study" || state.collection.length < 2;
  $("games").hidden = $("overview").hidden;
  if ($("overview").hidden) return;
  setOptions($("games"), state.collection.map((one, at) => [at, `${at + 1}. ${titleOf(one)}`]));
  $("games").value = String(state.collection.indexOf(state.games.study));
  $("overview-rows").replaceChildren(...state.collection.map((one, at) => overviewRow(one, at)));
}

/**
 * Returns the row of a game in the table of open games: title, result, number of plies, and both players' accuracies in
 * percent. `at` is the index of the row from 0.
 */
function overviewRow(one, at) {
  const accuracy = (player) => one.summary?.review[player].accuracy?.toFixed(1) ?? "–";
  const open = makeButton({ onclick: () => openStudy(one), "data-node": one.root.id, "aria-current": String(one === game()) }, `${at + 1}. ${titleOf(one)}`);
  const numbers = [String(mainLine(one).length - 1), accuracy("black"), accuracy("white")];
  return makeElement("tr", {}, makeElement("td", {}, open), makeElement("td", {}, outcomeOf(one)), ...numbers.map((number) => makeElement("td", { class: "number" }, number)));
}

/**
 * Sets up the review panel and the table of open games: updates both after every change of the state, and adds the
 * event handlers of their controls.
 */
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
    // Removes the focus from the selection list of games, so that the arrow keys step through the moves and do not
    // select another game.
    $("games").blur();
  };
}

