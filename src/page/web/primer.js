// "Rules": the rules in a minute, each learned by a turn on the board. Steps and words are those of ../../analysis/primer.rs.

import { $, setText } from "./elements.js";
import { language, say } from "./words.js";
import { changed, game, goTo, onChange, state } from "./state.js";
import { child, newGame } from "./tree.js";
import { revealBoard } from "./board.js";

/** A text in each language. @typedef {Record<import("./words.js").Language, string>} Texts */

/** What is learned; `moves` are the turns that do what is asked, where not all do.
 * @type {{ title: Texts, task: Texts, done: Texts, missed: Texts, cells: string, moves: string[] | null }[]} */
const STEPS = JSON.parse($("primer").textContent);

/** The step under way, and what became of it: nothing yet, done, or missed. */
const progress = { at: 0, is: /** @type {"open" | "done" | "missed"} */ ("open") };

const isLast = () => progress.at === STEPS.length - 1;

/** Begins a step. @param {number} at */
export function beginStep(at) {
  Object.assign(progress, { at, is: "open" });
  state.games.rules = newGame({ cells: STEPS[at].cells, toMove: "black" });
  state.isNew = false;
  goTo(game().root);
  revealBoard();
}

/** Tests if the learner is to move. */
export const mayTry = () => progress.is !== "done";

/** Judges a turn of the learner. One that misses is taken back. @param {string} move */
export function tryStep(move) {
  const { moves } = STEPS[progress.at];
  progress.is = !moves || moves.includes(move) ? "done" : "missed";
  goTo(progress.is === "done" ? child(game().root, move) : game().root);
}

function tellStep() {
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

/** Shows the steps and listens to their buttons. @param {() => void} leave begins the first game */
export function showPrimer(leave) {
  onChange(tellStep);
  $("primer-next").onclick = () => (isLast() ? leave() : beginStep(progress.at + 1));
  $("primer-back").onclick = () => beginStep(progress.at - 1);
  $("primer-again").onclick = () => beginStep(progress.at);
}
