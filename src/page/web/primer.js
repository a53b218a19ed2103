// The "Rules" tab: a short interactive tutorial. The learner plays one turn per step; ../../analysis/primer.rs has the
// steps.

import { $, setText } from "./dom.js";
import { language, t } from "./texts.js";
import { emitChange, game, goTo, onChange, state } from "./state.js";
import { getOrAddChild, newGame } from "./tree.js";
import { revealBoard } from "./board.js";

/** A text in all languages of the page, by language. @typedef {Record<import("./texts.js").Language, string>} Texts */

/**
 * The tutorial's steps: texts (`done` and `missed` are the feedback on the learner's turn), the 64 cells of the
 * position with black to move, and the turns that solve the task (`moves`; null if every legal turn does).
 * @type {{ title: Texts, task: Texts, done: Texts, missed: Texts, cells: string, moves: string[] | null }[]}
 */
const STEPS = JSON.parse($("primer").textContent);

/**
 * The learner's progress: `at` is the index of the current step; `status` says whether the learner's last turn solved
 * its task (`done`), did not (`missed`), or is yet to come (`open`).
 */
const progress = { at: 0, status: /** @type {"open" | "done" | "missed"} */ ("open") };

/** Tests if the current step is the tutorial's last. */
const isLast = () => progress.at === STEPS.length - 1;

/** Shows a step of the tutorial with its position and task. @param {number} at index of the step */
export function beginStep(at) {
  Object.assign(progress, { at, status: "open" });
  state.games.rules = newGame({ cells: STEPS[at].cells, toMove: "black" });
  state.isNew = false;
  goTo(game().root);
  revealBoard();
}

/** Tests if the learner may play a turn in the tutorial: until the step's task is solved. */
export const canTryStep = () => progress.status !== "done";

/**
 * Plays the learner's turn if it solves the step's task; else leaves the position as it is and shows the feedback.
 * @param {string} move
 */
export function tryStep(move) {
  const { moves } = STEPS[progress.at];
  progress.status = !moves || moves.includes(move) ? "done" : "missed";
  goTo(progress.status === "done" ? getOrAddChild(game().root, move) : game().root);
}

function renderStep() {
  if (state.tab !== "rules") return;
  const { at, status } = progress;
  const step = STEPS[at];
  const inLanguage = (/** @type {Texts} */ texts) => texts[language()];
  setText($("primer-title"), t("stepOf", at + 1, STEPS.length, inLanguage(step.title)));
  setText($("primer-task"), inLanguage(step.task));
  const phase = t(/** @type {const} */ (["chooseAmazon", "chooseTo", "chooseArrow"])[state.picked.length]);
  const missed = status === "missed" && !state.picked.length;
  setText($("primer-message"), status === "done" ? inLanguage(step.done) : missed ? inLanguage(step.missed) : phase);
  setText($("primer-next"), t(isLast() ? "firstGame" : "nextOne"));
  $("primer-next").disabled = status !== "done";
  $("primer-back").disabled = at === 0;
}

/**
 * Sets up the "Rules" tab: shows the tutorial's step, and adds the event handlers of the buttons.
 * @param {() => void} leave called after the last step, to start the user's first game
 */
export function initPrimer(leave) {
  onChange(renderStep);
  $("primer-next").onclick = () => (isLast() ? leave() : beginStep(progress.at + 1));
  $("primer-back").onclick = () => beginStep(progress.at - 1);
  $("primer-again").onclick = () => beginStep(progress.at);
}
