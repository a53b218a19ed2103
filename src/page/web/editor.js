// The position editor: the user sets up any position in which each player has four amazons, and studies it.

import { $, setOptions, setText } from "./dom.js";
import { pieceIcon } from "./board.js";
import { START, amazons, playerWithWrongCount, withCell } from "./rules.js";
import { t } from "./texts.js";
import { emitChange, onChange, openStudy, shownNode, state } from "./state.js";
import { newGame } from "./tree.js";

/** The 64 cells of an empty board: all `.`. */
const EMPTY = ".".repeat(64);

/**
 * Brushes of the position editor: what the user can put on a square. Each is a pair. First: the letter that the brush
 * writes into a cell; second: the brush's name in the page, as in the element id `brush-black`.
 */
const BRUSHES = [["b", "black"], ["w", "white"], ["x", "arrow"], [".", "empty"]];

function openEditor() {
  state.editor = { position: { ...shownNode().position }, brush: "x" };
  state.picked = [];
  emitChange();
}

/**
 * Opens the position editor again after a reload of the page, with the position and the brush that were saved before.
 * Does nothing if the saved state is null or invalid.
 * @param {any} saved value of `state.editor` when it was saved
 */
export function reopenEditor(saved) {
  const { position, brush } = saved ?? {};
  const isSound = /^[bwx.]{64}$/.test(position?.cells) && ["black", "white"].includes(position.toMove) && BRUSHES.some(([cell]) => cell === brush);
  if (!isSound) return;
  state.editor = { position: { cells: position.cells, toMove: position.toMove }, brush };
  emitChange();
}

/**
 * Writes the letter of the selected brush into a square. If the square contains this letter already, empties the
 * square.
 * @param {number} square from 0 (a1) to 63 (h8)
 */
export function paint(square) {
  const { position, brush } = state.editor;
  position.cells = withCell(position.cells, square, position.cells[square] === brush ? "." : brush);
  emitChange();
}

/**
 * Changes the edited position in the position editor, and updates the page. Only the fields that `position` contains
 * are replaced: `cells`, `toMove` or both.
 */
function changePosition(position) {
  Object.assign(state.editor.position, position);
  emitChange();
}

function studyPosition() {
  const study = newGame(state.editor.position);
  study.isOwn = true;
  openStudy(study);
}

function renderEditor() {
  $("editor").hidden = !state.editor || state.tab !== "study";
  if (!state.editor) return;
  const { position, brush } = state.editor;
  for (const [cell, name] of BRUSHES) {
    const brushButton = $("brush-" + name);
    const label = cell === "x" || cell === "." ? t(/** @type {"arrow" | "empty"} */ (name)) : t("amazonOf", t(/** @type {"black" | "white"} */ (name)));
    brushButton.setAttribute("aria-label", label);
    brushButton.title = label;
    brushButton.setAttribute("aria-pressed", String(brush === cell));
  }
  setOptions($("mover"), [["black", t("black")], ["white", t("white")]]);
  $("mover").value = position.toMove;
  const player = playerWithWrongCount(position);
  $("editor-done").disabled = player !== null;
  setText($("editor-fault"), player ? t("lackingOf", t(player), amazons(position, player).length) : "");
}

/** Sets up the position editor: shows its panel while it is open, and adds the event handlers of its controls. */
export function initEditor() {
  for (const [cell, name] of BRUSHES) $("brush-" + name).append(pieceIcon(cell));
  onChange(renderEditor);
  $("editor-open").onclick = openEditor;
  for (const [cell, name] of BRUSHES) {
    $("brush-" + name).onclick = () => {
      state.editor.brush = cell;
      emitChange();
    };
  }
  $("mover").onchange = () => changePosition({ toMove: $("mover").value });
  $("editor-clear").onclick = () => changePosition({ cells: EMPTY });
  $("editor-start").onclick = () => changePosition({ ...START });
  $("editor-done").onclick = studyPosition;
  $("editor-cancel").onclick = () => {
    state.editor = null;
    emitChange();
  };
}
