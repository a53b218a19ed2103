// The "Rules" tab: a short interactive tutorial in steps (`STEPS`). In each step the learner plays one turn. The texts
// and positions come from ../../analysis/primer.rs.

import { $, setText } from "./dom.js";
import { language, t } from "./texts.js";
import { emitChange, game, goTo, onChange, state } from "./state.js";
import { getOrAddChild, newGame } from "./tree.js";
import { revealBoard } from "./board.js";

/** A text in all languages of the page, by language. @typedef {Record<import("./texts.js").Language, string>} Texts */

/**
 * The steps of the tutorial. In each step the learner plays one turn (an amazon's move and its arrow) for black:
 * - `title`, `task`: texts of the heading and of the task;
 * - `done`, `missed`: messages after a turn that solves the task, and after any other turn;
 * - `cells`: the 64 cells of the position (as in `Position` of rules.js);
 * - `moves`: the turns that solve the task, such as `c1 c6 f6`; null if every legal turn solves it.
 * @type {{ title: Texts, task: Texts, done: Texts, missed: Texts, cells: string, moves: string[] | null }[]}
 */
const STEPS = JSON.parse($("primer").textContent);

/**
 * State of the tutorial. `index`: index of the current step, from 0. `status`: `open` before the learner has played a
 * turn in this step, `done` after a turn that solved the task, `missed` after any other turn.
 */
const progress = { index: 0, status: /** @type {"open" | "done" | "missed"} */ ("open") };

/** Tests if the current step is the last step of the tutorial. */
const isLast = () => progress.index === STEPS.length - 1;

/**
 * Shows a step of the tutorial: its position and its task.
 * @param {number} index index of the step, from 0
 */
export function beginStep(index) {
  Object.assign(progress, { index, status: "open" });
  state.games.rules = newGame({ cells: STEPS[index].cells, toMove: "black" });
  state.isNew = false;
  goTo(game().root);
  revealBoard();
}

/** Tests if the learner may play a turn in the tutorial: the task of the current step is not yet solved. */
export const canTryStep = () => progress.status !== "done";

/**
 * Handles a turn that the learner has entered. If the turn solves the task of the current step, plays it on the board;
 * otherwise leaves the position as it is. Then shows the step's message for the right or the wrong turn.
 * @param {string} move such as `c1 c6 f6`
 */
export function tryStep(move) {
  const { moves } = STEPS[progress.index];
  progress.status = !moves || moves.includes(move) ? "done" : "missed";
  goTo(progress.status === "done" ? getOrAddChild(game().root, move) : game().root);
}

function renderStep() {
  if (state.tab !== "rules") return;
  const { index, status } = progress;
  const step = STEPS[index];
  const inLanguage = (/** @type {Texts} */ texts) => texts[language()];
  setText($("primer-title"), t("stepOf", index + 1, STEPS.length, inLanguage(step.title)));
  setText($("primer-task"), inLanguage(step.task));
  const phase = t(/** @type {const} */ (["chooseAmazon", "chooseTo", "chooseArrow"])[state.picked.length]);
  const missed = status === "missed" && !state.picked.length;
  setText($("primer-message"), status === "done" ? inLanguage(step.done) : missed ? inLanguage(step.missed) : phase);
  setText($("primer-next"), t(isLast() ? "firstGame" : "nextOne"));
  $("primer-next").disabled = status !== "done";
  $("primer-back").disabled = index === 0;
}

/**
 * Sets up the tutorial in the "Rules" tab: shows its current step, and adds the event handlers of its buttons.
 * @param {() => void} leave called after the last step; starts the user's first game
 */
export function initPrimer(leave) {
  onChange(renderStep);
  $("primer-next").onclick = () => (isLast() ? leave() : beginStep(progress.index + 1));
  $("primer-back").onclick = () => beginStep(progress.index - 1);
  $("primer-again").onclick = () => beginStep(progress.index);
}
