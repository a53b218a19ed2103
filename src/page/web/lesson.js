// "Learn from mistakes": the position before each mistake, until the user has found a move that is good.

import { $, points, setText } from "./elements.js";
import { say } from "./words.js";
import { canRun, hasEngine } from "./engine.js";
import { askReviewer, mistakes } from "./review.js";
import { changed, endExercises, game, goTo, onChange, shownNode, state } from "./state.js";
import { notify } from "./notice.js";
import { reasonsOn, tellReasons } from "./reasons.js";
import { revealBoard } from "./board.js";
import { child, movesTo, remove } from "./tree.js";

/** Loss in win probability from which a move is no longer good: that of an inaccuracy. */
export const FAIR = 0.05;

/** @typedef {{ nodes: import("./tree.js").GameNode[], at: number, tried: string | null, loss: number | null, isJudging: boolean, isSolved: boolean, reasons: import("./reasons.js").Reason[],
 *   added: import("./tree.js").GameNode | null }} Lesson */

/** The mistakes of the chosen side, or of both. */
export function lessonsOf(side) {
  return mistakes(game()).filter(({ parent }) => side === "both" || parent?.position.toMove === side);
}

function begin() {
  const nodes = lessonsOf($("lesson-side").value);
  if (!nodes.length) {
    notify(say("noMistakes"));
    return;
  }
  state.lesson = { nodes, at: 0 };
  set();
}

/** Sets the position before the mistake. */
function set() {
  forget();
  Object.assign(state.lesson, { tried: null, loss: null, isJudging: false, isSolved: false, reasons: [] });
  goTo(state.lesson.nodes[state.lesson.at].parent);
  revealBoard();
}

/** Takes the move that was tried out of the game again, unless it was there before. */
function forget() {
  const { added } = state.lesson;
  if (added) remove(game(), added);
  state.lesson.added = null;
}

function next() {
  if (state.lesson.at + 1 < state.lesson.nodes.length) {
    state.lesson.at += 1;
    set();
  } else {
    end();
    notify(say("lessonDone"));
  }
}

function end() {
  const { nodes, at } = state.lesson;
  endExercises();
  goTo(nodes[at]);
}

/** Tests if the user is to move. */
export const isAsking = () => Boolean(state.lesson && !state.lesson.tried && !state.lesson.isSolved);

/** Judges a move of the user: by the analysis if it was looked at there, else by a search. @param {string} move */
export async function tryMove(move) {
  /** @type {Lesson} */
  const lesson = state.lesson;
  const before = lesson.nodes[lesson.at].parent;
  const isKnown = shownNode().children.some((node) => node.move === move);
  const tried = child(shownNode(), move);
  Object.assign(lesson, { tried: move, isJudging: true, added: isKnown ? null : tried });
  goTo(tried);
  let [loss, reasons] = [/** @type {number | null} */ (null), /** @type {import("./reasons.js").Reason[]} */ ([])];
  try {
    if (before) [loss, reasons] = await judged(before, move);
  } catch (error) {
    notify(say("engineFailed", error.message));
  }
  // Meanwhile the next mistake may have been asked for.
  if (state.lesson !== lesson || shownNode() !== tried) return;
  Object.assign(lesson, { loss, reasons, isJudging: false, isSolved: loss !== null && loss < FAIR });
  changed();
}

/** How much a move loses, nothing if nobody knows, and why. @returns {Promise<[number | null, import("./reasons.js").Reason[]]>} */
async function judged(before, move) {
  const { ply } = before;
  const [best] = ply.candidates;
  if (move === best.move) return [0, reasonsOn(ply, move)];
  if (move === ply.move) return [ply.loss, reasonsOn(ply, move)];
  if (hasEngine && canRun) {
    const tried = await askReviewer({ ask: "try", moves: [...movesTo(before), move] });
    return [tried.loss, reasonsOn(tried, move)];
  }
  const own = ply.candidates.find((candidate) => candidate.move === move);
  return [own ? Math.max(best.win_probability - own.win_probability, 0) : null, []];
}

function solve() {
  forget();
  const { nodes, at } = state.lesson;
  const { parent } = nodes[at];
  const count = parent.children.length;
  const best = child(parent, parent.ply.candidates[0].move);
  Object.assign(state.lesson, { tried: null, isSolved: true, reasons: reasonsOn(parent.ply, best.move), added: parent.children.length > count ? best : null });
  goTo(best);
}

/** What the lesson says now. */
function task() {
  /** @type {Lesson} */
  const { nodes, at, tried, loss, isJudging, isSolved } = state.lesson;
  const { parent, move } = nodes[at];
  const best = parent?.ply?.candidates[0].move;
  const mover = say(parent?.position.toMove ?? "black");
  if (isJudging) return say("judging", tried);
  if (!tried) return isSolved ? say("solutionIs", best) : say("find", mover, move, mover);
  if (tried === best) return say("bestMove", tried);
  if (loss === null) return say("notSeen", tried);
  return isSolved ? say("good", tried, points(loss)) : say("notGood", tried, points(loss));
}

function tellLesson() {
  $("lesson").hidden = !state.lesson || state.tab !== "study";
  if ($("lesson").hidden) return;
  const { nodes, at, tried, isJudging, isSolved } = state.lesson;
  setText($("lesson-count"), say("lessonOf", at + 1, nodes.length));
  setText($("lesson-task"), task());
  tellReasons($("lesson-reasons"), state.lesson.reasons);
  $("lesson-again").hidden = !tried || isSolved || isJudging;
  $("lesson-solution").hidden = isSolved || isJudging;
  $("lesson-next").textContent = say(at + 1 < nodes.length ? "nextOne" : "quit");
}

/** Shows the lesson and listens to its buttons. */
export function showLesson() {
  onChange(tellLesson);
  $("lesson-start").onclick = begin;
  $("lesson-again").onclick = set;
  $("lesson-solution").onclick = solve;
  $("lesson-next").onclick = next;
  $("lesson-quit").onclick = end;
}
