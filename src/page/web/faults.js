// Explains an answer of a bot that the judge (the referee program of a match) rejected, in the position in which the
// bot lost the game by it: shows the broken rule or limit as text, and the answer's squares on the board
// (`shownFault`).

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
 * For each node at which the judge (the referee program of a match) rejected a bot's answer, the engine's explanation
 * of what is wrong with the answer. The value is null while the engine computes the explanation, and if the engine
 * could not. Nodes that the board has not shown are missing.
 * @type {WeakMap<GameNode, Fault | null>}
 */
const explanations = new WeakMap();

/**
 * Returns the bot's answer that the judge (the referee program of a match) rejected at a node, as JSON text; undefined
 * if no answer was rejected. Match logs contain the answer as the property `REFUSED`.
 * @param {GameNode} node
 */
const rejectedAnswerAt = ({ properties }) => properties.find(([name]) => name === "REFUSED")?.[1][0];

/**
 * Returns the explanation of the rejected answer at the node that the "Study" tab shows. Returns null if there is none,
 * if another tab or the position editor is open, or while moves are previewed.
 * @returns {Fault | null}
 */
export function shownFault() {
  return state.tab === "study" && !state.editor && !state.previewedMoves.length ? explanations.get(shownNode()) ?? null : null;
}

/**
 * Asks the engine to explain the rejected answer at the shown node, stores the result in `explanations`, and updates
 * the page. Does nothing if the node has no rejected answer, or if the engine was asked about the node before.
 */
async function requestExplanation() {
  const node = shownNode();
  const answer = rejectedAnswerAt(node);
  if (answer === undefined || explanations.has(node) || !hasEngine || !canRun || state.isReading) return;
  explanations.set(node, null);
  // The answer may come from an edited file and contain invalid data. The engine then returns an error, and the page
  // shows no explanation.
  const found = await engine.ask({ ask: "fault", moves: movesTo(node), answer }).catch(() => null);
  if (!found) return;
  explanations.set(node, { ...found, squares: (found.squares ?? []).map(squareOf), wrong: found.wrong && squareOf(found.wrong) });
  if (node === shownNode()) emitChange();
}

function renderFault() {
  const lines = shownFault()?.text[language()] ?? [];
  $("fault").hidden = !lines.length;
  $("fault-lines").replaceChildren(...lines.map((line) => makeElement("p", {}, line)));
}

/**
 * Sets up the explanations of rejected answers: whenever the "Study" tab shows a node with a rejected answer, requests
 * its explanation and shows it below the board.
 */
export function initFaults() {
  onChange(() => {
    if (state.tab === "study") requestExplanation();
    renderFault();
  });
}
