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
 * Explanations of why the referee program of a match rejected a bot's answer, such as an illegal move. Key: the node at
 * which the bot gave the answer. Value: the explanation; null while the engine has not explained the answer yet, or if
 * it cannot. Nodes that the board has not shown yet are missing.
 * @type {WeakMap<GameNode, Fault | null>}
 */
const explanations = new WeakMap();

/**
 * Returns the answer of a bot that the referee program of a match rejected at a node, because the answer was an illegal
 * move, for example. The answer is JSON text from the node's SGF property `REFUSED`. Returns undefined if no answer was
 * rejected there.
 * @param {GameNode} node
 */
const rejectedAnswerAt = ({ properties }) => properties.find(([name]) => name === "REFUSED")?.[1][0];

/**
 * Returns the explanation of why a bot's answer was rejected at the node that the "Study" tab shows. Returns null if no
 * answer was rejected there, if the engine has not explained it, if another tab or the position editor is open, or
 * while moves are previewed.
 * @returns {Fault | null}
 */
export function shownFault() {
  return state.tab === "study" && !state.editor && !state.previewedMoves.length ? explanations.get(shownNode()) ?? null : null;
}

/**
 * Asks the engine why a bot's answer was rejected at the shown node, stores its explanation in `explanations`, and
 * updates the page. Does nothing in these cases: no answer was rejected there; the engine has already been asked about
 * this node; the engine cannot run; or it is parsing game files.
 */
async function requestExplanation() {
  const node = shownNode();
  const answer = rejectedAnswerAt(node);
  if (answer === undefined || explanations.has(node) || !hasEngine || !canRun || state.isReading) return;
  explanations.set(node, null);
  // The rejected answer may come from an edited file and contain invalid data. The engine then returns an error, and
  // the page shows no explanation.
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
 * Sets up the explanations of a bot's rejected answers: whenever the "Study" tab shows a node at which a match's
 * referee rejected an answer, asks the engine to explain the fault, and shows the explanation below the board.
 */
export function initFaults() {
  onChange(() => {
    if (state.tab === "study") requestExplanation();
    renderFault();
  });
}
