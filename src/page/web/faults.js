// Explains an answer that the judge rejected, at the position where it lost the game: the rule or limit in words, the answer's
// squares on the board.

import { $, makeElement } from "./dom.js";
import { language } from "./texts.js";
import { canRun, engine, hasEngine } from "./engine.js";
import { squareOf } from "./rules.js";
import { emitChange, onChange, shownNode, state } from "./state.js";
import { movesTo } from "./tree.js";

/** @typedef {import("./tree.js").GameNode} GameNode */
/**
 * The explanation of a rejected answer: the numbers of its squares in order, the square that breaks a rule, lines of text by
 * language.
 * @typedef {{ squares: number[], wrong: number | null, text: Record<string, string[]> }} Fault
 */

/** The explanations asked for so far; null while one is awaited, and if there is none. @type {WeakMap<GameNode, Fault | null>} */
const known = new WeakMap();

/** Returns the rejected answer at a position, as a match log has it, or undefined. @param {GameNode} node */
const answerAt = ({ properties }) => properties.find(([name]) => name === "REFUSED")?.[1][0];

/** Returns the explanation of the answer that was rejected at the shown position, or null. @returns {Fault | null} */
export function faultShown() {
  return state.tab === "study" && !state.editor && !state.previewedMoves.length ? known.get(shownNode()) ?? null : null;
}

/** Asks the engine to explain the answer that was rejected at the shown position. */
async function explain() {
  const node = shownNode();
  const answer = answerAt(node);
  if (answer === undefined || known.has(node) || !hasEngine || !canRun || state.isReading) return;
  known.set(node, null);
  // An answer from an edited file may be none: then there is nothing to explain.
  const found = await engine.ask({ ask: "fault", moves: movesTo(node), answer }).catch(() => null);
  if (!found) return;
  known.set(node, { ...found, squares: (found.squares ?? []).map(squareOf), wrong: found.wrong && squareOf(found.wrong) });
  if (node === shownNode()) emitChange();
}

function renderFault() {
  const lines = faultShown()?.text[language()] ?? [];
  $("fault").hidden = !lines.length;
  $("fault-lines").replaceChildren(...lines.map((line) => makeElement("p", {}, line)));
}

/** Shows the explanation of a rejected answer whenever its position is shown. */
export function showFaults() {
  onChange(() => {
    if (state.tab === "study") explain();
    renderFault();
  });
}
