// The "Notes" panel: the user writes comments, gives annotation symbols to moves, and draws arrows and marks on the
// board.

import { $, makeButton, setText } from "./dom.js";
import { t } from "./texts.js";
import { SYMBOLS, clearMarks, commentOf, marksOf, setProperty, setSymbol, symbolOf, toggleMark } from "./annotations.js";
import { editStudy, emitChange, game, onChange, shownNode, state } from "./state.js";
import { setHandlers } from "./input.js";

/** Tests if the user may annotate the shown position: in the "Study" tab, outside lessons and the position editor. */
const canAnnotate = () => state.tab === "study" && !state.lesson && !state.editor;

/**
 * Calls `change` to edit the annotations of the shown position: comment, annotation symbol, marked squares or drawn
 * arrows. The user can undo the edit with the undo button of the move list.
 * @param {() => void} change
 */
function annotate(change) {
  game().isOwn = true;
  editStudy(change);
}

/**
 * Adds a drawn arrow from one square to another at the shown position, or removes the arrow if it exists already. If
 * `from` equals `to`, adds or removes a marked square instead.
 * @param {number} from @param {number} to squares from 0 (a1) to 63 (h8)
 */
const mark = (from, to) => annotate(() => toggleMark(shownNode(), from, to));

/**
 * Saves the text of the comment field as the comment on the shown position, at each input. The button that undoes
 * changes of the game does not undo comments; the text field does so itself.
 */
function saveComment() {
  const text = $("note-text").value;
  setProperty(shownNode(), "C", text.trim() ? [text] : []);
  game().isOwn = true;
  emitChange();
}

function renderNotes() {
  if (!canAnnotate()) state.isDrawing = false;
  const [symbol, { squares, arrows }] = [symbolOf(shownNode()), marksOf(shownNode())];
  for (const button of $("symbols").querySelectorAll("button")) {
    button.disabled = !shownNode().move;
    button.setAttribute("aria-pressed", String(button.textContent === symbol));
  }
  const comment = commentOf(shownNode());
  // If the text in the field differs from the saved comment only by spaces at its start or end, the field is left as it
  // is, because the user may be typing.
  if ($("note-text").value.trim() !== comment.trim()) $("note-text").value = comment;
  $("note-text").placeholder = t("noteHere");
  setText($("note-of"), shownNode().move ? t("afterMove", shownNode().move) : t("first"));
  $("draw").setAttribute("aria-pressed", String(state.isDrawing));
  $("draw-clear").disabled = !squares.length && !arrows.length;
}

/**
 * Sets up the "Notes" panel: creates the buttons of the annotation symbols such as `??`, and adds the event handlers of
 * the panel's controls.
 */
export function initNotes() {
  $("symbols").append(...SYMBOLS.map((symbol) => makeButton({
    onclick: () => annotate(() => setSymbol(shownNode(), symbolOf(shownNode()) === symbol ? "" : symbol)),
  }, symbol)));
  $("note-text").oninput = saveComment;
  $("draw").onclick = () => {
    state.isDrawing = !state.isDrawing;
    state.picked = [];
    emitChange();
  };
  $("draw-clear").onclick = () => annotate(() => clearMarks(shownNode()));
  setHandlers({ canMark: canAnnotate, mark });
  onChange(renderNotes);
}
