// The "Notes" panel: the user writes comments, gives signs to moves, and draws arrows and marks on the board.

import { $, makeButton, setText } from "./dom.js";
import { t } from "./texts.js";
import { SIGNS, clearMarks, commentOf, marksOf, setProperty, setSign, signOf, toggleMark } from "./annotations.js";
import { editStudy, emitChange, game, onChange, shownNode, state } from "./state.js";
import { setHandlers } from "./input.js";

/** Tests if the user may annotate the shown position: in the "Study" tab, outside lessons and the position editor. */
const canAnnotate = () => state.tab === "study" && !state.lesson && !state.editor;

/** Changes annotations of the shown position by calling `change`, with a step for undo. @param {() => void} change */
function annotate(change) {
  game().isOwn = true;
  editStudy(change);
}

/**
 * Draws or removes a mark at the shown position: an arrow, or a marked square if both squares are equal.
 * @param {number} from @param {number} to squares from 0 (a1) to 63 (h8)
 */
const mark = (from, to) => annotate(() => toggleMark(shownNode(), from, to));

/** Saves the text of the field as the comment on the shown position. The field has an undo of its own. */
function saveComment() {
  const text = $("note-text").value;
  setProperty(shownNode(), "C", text.trim() ? [text] : []);
  game().isOwn = true;
  emitChange();
}

function renderNotes() {
  if (!canAnnotate()) state.isDrawing = false;
  const [sign, { squares, arrows }] = [signOf(shownNode()), marksOf(shownNode())];
  for (const button of $("signs").querySelectorAll("button")) {
    button.disabled = !shownNode().move;
    button.setAttribute("aria-pressed", String(button.textContent === sign));
  }
  const comment = commentOf(shownNode());
  // Spaces at the ends are left in the field while the user types.
  if ($("note-text").value.trim() !== comment.trim()) $("note-text").value = comment;
  $("note-text").placeholder = t("noteHere");
  setText($("note-of"), shownNode().move ? t("afterMove", shownNode().move) : t("first"));
  $("draw").setAttribute("aria-pressed", String(state.isDrawing));
  $("draw-clear").disabled = !squares.length && !arrows.length;
}

/** Sets up the panel: creates the buttons of the signs, and adds the event handlers. */
export function initNotes() {
  $("signs").append(...SIGNS.map((sign) => makeButton({
    onclick: () => annotate(() => setSign(shownNode(), signOf(shownNode()) === sign ? "" : sign)),
  }, sign)));
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
