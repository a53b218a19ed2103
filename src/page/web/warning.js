// Warnings in a game against a bot: after a person's mistake, the bot waits and the page explains the mistake.

import { $, formatPoints, setText } from "./dom.js";
import { t, term } from "./texts.js";
import { shownNode, state } from "./state.js";
import { isFromStart, movesTo } from "./tree.js";
import { askReviewer } from "./review.js";
import { reasonsAbout, renderReasons } from "./reasons.js";

/**
 * Mildest judgements of which the user can choose to be warned, with the keys of their names: `none` warns of nothing,
 * `blunder` of blunders only, `inaccuracy` of all three judgements.
 */
const WARNING_CHOICES = /** @type {const} */ ({ none: "warnNone", blunder: "warnBlunders", mistake: "warnMistakes", inaccuracy: "warnInaccuracies" });

/** Values of the setting for warnings: `none`, and the judgements from the gravest to the mildest. */
export const WARNING_LEVELS = Object.keys(WARNING_CHOICES);

/** Returns the options of the setting for warnings, as pairs of value and displayed name. */
export const warningOptions = () => Object.entries(WARNING_CHOICES).map(([name, word]) => [name, t(word)]);

/**
 * Nodes at which the person has dismissed a warning; the page does not warn there again.
 * @type {WeakSet<import("./tree.js").GameNode>}
 */
const dismissed = new WeakSet();

/**
 * The analysis of the mistake of which the page warns now; null if no warning is shown.
 * @type {import("./tree.js").Findings | null}
 */
let warning = null;

/** Tests if a warning is shown. The bot then waits for the person's decision. */
export const isWarning = () => warning !== null;

/**
 * Analyses the move that led to a node. Returns the analysis if the move is a mistake of which the user wants to be
 * warned; else null.
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
 * Sets the mistake of which the page warns, or clears the warning.
 * @param {import("./tree.js").Findings | null} ply analysis of the mistake; null clears the warning
 */
export function setWarning(ply) {
  warning = ply;
}

/**
 * Dismisses the warning at a node, so that the page does not warn there again and the bot can move.
 * @param {import("./tree.js").GameNode} node
 */
export const dismissWarning = (node) => dismissed.add(node);

/**
 * Updates the warning on the page: the person's move, its judgement, its loss in percentage points, and the reasons.
 */
export function renderWarning() {
  $("warning").hidden = state.tab !== "play" || !warning;
  if (!warning) return;
  const { judgement, loss, move } = warning;
  setText($("warning-text"), t("warned", move, term(judgement), term("lost", formatPoints(loss))));
  renderReasons($("warning-reasons"), reasonsAbout(warning, move), shownNode().parent?.position);
}
