// Shows the engine's sentences on why a move is good or bad (`renderReasons`). A sentence can be shown on the board in
// steps: the position after the move, after the reply, and the squares to which the sentence refers.

import { makeButton, makeElement } from "./dom.js";
import { language, t } from "./texts.js";
import { squareOf } from "./rules.js";
import { emitFindings, state } from "./state.js";

/**
 * A sentence on why `move` is good or bad: its `text` by language, the amazon's square and other squares to highlight
 * (names such as `c6`), and the moves `line` that lead from the position before `move` to the position that shows the
 * effect. The sentences come from ../../analysis/reasons.rs.
 * @typedef {{ move: string, line?: string[], amazon?: string, squares?: string[], text: Record<string, string> }} Reason
 */

/**
 * Returns all explanations in the analysis of a position, each on why a certain move is good or bad. Returns an empty
 * list if `analysis` is null or contains none.
 * @param {any} analysis @returns {Reason[]}
 */
const reasonsOf = (analysis) => analysis?.reasons ?? [];

/**
 * Returns the explanations of why `move` is good or bad, from the analysis of the position before it. Returns an empty
 * list if the analysis is null or does not explain this move.
 * @param {any} analysis @param {string | null} move such as `c1 c6 f6`
 */
export const reasonsAbout = (analysis, move) => reasonsOf(analysis).filter((reason) => reason.move === move);

/**
 * Returns the explanations to show after `move`. If `move` was played in the game and analysed, these are all
 * explanations of the analysis, including those of why the best move was better. For another move, these are only the
 * explanations of `move` itself.
 * @param {any} analysis analysis of the position before the move @param {string | null} move such as `c1 c6 f6`
 */
export const reasonsToShow = (analysis, move) => (analysis?.move === move ? reasonsOf(analysis) : reasonsAbout(analysis, move));

/**
 * Shows on the board what an explanation of a move refers to: the position after a sequence of moves, and highlighted
 * squares.
 * @param {import("./rules.js").Position | null} from the position before the moves; null for the current position
 * @param {string[]} moves such as `["c1 c6 f6"]` @param {string[]} names of the squares to highlight, such as `c6`
 */
function showStep(from, moves, names) {
  const highlighted = names.map(squareOf);
  if (state.previewedMoves.join() === moves.join() && state.highlighted.join() === highlighted.join()) return;
  Object.assign(state, { previewedFrom: from, previewedMoves: moves, highlighted });
  emitFindings();
}

/**
 * Returns a button that previews something on the board while the pointer is over the button or it has the keyboard
 * focus. Afterwards the board shows the current position again.
 * @param {object} attributes of the button @param {string} text of the button
 * @param {() => void} show calls `showStep` to change the board
 */
function stepButton(attributes, text, show) {
  const button = makeButton(attributes, text);
  const hide = () => showStep(null, [], []);
  button.onfocus = button.onclick = show;
  // If a button appears under a pointer at rest, browsers send a `pointermove` event without movement. Such an event is
  // ignored, so that it does not start a preview.
  button.onpointermove = ({ movementX, movementY }) => (movementX || movementY) && show();
  button.onblur = hide;
  button.onpointerleave = () => document.activeElement !== button && hide();
  return button;
}

/**
 * Shows explanations of moves as a list, one button for each; hides the list if there are none. An explanation's button
 * previews the position after the explanation's sequence of moves, and highlights the squares that it refers to. The
 * numbered buttons that follow show the position after each single move.
 * @param {HTMLElement} list @param {Reason[]} reasons the explanations
 * @param {import("./rules.js").Position} [before] the position in which the explanations' moves begin
 */
export function renderReasons(list, reasons, before) {
  list.hidden = !reasons.length;
  list.replaceChildren(...reasons.map(({ text, amazon, squares = [], line = [] }) => {
    const names = amazon ? [amazon, ...squares] : squares;
    const from = before && line.length ? before : null;
    const moves = from ? line : [];
    const steps = moves.map((move, at) => stepButton({ class: "step", title: t("afterMove", move) }, String(at + 1), () => showStep(from, moves.slice(0, at + 1), [])));
    const last = () => showStep(from, moves, names);
    if (names.length && steps.length) steps.push(stepButton({ class: "step", title: t("squaresMeant") }, String(steps.length + 1), last));
    return makeElement("li", {}, stepButton({ class: "reason" }, text[language()], last), ...(names.length ? steps : []));
  }));
}
