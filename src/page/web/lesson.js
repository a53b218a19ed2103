// Lessons ("Learn from mistakes", type `Lesson`): for each mistake of a reviewed game, the user looks for a better move
// in the position before the mistake.

import { $, formatPoints, setText } from "./dom.js";
import { t } from "./texts.js";
import { canRun, hasEngine } from "./engine.js";
import { askReviewer, mistakesOf } from "./review.js";
import { emitChange, endExercises, game, goTo, onChange, shownNode, state } from "./state.js";
import { notify } from "./notice.js";
import { reasonsAbout, renderReasons } from "./reasons.js";
import { opponentOf } from "./rules.js";
import { revealBoard } from "./board.js";
import { getOrAddChild, movesTo, removeSubtree } from "./tree.js";

/**
 * Minimum loss in win probability (0 to 1) of a move that is judged an inaccuracy. A move that loses less counts as
 * good.
 */
export const INACCURACY_LOSS = 0.05;

/**
 * State of a lesson. `nodes` are the nodes after the mistakes, `at` is the index of the current mistake; `tried` is the
 * move that the user tried and `loss` its loss in win probability (0 to 1), both null until known; `added` is the node
 * that the lesson has added to the game, or null.
 * @typedef {{ nodes: import("./tree.js").GameNode[], at: number, tried: string | null, loss: number | null, isJudging: boolean,
 *   isSolved: boolean, reasons: import("./reasons.js").Reason[], added: import("./tree.js").GameNode | null }} Lesson
 */

/**
 * Returns the nodes after the mistakes and blunders that one or both players made in the current game, as found by the
 * game's review.
 * @param {string} side `black`, `white` or `both`
 */
export function mistakesOfSide(side) {
  return mistakesOf(game()).filter(({ parent }) => side === "both" || parent?.position.toMove === side);
}

/**
 * The side that the user has chosen for lessons, by game: `black`, `white` or `both`.
 * @type {WeakMap<import("./tree.js").Game, string>}
 */
const chosenSides = new WeakMap();

/**
 * Returns the side whose mistakes a lesson on a game covers (`black`, `white` or `both`). This is the side that the
 * user has chosen; else the side of the only person who played; else the loser; else both sides.
 * @param {import("./tree.js").Game} game
 */
function lessonSide(game) {
  const chosen = chosenSides.get(game);
  if (chosen) return chosen;
  const { names, end, summary } = game;
  const persons = /** @type {const} */ (["black", "white"]).filter((player) => names[player] === "human");
  const winner = end?.winner ?? summary?.winner;
  return persons.length === 1 ? persons[0] : winner ? opponentOf(winner) : "both";
}

/**
 * Starts a lesson: for each mistake of the side that the user has selected, the user looks for a better move. If that
 * side made no mistakes in the current game, shows a notice instead.
 */
function beginLesson() {
  const nodes = mistakesOfSide($("lesson-side").value);
  if (!nodes.length) {
    notify(t("noMistakes"));
    return;
  }
  state.lesson = { nodes, at: 0 };
  beginAttempt();
}

/**
 * Shows the position before the current mistake of the lesson, so that the user can try a move there. Takes back the
 * move that the user has tried before, if any.
 */
function beginAttempt() {
  removeAttempt();
  Object.assign(state.lesson, { tried: null, loss: null, isJudging: false, isSolved: false, reasons: [] });
  goTo(state.lesson.nodes[state.lesson.at].parent);
  revealBoard();
}

/**
 * Removes the node that the lesson has added to the game for the tried move or the solution, if any. Thus the lesson
 * leaves the game unchanged.
 */
function removeAttempt() {
  const { added } = state.lesson;
  if (added) removeSubtree(game(), added);
  state.lesson.added = null;
}

function goToNext() {
  if (state.lesson.at + 1 < state.lesson.nodes.length) {
    state.lesson.at += 1;
    beginAttempt();
  } else {
    endLesson();
    notify(t("lessonDone"));
  }
}

function endLesson() {
  const { nodes, at } = state.lesson;
  endExercises();
  goTo(nodes[at]);
}

/**
 * Tests if a running lesson waits for a move of the user: the user has not tried a move, and the solution is not shown.
 */
export const isWaitingForMove = () => Boolean(state.lesson && !state.lesson.tried && !state.lesson.isSolved);

/**
 * Plays the user's move in the running lesson. Then shows the move's loss in win probability, and explanations of why
 * the move is good or bad. A move that loses less than `INACCURACY_LOSS` solves the task.
 * @param {string} move such as `c1 c6 f6`
 */
export async function tryMove(move) {
  /** The lesson in which the user plays the move `move`. @type {Lesson} */
  const lesson = state.lesson;
  const before = lesson.nodes[lesson.at].parent;
  const isKnown = shownNode().children.some((node) => node.move === move);
  const tried = getOrAddChild(shownNode(), move);
  Object.assign(lesson, { tried: move, isJudging: true, added: isKnown ? null : tried });
  goTo(tried);
  let [loss, reasons] = [/** @type {number | null} */ (null), /** @type {import("./reasons.js").Reason[]} */ ([])];
  try {
    if (before) [loss, reasons] = await judgeMove(before, move);
  } catch (error) {
    notify(t("engineFailed", error.message));
  }
  // If the user has ended the lesson or left the position during the search, the result is ignored.
  if (state.lesson !== lesson || shownNode() !== tried) return;
  Object.assign(lesson, { loss, reasons, isJudging: false, isSolved: loss !== null && loss < INACCURACY_LOSS });
  emitChange();
}

/**
 * Returns how good a move is, as a pair. First: the move's loss in win probability (0 to 1; null if unknown). Second:
 * explanations of why the move is good or bad. Both come from the game's analysis if the move is the best move or was
 * played in the game; otherwise the engine analyses the move.
 * @param {any} before the node before the move, with its analysis @param {string} move such as `c1 c6 f6`
 * @returns {Promise<[number | null, import("./reasons.js").Reason[]]>}
 */
async function judgeMove(before, move) {
  const { ply } = before;
  const [best] = ply.candidates;
  if (move === best.move) return [0, reasonsAbout(ply, move)];
  if (move === ply.move) return [ply.loss, reasonsAbout(ply, move)];
  if (hasEngine && canRun) {
    const tried = await askReviewer({ ask: "try", moves: [...movesTo(before), move] });
    return [tried.loss, reasonsAbout(tried, move)];
  }
  const own = ply.candidates.find((candidate) => candidate.move === move);
  return [own ? Math.max(best.win_probability - own.win_probability, 0) : null, []];
}

function showSolution() {
  removeAttempt();
  const { nodes, at } = state.lesson;
  const { parent } = nodes[at];
  const count = parent.children.length;
  const best = getOrAddChild(parent, parent.ply.candidates[0].move);
  Object.assign(state.lesson, { tried: null, isSolved: true, reasons: reasonsAbout(parent.ply, best.move), added: parent.children.length > count ? best : null });
  goTo(best);
}

/**
 * Returns the message that the running lesson shows: which side is to find a better move, how good the tried move was,
 * or the solution.
 */
function lessonMessage() {
  /**
   * The running lesson. `nodes`: the nodes after the mistakes that the lesson covers; `at`: index in `nodes` of the
   * mistake that the user is to correct now; for the other fields see `Lesson`.
   * @type {Lesson}
   */
  const { nodes, at, tried, loss, isJudging, isSolved } = state.lesson;
  const { parent, move } = nodes[at];
  const best = parent?.ply?.candidates[0].move;
  const mover = t(parent?.position.toMove ?? "black");
  if (isJudging) return t("judging", tried);
  if (!tried) return isSolved ? t("solutionIs", best) : t("find", mover, move, mover);
  if (tried === best) return t("bestMove", tried);
  if (loss === null) return t("notSeen", tried);
  return isSolved ? t("good", tried, formatPoints(loss)) : t("notGood", tried, formatPoints(loss));
}

function renderLesson() {
  $("lesson-side").value = lessonSide(state.games.study);
  $("lesson").hidden = !state.lesson || state.tab !== "study";
  if ($("lesson").hidden) return;
  const { nodes, at, tried, isJudging, isSolved } = state.lesson;
  setText($("lesson-count"), t("lessonOf", at + 1, nodes.length));
  // No-break spaces keep each move on one line.
  setText($("lesson-task"), lessonMessage().replace(/([a-h][1-8]) ([a-h][1-8]) (?=[a-h][1-8])/g, "$1\u00a0$2\u00a0"));
  renderReasons($("lesson-reasons"), state.lesson.reasons, nodes[at].parent.position);
  $("lesson-again").hidden = !tried || isSolved || isJudging;
  $("lesson-solution").hidden = isSolved || isJudging;
  $("lesson-next").classList.toggle("main", isSolved);
  const isLast = at + 1 === nodes.length;
  $("lesson-next").textContent = t(isLast ? "quit" : isSolved ? "nextOne" : "skip");
  $("lesson-quit").hidden = isLast;
}

/**
 * Sets up lessons: shows the panel with the task while a lesson is running, and adds the event handlers of its buttons.
 */
export function initLesson() {
  onChange(renderLesson);
  $("lesson-start").onclick = beginLesson;
  $("lesson-side").onchange = () => chosenSides.set(game(), $("lesson-side").value);
  $("lesson-again").onclick = beginAttempt;
  $("lesson-solution").onclick = showSolution;
  $("lesson-next").onclick = goToNext;
  $("lesson-quit").onclick = endLesson;
}
