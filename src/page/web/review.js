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
 * Maximum number of nodes that the solver (a proof-number search) expands for one position of a review. It limits the
 * time per position.
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
 * State of the running review; null if no review is running:
 * - `game`: the reviewed game;
 * - `searched`, `total`: number of positions searched so far, and number of all positions to search;
 * - `toSolve`: the position that the solver (a proof-number search) solves next, as the number of plies before it. Null
 *   while positions are still being searched, and after the solver has finished.
 * @type {{ game: import("./tree.js").Game, searched: number, total: number, toSolve: number | null } | null}
 */
let runningReview = null;

/** Returns the number of search iterations per position that the user has selected for reviews. */
const iterationsPerPosition = () => Number($("review-effort").value || DEFAULT_ITERATIONS);

/**
 * Sends a request to `reviewer`, the engine of the review panel, and returns a promise of its response. Defaults that
 * `request` may override:
 * - `iterations`: the number of search iterations per position that the user has selected for reviews
 * - `candidates`: 5 candidate moves in the response
 * - `memory_mb`: `MEMORY_MB`
 * @param {object} request one of the requests of ../engine/request.rs @returns {Promise<any>}
 */
export const askReviewer = (request) => reviewer.ask({ iterations: iterationsPerPosition(), candidates: 5, memory_mb: MEMORY_MB, ...request });

/**
 * Searches a position with `reviewer`, the engine of the review panel, and returns a promise of the results with the
 * four best moves. The search begins with an empty tree, so that the result does not depend on earlier searches.
 * @param {import("./rules.js").Position} position @param {number} iterations number of search iterations
 */
export const searchDeep = (position, iterations) => reviewer.search({ position, iterations, candidates: 4, afresh: true });

/**
 * Games whose review was requested and has not ended, in the order of the reviews. The first is being reviewed.
 * @type {import("./tree.js").Game[]}
 */
let queue = [];

/** True while `runQueue` is reviewing the games of `queue`. */
let isQueueRunning = false;

/**
 * Returns the games whose review was requested and has not ended, in the order of the reviews. If a review is running,
 * its game is the first.
 */
export const queuedGames = () => queue;

/**
 * Returns the progress of the running review: `searched` of `total` positions have been searched. If no review is
 * running, `searched` is 0, and `total` is 1 to avoid a division by 0.
 */
export const reviewProgress = () => runningReview ?? { searched: 0, total: 1 };

/**
 * Functions to call after each searched position in the review of a game that the "Study" tab does not show. In the
 * review of the shown game, `emitChange` updates the whole page instead.
 * @type {(() => void)[]}
 */
const progressListeners = [];

/**
 * Registers a function to call after each searched position in the review of a game that the "Study" tab does not show.
 * Reviews of the shown game call the functions registered by `onChange` instead.
 * @param {() => void} listener
 */
export const onProgress = (listener) => progressListeners.push(listener);

/**
 * Tests if a game can be reviewed: the page can run an engine, and the game has at least one move and begins with the
 * standard start position.
 */
export const canReview = (/** @type {import("./tree.js").Game} */ game) => hasEngine && canRun && isFromStart(game) && mainLine(game).length > 1;

/**
 * Tests if the review of a game is complete: the game has a summary, and every position of its main line has an
 * analysis.
 */
export const isReviewed = (/** @type {import("./tree.js").Game} */ game) => Boolean(game.summary) && mainLine(game).every(({ ply }) => ply);

/**
 * Tests if a game is still open in the "Study" tab: as the current game, in the games table, among the earlier games to
 * which the user can return, or in the games table of such an earlier game.
 */
const isOpen = (game) => [state.games.study, ...state.collection].includes(game) || state.previousStudy.some(({ game: earlier, collection }) => earlier === game || collection.includes(game));

/**
 * Begins the review of the current game at once. If another game is being reviewed, interrupts that review and begins
 * it again after this one.
 */
export function review() {
  queue = [game(), ...queue.filter((one) => one !== game())];
  if (isQueueRunning) reviewer.terminate();
  else runQueue();
}

/**
 * Adds games to the end of the queue of reviews, except those in the queue already. Starts the queue if it is not
 * running.
 * @param {import("./tree.js").Game[]} games
 */
export function queueReviews(games) {
  queue = [...queue, ...games.filter((one) => !queue.includes(one))];
  if (!isQueueRunning) runQueue();
}

/**
 * Cancels the reviews of the given games, by default of all queued games. Games whose review is finished keep their
 * results.
 */
export function stopReviews(games = queue) {
  const [running] = queue;
  queue = queue.filter((one) => !games.includes(one));
  if (games.includes(running)) reviewer.terminate();
}

/**
 * Reviews the games of `queue` one after another until the queue is empty. Skips games that the user has closed since
 * they were added to the queue (see `isOpen`).
 */
async function runQueue() {
  isQueueRunning = true;
  while (queue.length) {
    const [next] = queue;
    // True if the review of the game has ended, or the user has closed the game. The game of an interrupted review
    // stays in the queue, and its review begins again later.
    const hasEnded = !isOpen(next) || (await reviewGame(next));
    if (hasEnded) queue = queue.filter((one) => one !== next);
  }
  isQueueRunning = false;
  emitChange();
}

/**
 * Reviews the main line of a game, and stores the results in the game: after each position if the "Study" tab shows the
 * game, otherwise only at the end. Returns false if the engine was terminated, which interrupts the review. Returns
 * true if the review has ended, also if it has ended by an error or because the user has deleted moves of the line.
 * @param {import("./tree.js").Game} reviewed
 */
async function reviewGame(reviewed) {
  const line = mainLine(reviewed);
  const nodes = recordNodes(reviewed, (node) => line.includes(node));
  const run = { game: reviewed, searched: 0, total: line.length, toSolve: /** @type {number | null} */ (null) };
  runningReview = run;
  emitChange();
  try {
    await askReviewer({ ask: "review", title: reviewed.title, nodes, nodes_to_solve: MAX_SOLVER_NODES });
    while (run.searched < run.total || run.toSolve !== null) {
      const analysis = await reviewer.ask({ ask: "next" });
      // If the user has deleted moves of the reviewed line during the search, the review ends.
      if (!isInGame(line[line.length - 1])) break;
      Object.assign(run, { searched: analysis.searched, total: analysis.of, toSolve: analysis.searched < analysis.of ? null : analysis.to_solve });
      const isComplete = run.searched === run.total && run.toSolve === null;
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
 * Shows the position after the nearest mistake or blunder that comes before or after the current position in the
 * reviewed game. Does nothing if there is none in this direction.
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
 * Updates the controls of the current game's review: the button that starts or stops it, the selection list for the
 * number of iterations, and the progress bar.
 */
function renderReviewControls() {
  const isRunning = runningReview?.game === game();
  $("review-run").textContent = isRunning ? t("stop") : t("reviewGame");
  $("review-run").hidden = !hasEngine || !canRun;
  $("review-run").disabled = !canReview(game());
  $("review-run").classList.toggle("main", !isRunning && !isReviewed(game()));
  $("review-effort").hidden = $("review-run").hidden || isRunning;
  setText($("review-note"), isFromStart(game()) ? "" : t("reviewFromStart"));
  $("review-progress").hidden = !isRunning;
  if (isRunning && runningReview) {
    setText($("review-progress-text"), runningReview.toSolve === null ? t("reviewing", runningReview.searched, runningReview.total) : t("solving", runningReview.toSolve));
    [$("review-meter").value, $("review-meter").max] = [runningReview.searched, runningReview.total];
  }
}

/**
 * Shows the stored results of the current game's review: both players' accuracy and mistakes, the turning points, and
 * the results of the solver. Shows no results if the game was not reviewed.
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
  const sides = /** @type {const} */ (["black", "white"]).map((player) => playerResults(results[player], names[player] ?? t(player), player, line));
  const turning = results.turning_points.map(({ ply, leader }) => jumpItem(line[ply], t("leads", t(leader))));
  const parts = [makeElement("div", { class: "sides" }, ...sides)];
  if (turning.length) parts.push(makeElement("h3", {}, t("turningPoints")), makeElement("ul", { class: "jumps turning" }, ...turning));
  if (summary.solved) parts.push(makeElement("h3", {}, t("solvedEnd")), ...solverResults(summary.solved, line));
  $("review-results").replaceChildren(...parts);
}

/**
 * Returns an element with the results of one player in the review: name, accuracy in percent, numbers of mistakes, and
 * buttons that show the positions after the player's inaccuracies, mistakes and blunders. If the player made none, the
 * buttons show the moves with the largest losses (`biggest`: their plies).
 */
function playerResults({ accuracy, moves, inaccuracies, mistakes: wrong, blunders, biggest }, name, player, line) {
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
 * Returns elements with the results of the solver, which proves who wins positions near the end of the game. If the
 * solver has not proven the winner of the last position (`decided` is null), returns one sentence that says so.
 * Otherwise the elements are:
 * - a sentence that says after how many plies the winner was certain;
 * - if the loser had a proven win in a solved position: a sentence that says after how many plies the loser had the
 *   last one (`last_chance`);
 * - if the loser had none: a sentence that says that the loser had no proven win after `solved_after` plies or later,
 *   and that the positions before are unsolved;
 * - a list of buttons, one for each move in `thrown`: a move by which either player gave a proven win away.
 * `line` has the nodes of the reviewed line from the root.
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
 * Returns an `<li>` element with a button that shows a node's position on the board; an empty `<li>` if `node` is
 * undefined.
 * @param {any} node @param {string} why text on the button, below the move that led to the node
 */
function jumpItem(node, why) {
  if (!node) return makeElement("li");
  const judgement = judgementOf(node);
  const parts = [makeElement("span", {}, `${moveNumber(node)} ${node.move} `, ...(judgement ? [annotation(judgement)] : [])), makeElement("small", {}, why)];
  return makeElement("li", {}, makeButton({ onclick: () => showNode(node), "data-node": node.id }, ...parts));
}

// ---- Result and title of a game

/**
 * Returns a game's winner and how the game ended (a key for `endingText`); null if the game is unfinished.
 * @param {import("./tree.js").Game} game @returns {{ winner: import("./rules.js").Player, ending: string } | null}
 */
export function outcomeOf(game) {
  const { root, summary, end } = game;
  if (summary?.winner) return { winner: summary.winner, ending: summary.ending };
  const { position } = mainLine(game).pop() ?? root;
  return end ?? (isOver(position) ? { winner: opponentOf(position.toMove), ending: "no move" } : null);
}

/**
 * Returns a text on a game's result: the winner and how the game ended.
 * @param {import("./tree.js").Game} game @param {string} running text to return for an unfinished game
 */
export function outcomeText(game, running = "") {
  const outcome = outcomeOf(game);
  if (!outcome) return running;
  const { winner, ending } = outcome;
  return t("namely", t("won", t(winner)), endingText(ending, t(opponentOf(winner))));
}

/**
 * Returns the title of a game to display: the players' names if at least one is known, or else the name of the game's
 * file, or else “Amazons”.
 * @param {import("./tree.js").Game} game
 */
export function gameTitle(game) {
  const { black, white } = game.names;
  if (black || white) return `${black ?? t("black")} – ${white ?? t("white")}`;
  return game.title || t("page");
}

/**
 * Sets up the review panel: updates it at every change of the page's state, and adds the event handlers of its
 * controls.
 */
export function initReview() {
  onChange(() => {
    const efforts = ITERATION_CHOICES.map((number) => [number, t("iterations", number.toLocaleString("en"))]);
    setOptions($("review-effort"), efforts);
    renderReviewControls();
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

