// The "Rules" tab: a short interactive tutorial. The learner plays one turn per step; ../../analysis/primer.rs has the steps.

import { $, setText } from "./elements.js";
import { language, say } from "./words.js";
import { changed, game, goTo, onChange, state } from "./state.js";
import { child, newGame } from "./tree.js";
import { revealBoard } from "./board.js";

/** A text in English and Chinese. @typedef {Record<import("./words.js").Language, string>} Texts */

/**
 * The tutorial's steps: texts, the cells of the position, and the turns that solve the task (`moves`; null if every legal turn
 * does).
 * @type {{ title: Texts, task: Texts, done: Texts, missed: Texts, cells: string, moves: string[] | null }[]} */
const STEPS = JSON.parse($("primer").textContent);

/** The index of the current step, and whether the learner's last turn solved its task (`done`) or not (`missed`). */
const progress = { at: 0, is: /** @type {"open" | "done" | "missed"} */ ("open") };

const isLast = () => progress.at === STEPS.length - 1;

/** Shows a step of the tutorial with its position. @param {number} at index of the step */
export function beginStep(at) {
  Object.assign(progress, { at, is: "open" });
  state.games.rules = newGame({ cells: STEPS[at].cells, toMove: "black" });
  state.isNew = false;
  goTo(game().root);
  revealBoard();
}

/** Tests if the learner may play a turn: only until the step's task is solved. */
export const mayTry = () => progress.is !== "done";

/** Checks if the learner's turn solves the task; takes a wrong turn back. @param {string} move */
export function tryStep(move) {
  const { moves } = STEPS[progress.at];
  progress.is = !moves || moves.includes(move) ? "done" : "missed";
  goTo(progress.is === "done" ? child(game().root, move) : game().root);
}

function renderStep() {
  if (state.tab !== "rules") return;
  const { at, is } = progress;
  const step = STEPS[at];
  const said = (/** @type {Texts} */ texts) => texts[language()];
  setText($("primer-title"), say("stepOf", at + 1, STEPS.length, said(step.title)));
  setText($("primer-task"), said(step.task));
  const phase = say(/** @type {const} */ (["chooseAmazon", "chooseTo", "chooseArrow"])[state.picked.length]);
  const missed = is === "missed" && !state.picked.length;
  setText($("primer-said"), is === "done" ? said(step.done) : missed ? said(step.missed) : phase);
  setText($("primer-next"), say(isLast() ? "firstGame" : "nextOne"));
  $("primer-next").disabled = is !== "done";
  $("primer-back").disabled = at === 0;
}

/**
 * Sets up the "Rules" tab and adds the event handlers of its buttons.
 * @param {() => void} leave called after the last step, to begin the user's first game
 */
export function showPrimer(leave) {
  onChange(renderStep);
  $("primer-next").onclick = () => (isLast() ? leave() : beginStep(progress.at + 1));
  $("primer-back").onclick = () => beginStep(progress.at - 1);
  $("primer-again").onclick = () => beginStep(progress.at);
}
