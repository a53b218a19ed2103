// Warnings in a game against a bot: after a person's mistake (`findMistake`) the bot waits, and the page explains the
// mistake.

import { $, formatPoints, setText } from "./dom.js";
import { t, term } from "./texts.js";
import { shownNode, state } from "./state.js";
import { isFromStart, movesTo } from "./tree.js";
import { askReviewer } from "./review.js";
import { reasonsAbout, renderReasons } from "./reasons.js";

/**
 * The user's choices of when the page warns of a mistake, with the keys of their displayed names (see `t`). A choice is
 * the mildest judgement of a move that causes a warning: `blunder` for blunders only, `inaccuracy` for inaccuracies,
 * mistakes and blunders, `none` for no warnings.
 */
const WARNING_CHOICES = /** @type {const} */ ({ none: "warnNone", blunder: "warnBlunders", mistake: "warnMistakes", inaccuracy: "warnInaccuracies" });

/** Values of the setting for warnings: `none`, and then the judgements from the gravest (`blunder`) to the mildest. */
export const WARNING_LEVELS = Object.keys(WARNING_CHOICES);

/** Returns the options of the setting for warnings, as pairs of value and displayed name in the page's language. */
export const warningOptions = () => Object.entries(WARNING_CHOICES).map(([name, word]) => [name, t(word)]);

/**
 * Nodes after mistakes whose warning the user has dismissed. The page does not warn again at these nodes.
 * @type {WeakSet<import("./tree.js").GameNode>}
 */
const dismissed = new WeakSet();

/**
 * The analysis of the position before the move of which the page warns; null if the page shows no warning.
 * @type {import("./tree.js").Findings | null}
 */
let warnedFindings = null;

/** Tests if the page shows a warning. Until the user decides what to do, the bot does not move. */
export const isWarning = () => warnedFindings !== null;

/**
 * Asks the engine if the move that led to a node was a mistake of which the page must warn. Returns the analysis of the
 * move if its judgement is at least as grave as `mildest`, else null. Also returns null if the user has dismissed the
 * warning there, or if the game does not begin with the standard start position.
 * @param {import("./tree.js").GameNode} node
 * @param {string} mildest the mildest judgement of which to warn, or `none`
 */
export async function findMistake(node, mildest) {
  if (mildest === "none" || dismissed.has(node) || !node.parent || !isFromStart(state.games.play)) return null;
  const ply = await askReviewer({ ask: "try", moves: movesTo(node) });
  const isGrave = ply.judgement && WARNING_LEVELS.indexOf(ply.judgement) <= WARNING_LEVELS.indexOf(mildest);
  return isGrave ? ply : null;
}

/**
 * Sets the mistake of which the page warns; `renderWarning` then shows the warning.
 * @param {import("./tree.js").Findings | null} ply analysis of the mistake; null to remove the warning
 */
export function setWarning(ply) {
  warnedFindings = ply;
}

/**
 * Prevents further warnings at a node, after the user has chosen to play on.
 * @param {import("./tree.js").GameNode} node the node after the mistake
 */
export const dismissWarning = (node) => dismissed.add(node);

/**
 * Updates the warning on the page: the person's move, its judgement, its loss in percentage points, and explanations of
 * why it is a mistake.
 */
export function renderWarning() {
  $("warning").hidden = state.tab !== "play" || !warnedFindings;
  if (!warnedFindings) return;
  const { judgement, loss, move } = warnedFindings;
  setText($("warning-text"), t("warned", move, term(judgement), term("lost", formatPoints(loss))));
  renderReasons($("warning-reasons"), reasonsAbout(warnedFindings, move), shownNode().parent?.position);
}
