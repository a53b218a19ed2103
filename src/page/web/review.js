// The review of games by the engine, in a worker of its own: accuracy, mistakes, turning points.

import { $, formatPoints, makeButton, makeElement, setOptions, setText } from "./dom.js";
import { endingText, t, term } from "./texts.js";
import { Engine, EngineTerminated, canRun, hasEngine } from "./engine.js";
import { emitChange, game, goTo, onChange, shownNode, state } from "./state.js";
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
 * Games whose review was requested and has not ended, in the order of the reviews. The first is being reviewed.
 * @type {import("./tree.js").Game[]}
 */
let queue = [];

/** Whether `runQueue` is running. */
let isWorking = false;

/** Returns the games whose review was requested and has not ended. */
export const queuedGames = () => queue;

/** Returns the progress of the running review: the numbers of positions searched and to search in all. */
export const reviewProgress = () => runningReview ?? { searched: 0, of: 1 };

/** Functions to call after each position of a review. @type {(() => void)[]} */
const progressListeners = [];

/** Registers a function to call after each position of a review in the background. @param {() => void} listener */
export const onProgress = (listener) => progressListeners.push(listener);

/** Tests if a game can be reviewed: the page has an engine, and the game has moves from the start position. */
export const canReview = (/** @type {import("./tree.js").Game} */ one) => hasEngine && canRun && isFromStart(one) && mainLine(one).length > 1;

/** Tests if all positions of a game's main line were analysed. */
export const isReviewed = (/** @type {import("./tree.js").Game} */ one) => Boolean(one.summary) && mainLine(one).every(({ ply }) => ply);

/** Tests if a game is still open in the "Study" tab, in the list of games, or among the studies before. */
const isOpen = (one) => [state.games.study, ...state.collection].includes(one) || state.previousStudy.some(({ game: earlier, collection }) => earlier === one || collection.includes(one));

/** Reviews the current game now. A review of another game is interrupted, and begun again afterwards. */
export function review() {
  queue = [game(), ...queue.filter((one) => one !== game())];
  if (isWorking) reviewer.terminate();
  else runQueue();
}

/** Adds games to the queue of reviews, which run in the background. @param {import("./tree.js").Game[]} games */
export function queueReviews(games) {
  queue = [...queue, ...games.filter((one) => !queue.includes(one))];
  if (!isWorking) runQueue();
}

/** Ends the reviews of the given games, by default of all. Results of finished reviews stay. */
export function stopReviews(games = queue) {
  const [running] = queue;
  queue = queue.filter((one) => !games.includes(one));
  if (games.includes(running)) reviewer.terminate();
}

/** Reviews the games of the queue one after another. */
async function runQueue() {
  isWorking = true;
  while (queue.length) {
    const [next] = queue;
    // An interrupted review stays in the queue.
    const hasEnded = !isOpen(next) || (await reviewGame(next));
    if (hasEnded) queue = queue.filter((one) => one !== next);
  }
  isWorking = false;
  emitChange();
}

/**
 * Reviews the main line of a game. The game in the "Study" tab shows the results so far after each position, other games only
 * the final results. Returns false if the review was interrupted.
 * @param {import("./tree.js").Game} reviewed
 */
async function reviewGame(reviewed) {
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
      Object.assign(run, { searched: analysis.searched, of: analysis.of, toSolve: analysis.searched < analysis.of ? null : analysis.to_solve });
      const isComplete = run.searched === run.of && run.toSolve === null;
      if (reviewed === state.games.study || isComplete) storeAnalysis(reviewed, analysis, line);
      if (reviewed === state.games.study) emitChange();
      else progressListeners.forEach((listener) => listener());
    }
  } catch (error) {
    if (error instanceof EngineTerminated) return false;
    notify(t("engineFailed", error.message));
  } finally {
    runningReview = null;
    emitChange();
  }
  return true;
}

/** Returns the nodes after all mistakes and blunders of a game's reviewed line; inaccuracies do not count. */
export const mistakesOf = (/** @type {import("./tree.js").Game} */ { reviewed }) => reviewed.filter((node) => ["mistake", "blunder"].includes(judgementOf(node)));

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
  $("review-run").disabled = !canReview(game());
  $("review-run").classList.toggle("main", !isRunning && !isReviewed(game()));
  $("review-effort").hidden = $("review-run").hidden || isRunning;
  setText($("review-note"), isFromStart(game()) ? "" : t("reviewFromStart"));
  $("review-progress").hidden = !isRunning;
  if (isRunning && runningReview) {
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
  const isRunning = runningReview?.game === game();
  $("lesson-start").disabled = !all.length || isRunning;
  $("lesson-start").classList.toggle("main", isReviewed(game()));
  setText($("no-mistakes"), summary && !isRunning && !all.length ? t("noMistakes") : "");
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

// ---- Result and title of a game

/**
 * Returns a text on a game's result: the winner and how the game ended. If the game is unfinished, returns `running`.
 * @param {import("./tree.js").Game} ended @param {string} running
 */
export function outcomeOf(ended, running = "") {
  const end = ended.summary?.winner ? ended.summary : ended.end;
  const lost = (loser, ending) => t("namely", t("won", t(opponentOf(loser))), endingText(ending, t(loser)));
  if (end) return lost(opponentOf(end.winner), end.ending);
  const line = mainLine(ended);
  const { position } = line[line.length - 1];
  if (!isOver(position)) return running;
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

/** Sets up the review panel: updates it at every change, and adds the event handlers. */
export function initReview() {
  onChange(() => {
    const efforts = ITERATION_CHOICES.map((number) => [number, t("iterations", number.toLocaleString("en"))]);
    setOptions($("review-effort"), efforts);
    renderRun();
    renderReview();
  });
  $("review-effort").append(makeElement("option", { value: DEFAULT_ITERATIONS, selected: "" }));
  $("review-run").onclick = () => {
    if (runningReview?.game === game()) stopReviews([game()]);
    else review();
  };
  $("mistake-previous").onclick = () => goToMistake(-1);
  $("mistake-next").onclick = () => goToMistake(1);
}

