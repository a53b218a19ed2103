// Lists the engine's sentences on why a move is good or bad. The board shows a sentence in steps: after the move, after the
// reply, and the squares that the sentence is about.

import { makeButton, makeElement } from "./dom.js";
import { language, t } from "./texts.js";
import { squareOf } from "./rules.js";
import { emitFindings, state } from "./state.js";

/**
 * A sentence on why `move` is good or bad: its `text` by language, the amazon's square and other squares to highlight (names
 * such as `c6`), and the moves `line` that lead from the position before `move` to the position that shows the effect. The
 * sentences come from ../../analysis/reasons.rs.
 * @typedef {{ move: string, line?: string[], amazon?: string, squares?: string[], text: Record<string, string> }} Reason
 */

/**
 * Returns all sentences in the analysis of a position; empty if there is no analysis.
 * @param {any} ply @returns {Reason[]}
 */
const reasonsOf = (ply) => ply?.reasons ?? [];

/**
 * Returns the sentences about the move `move` in the analysis `ply` of the position before it; none if `move` is null.
 * @param {any} ply @param {string | null} move
 */
export const reasonsAbout = (ply, move) => reasonsOf(ply).filter((reason) => reason.move === move);

/**
 * Returns the sentences to show after a move. For the move that was played in the analysed game, these include the
 * sentences on why the best move was better.
 * @param {any} ply analysis of the position before the move @param {string | null} move
 */
export const reasonsToShow = (ply, move) => (ply?.move === move ? reasonsOf(ply) : reasonsAbout(ply, move));

/**
 * Shows a step of a sentence on the board: the position after the moves `line`, and the highlighted squares.
 * @param {import("./rules.js").Position | null} from the position before the first move of `line`; null: the current position
 * @param {string[]} line @param {string[]} names of the highlighted squares, such as `c6`
 */
function showStep(from, line, names) {
  const highlighted = names.map(squareOf);
  if (state.previewedMoves.join() === line.join() && state.highlighted.join() === highlighted.join()) return;
  Object.assign(state, { previewedFrom: from, previewedMoves: line, highlighted });
  emitFindings();
}

/**
 * Returns a button that shows something on the board while it is hovered or has the focus.
 * @param {object} attributes @param {string} text @param {() => void} show
 */
function stepButton(attributes, text, show) {
  const button = makeButton(attributes, text);
  const hide = () => showStep(null, [], []);
  button.onfocus = button.onclick = show;
  // Ignores the event that browsers send if a new button appears under a resting pointer.
  button.onpointermove = ({ movementX, movementY }) => (movementX || movementY) && show();
  button.onblur = hide;
  button.onpointerleave = () => document.activeElement !== button && hide();
  return button;
}

/**
 * Shows sentences as the buttons of a list; hides an empty list. A sentence's button shows its last step on the board, the
 * numbered buttons after it show each step.
 * @param {HTMLElement} list @param {Reason[]} reasons
 * @param {import("./rules.js").Position} [before] the position before the moves of the sentences
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
