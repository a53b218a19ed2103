// The teaching game: after a clear mistake of a person the bot waits, and the page says why it was one.

import { $, points, setText } from "./elements.js";
import { say, term } from "./words.js";
import { state } from "./state.js";
import { isFromStart, movesTo } from "./tree.js";
import { askReviewer } from "./review.js";
import { reasonsOn, tellReasons } from "./reasons.js";

/** What is warned of: nothing, or mistakes from this judgement on; and how the choice is called. */
const CHOICES = /** @type {const} */ ({ none: "warnNone", blunder: "warnBlunders", mistake: "warnMistakes", inaccuracy: "warnInaccuracies" });

export const WARNINGS = Object.keys(CHOICES);

/** The choices with their names. */
export const warnings = () => Object.entries(CHOICES).map(([name, word]) => [name, say(word)]);

/** Positions in which the person has chosen to play on. @type {WeakSet<import("./tree.js").GameNode>} */
const accepted = new WeakSet();

/** The analysis of the move that the bot waits about. @type {import("./tree.js").Findings | null} */
let warning = null;

/** Tests if the bot waits. */
export const isWarning = () => warning !== null;

/** The analysis of the move behind which a position stands, if it is worth a warning. @param {import("./tree.js").GameNode} node @param {string} least */
export async function mistakeBefore(node, least) {
  if (least === "none" || accepted.has(node) || !node.parent || !isFromStart(state.games.play)) return null;
  const ply = await askReviewer({ ask: "try", moves: movesTo(node) });
  const isGrave = ply.judgement && WARNINGS.indexOf(ply.judgement) <= WARNINGS.indexOf(least);
  return isGrave ? ply : null;
}

/** Warns of a move, or of none any more. @param {import("./tree.js").Findings | null} ply */
export function warn(ply) {
  warning = ply;
}

/** Plays on in spite of the warning. @param {import("./tree.js").GameNode} node */
export const accept = (node) => accepted.add(node);

/** Shows the warning. */
export function tellWarning() {
  $("warning").hidden = state.tab !== "play" || !warning;
  if (!warning) return;
  const { judgement, loss, move } = warning;
  setText($("warning-text"), say("warned", move, term(judgement), term("lost", points(loss))));
  tellReasons($("warning-reasons"), reasonsOn(warning, move));
}
