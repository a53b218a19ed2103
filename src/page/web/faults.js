// Explains an answer that the judge rejected, at the position where it lost the game: the rule or limit in words, the
// answer's squares on the board.

import { $, makeElement } from "./dom.js";
import { language } from "./texts.js";
import { canRun, engine, hasEngine } from "./engine.js";
import { squareOf } from "./rules.js";
import { emitChange, onChange, shownNode, state } from "./state.js";
import { movesTo } from "./tree.js";

/** @typedef {import("./tree.js").GameNode} GameNode */
/**
 * The engine's explanation of a rejected answer: `squares` are the origin, destination and arrow square of the answer
 * (empty if unknown), `wrong` is the square on which it breaks a rule (null if none), `text` holds lines of text by
 * language. Squares are numbers from 0 (a1) to 63 (h8).
 * @typedef {{ squares: number[], wrong: number | null, text: Record<string, string[]> }} Fault
 */

/**
 * The explanation of each node at which the judge rejected an answer; null while the request runs, and if there is no
 * explanation.
 * @type {WeakMap<GameNode, Fault | null>}
 */
const known = new WeakMap();

/**
 * Returns the answer that the judge rejected at a node, as JSON text from the match log (property `REFUSED`); undefined
 * if there is none.
 * @param {GameNode} node
 */
const answerAt = ({ properties }) => properties.find(([name]) => name === "REFUSED")?.[1][0];

/**
 * Returns the explanation of the answer rejected at the shown node; null if there is none, or outside the plain "Study"
 * tab.
 * @returns {Fault | null}
 */
export function shownFault() {
  return state.tab === "study" && !state.editor && !state.previewedMoves.length ? known.get(shownNode()) ?? null : null;
}

/**
 * Requests the explanation of the answer rejected at the shown node from the engine, once per node, and updates the
 * page.
 */
async function explain() {
  const node = shownNode();
  const answer = answerAt(node);
  if (answer === undefined || known.has(node) || !hasEngine || !canRun || state.isReading) return;
  known.set(node, null);
  // The property may come from an edited file and hold invalid data. The request then fails, and no explanation is
  // shown.
  const found = await engine.ask({ ask: "fault", moves: movesTo(node), answer }).catch(() => null);
  if (!found) return;
  known.set(node, { ...found, squares: (found.squares ?? []).map(squareOf), wrong: found.wrong && squareOf(found.wrong) });
  if (node === shownNode()) emitChange();
}

function renderFault() {
  const lines = shownFault()?.text[language()] ?? [];
  $("fault").hidden = !lines.length;
  $("fault-lines").replaceChildren(...lines.map((line) => makeElement("p", {}, line)));
}

/**
 * Sets up the explanations: whenever a position with a rejected answer is shown in the "Study" tab, explains the
 * answer.
 */
export function initFaults() {
  onChange(() => {
    if (state.tab === "study") explain();
    renderFault();
  });
}
