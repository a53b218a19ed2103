// Warnings in a game against a bot: after a person's mistake, the bot waits and the page explains the mistake.

import { $, formatPoints, setText } from "./dom.js";
import { t, term } from "./texts.js";
import { state } from "./state.js";
import { isFromStart, movesTo } from "./tree.js";
import { askReviewer } from "./review.js";
import { reasonsAbout, renderReasons } from "./reasons.js";

/** Choices of the mildest judgement that triggers a warning, each with the key of its name; mildest last. */
const WARNING_CHOICES = /** @type {const} */ ({ none: "warnNone", blunder: "warnBlunders", mistake: "warnMistakes", inaccuracy: "warnInaccuracies" });

export const WARNING_LEVELS = Object.keys(WARNING_CHOICES);

/** Returns the choices of when to warn, as pairs of value and name in the page's language. */
export const warningOptions = () => Object.entries(WARNING_CHOICES).map(([name, word]) => [name, t(word)]);

/** Positions in which the person has dismissed the warning and plays on. @type {WeakSet<import("./tree.js").GameNode>} */
const dismissed = new WeakSet();

/** The analysis of the mistake that the page warns of now, or null. @type {import("./tree.js").Findings | null} */
let warning = null;

/** Tests if a warning is shown and the bot waits for the person's decision. */
export const isWarning = () => warning !== null;

/**
 * Analyses the move that led to a position, and returns the analysis if the move is bad enough for a warning, else null.
 * @param {import("./tree.js").GameNode} node @param {string} mildest the mildest judgement to warn of, or `none`
 */
export async function findMistake(node, mildest) {
  if (mildest === "none" || dismissed.has(node) || !node.parent || !isFromStart(state.games.play)) return null;
  const ply = await askReviewer({ ask: "try", moves: movesTo(node) });
  const isGrave = ply.judgement && WARNING_LEVELS.indexOf(ply.judgement) <= WARNING_LEVELS.indexOf(mildest);
  return isGrave ? ply : null;
}

/**
 * Sets or clears the warning.
 * @param {import("./tree.js").Findings | null} ply analysis of the mistake; null clears the warning
 */
export function setWarning(ply) {
  warning = ply;
}

/** Dismisses the warning in a position: the person plays on. @param {import("./tree.js").GameNode} node */
export const dismissWarning = (node) => dismissed.add(node);

/** Updates the warning on the page: the mistake, its loss and the reasons. */
export function renderWarning() {
  $("warning").hidden = state.tab !== "play" || !warning;
  if (!warning) return;
  const { judgement, loss, move } = warning;
  setText($("warning-text"), t("warned", move, term(judgement), term("lost", formatPoints(loss))));
  renderReasons($("warning-reasons"), reasonsAbout(warning, move));
}
