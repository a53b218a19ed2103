// Warnings in a game against a bot: after a person's mistake (`findMistake`) the bot waits, and the page explains the
// mistake.

import { $, formatPoints, setText } from "./dom.js";
import { t, term } from "./texts.js";
import { shownNode, state } from "./state.js";
import { isFromStart, movesTo } from "./tree.js";
import { askReviewer } from "./review.js";
import { reasonsAbout, renderReasons } from "./reasons.js";

/**
 * The choices of when the page warns the user of a bad move. Key: the mildest judgement of a move that causes a
 * warning, so `inaccuracy` also warns of mistakes and blunders; `none` for no warnings. Value: key of the choice's
 * displayed name (see `t`).
 */
const WARNING_CHOICES = /** @type {const} */ ({ none: "warnNone", blunder: "warnBlunders", mistake: "warnMistakes", inaccuracy: "warnInaccuracies" });

/**
 * Values of the setting that says when the page warns of a bad move. `none`: never. Any other value is the mildest
 * judgement of a move that causes a warning. The values are in this order: `none`, then from the gravest judgement
 * (`blunder`) to the mildest (`inaccuracy`).
 */
export const WARNING_LEVELS = Object.keys(WARNING_CHOICES);

/** Returns the options of the setting for warnings, as pairs of value and displayed name in the page's language. */
export const warningOptions = () => Object.entries(WARNING_CHOICES).map(([name, word]) => [name, t(word)]);

/**
 * Nodes after mistakes whose warning the user has dismissed. The page does not warn again at these nodes.
 * @type {WeakSet<import("./tree.js").GameNode>}
 */
const dismissed = new WeakSet();

/**
 * The analysis of the bad move of which the page warns, as the node before the move stores it; null while the page
 * shows no warning.
 * @type {import("./tree.js").Findings | null}
 */
let warnedFindings = null;

/** Tests if the page shows a warning. Until the user decides what to do, the bot does not move. */
export const isWarning = () => warnedFindings !== null;

/**
 * Asks the engine to judge the move that led to a node. Returns the analysis of the move if the judgement is at least
 * as grave as `mildest`, so that the page must warn of the move. Otherwise returns null, and also if `mildest` is
 * `none`, if the user has dismissed the warning at this node, or if the game does not begin with the standard start
 * position.
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
 * Sets the analysis of the bad move of which the page warns; `renderWarning` then shows the warning.
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
