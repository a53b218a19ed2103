// The page's state (the game of each tab, selections, settings) and its listeners, which are called after every change.

import { START } from "./rules.js";
import { newGame, pathTo, removeSubtree, snapshotTree } from "./tree.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

/**
 * The state of the page, which all modules share. A module that has changed a field must call `emitChange`, which
 * updates the page.
 */
export const state = {
  /** Name of the tab that the page shows. @type {"play" | "study" | "learn" | "rules"} */
  tab: "play",
  /** The game that each tab shows, by the tab's name. @type {{ play: Game, study: Game, learn: Game, rules: Game }} */
  games: { play: newGame(), study: newGame(), learn: newGame(), rules: newGame() },
  /** True if the page has been opened in this browser for the first time. The page then offers to explain the rules. */
  isNew: false,
  /**
   * The games in the games table of the "Study" tab: all games of a report, or all games of the files that were opened
   * together. Empty if only one game is open.
   * @type {Game[]}
   */
  collection: [],
  /**
   * The games that the "Study" tab has shown before its current game and to which `reopenStudy` can return, the latest
   * last. Each element contains a `game`, and the `collection` of all games that were in the games table at the time.
   * @type {{ game: Game, collection: Game[] }[]}
   */
  previousStudy: [],
  /**
   * The squares that the user has picked so far for a move, from 0 (a1) to 63 (h8): none, the amazon, or the amazon and
   * its destination.
   * @type {number[]}
   */
  picked: [],
  /** Index, from 0 (the best move), of the candidate move that the board draws more opaque than the others. */
  candidateIndex: 0,
  /**
   * Squares to highlight on the board, from 0 (a1) to 63 (h8): those that the explanation of a move refers to, or those
   * that a hint in a puzzle gives away.
   * @type {number[]}
   */
  highlighted: [],
  /** The move that the board shows as a hint, such as `c1 c6 f6`; null if no hint is shown. @type {string | null} */
  hint: null,
  /**
   * Additions to the pieces on the board, each true if the user has switched it on. `last`: marks of the last move;
   * `best`: the best moves of the analysis, as lines; `ownership`: shades of each square by its probable owner; `bar`:
   * the win-probability bar.
   */
  shown: { last: true, best: true, ownership: false, bar: true },
  /**
   * Moves of a preview: the board shows the position after these moves, which begin in the position `previewedFrom`. A
   * preview is shown while the pointer is over a move of a sequence, such as a principal variation. Empty if there is
   * no preview.
   * @type {string[]}
   */
  previewedMoves: [],
  /**
   * The position in which the previewed moves (`previewedMoves`) begin; null if they begin in the current position.
   * @type {import("./rules.js").Position | null}
   */
  previewedFrom: null,
  /** True if the page plays sounds. */
  hasSound: false,
  /**
   * True if the user has turned the board by 180°, so that h8 is at the top left; false if the user wants a1 there.
   * Null if the user has not chosen yet; the board is then not turned.
   * @type {boolean | null}
   */
  isTurned: null,
  /**
   * True if the board of the "Learn" tab is turned by 180°. Each new puzzle sets the value so that the amazons of the
   * side to move begin at the bottom.
   */
  isPuzzleTurned: false,
  /**
   * Name of the panel that the "Study" tab shows below the win-probability curve.
   * @type {"review" | "games" | "book" | "notes" | "file"}
   */
  panel: "review",
  /**
   * True if the user has switched on the drawing mode, in which presses on the board mark squares and draw arrows as
   * annotations instead of playing a move.
   */
  isDrawing: false,
  /** True if the user has switched on the engine's analysis of the current position in the "Study" tab. */
  isAnalysing: false,
  /**
   * True while game files are being read. The engine parses the files, so its analysis of the shown position pauses
   * meanwhile.
   */
  isReading: false,
  /** Number of candidate moves that the analysis shows, each with its principal variation; from 1 to 5. */
  candidateCount: 3,
  /**
   * State of the running lesson, in which the user looks for better moves than the mistakes of a game (type `Lesson` of
   * lesson.js); null if no lesson is running.
   * @type {any}
   */
  lesson: null,
  /**
   * State of the position editor; null while the editor is closed. `position` is the edited position, `brush` is what a
   * click puts on a square: `b` or `w` (an amazon), `x` (an arrow) or `.` (nothing).
   * @type {any}
   */
  editor: null,
};

/** Returns the game of the open tab. */
export const game = () => state.games[state.tab];
/** Tests if the board of the open tab is shown turned by 180°, with h8 at the top left instead of a1. */
export const isFlipped = () => (state.tab === "learn" ? state.isPuzzleTurned : state.isTurned === true);
/** Returns the node whose position the open tab shows. */
export const shownNode = () => game().node;

/**
 * The functions to call after changes. `change`: functions registered by `onChange`, called after every change of the
 * page's state. `findings`: functions registered by `onFindings`, called after new results of a search, and after
 * changes of the preview or the highlighted squares.
 * @type {Record<string, (() => void)[]>}
 */
const listeners = { change: [], findings: [] };

/** Registers a function to call after every change of the page's state. @param {() => void} listener */
export const onChange = (listener) => listeners.change.push(listener);

/**
 * Registers a function to call after new results of the engine, and after changes of the highlighted squares or of the
 * preview (`previewedMoves`: moves that the board shows while the pointer is over them). Such functions update the
 * board, the analysis panel and the win-probability curve.
 * @param {() => void} listener
 */
export const onFindings = (listener) => listeners.findings.push(listener);

/**
 * Calls all functions registered by `onChange`, to update the whole page. These functions may rebuild lists whose items
 * can have the keyboard focus, such as the move list. If such an item had the focus, sets the focus to the same item of
 * the new list.
 */
export function emitChange() {
  const focused = document.activeElement;
  const node = focused instanceof HTMLElement ? focused.dataset.node : undefined;
  const list = node && focused?.closest("[id]")?.id;
  listeners.change.forEach((listener) => listener());
  const again = list ? document.querySelector(`#${list} [data-node="${node}"]`) : null;
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/**
 * Calls all functions registered by `onFindings`, which update the board, the analysis panel and the win-probability
 * curve. Faster than `emitChange`, which updates the whole page.
 */
export const emitFindings = () => listeners.findings.forEach((listener) => listener());

/**
 * Makes a node the current node of the game in the open tab, and updates the page. Clears the picked squares, preview,
 * highlighted squares and hint. Does nothing if the node is not in this game.
 * @param {GameNode} node
 */
export function goTo(node) {
  if (pathTo(node)[0] !== game().root) return;
  game().node = node;
  state.picked = [];
  state.previewedMoves = [];
  state.previewedFrom = null;
  state.candidateIndex = 0;
  state.highlighted = [];
  state.hint = null;
  emitChange();
}

/**
 * Returns the node at depth `depth` (in plies) of a variation. Returns the first node if `depth` is negative, the last
 * node if `depth` is too large.
 * @param {GameNode[]} line the nodes of the variation from the root @param {number} depth
 */
export function nodeAt(line, depth) {
  return line[Math.min(Math.max(depth, 0), line.length - 1)];
}

/**
 * Ends the lesson if one is running, and removes the node that the lesson has added to the game. Closes the position
 * editor if it is open.
 */
export function endExercises() {
  const added = state.lesson?.added;
  if (added) removeSubtree(state.games.study, added);
  state.lesson = null;
  state.editor = null;
}

/**
 * Maximum length of `state.previousStudy`: the number of earlier games of the "Study" tab to which the user can return.
 */
const MAX_PREVIOUS_STUDIES = 8;

/**
 * Opens a game in the "Study" tab. Keeps the game shown before in `state.previousStudy` if replacing it would lose work
 * of the user (see `isOwnWork`); `reopenStudy` can then return to it.
 * @param {Game} opened
 * @param {Game[]} [collection] the games of the games table; by default the table stays as it is
 */
export function openStudy(opened, collection = state.collection) {
  const old = { game: state.games.study, collection: state.collection };
  const isReplaced = old.game !== opened && !(collection === old.collection && collection.includes(old.game) && collection.includes(opened));
  if (isReplaced && isOwnWork(old)) state.previousStudy = [...state.previousStudy, old].slice(-MAX_PREVIOUS_STUDIES);
  showStudy(opened, collection);
}

/**
 * Returns to the game that the "Study" tab showed before its current game; does nothing if there is none. If the
 * current game is the user's own work (see `isOwnWork`), puts it at the beginning of `state.previousStudy`, so that
 * repeated calls show all these games in turn.
 */
export function reopenStudy() {
  const last = state.previousStudy.pop();
  if (!last) return;
  const current = { game: state.games.study, collection: state.collection };
  if (isOwnWork(current)) state.previousStudy.unshift(current);
  showStudy(last.game, last.collection);
}

function showStudy(opened, collection) {
  endExercises();
  state.games.study = opened;
  state.collection = collection;
  state.tab = "study";
  goTo(opened.node);
}

/**
 * Tests if the user would lose work if another game replaced a game of the "Study" tab. This is so if the user has made
 * or opened the game (`isOwn`), and at least one of these is true: the game has a move, its first position differs from
 * the standard start position, or the games table contains games.
 */
const isOwnWork = ({ game: { isOwn, root }, collection }) => isOwn && (collection.length > 0 || root.children.length > 0 || root.position.cells !== START.cells);

/**
 * For each game that the user has edited in the "Study" tab, the undo stack: functions that each restore the game's
 * tree as it was before an edit, the latest last.
 * @type {WeakMap<Game, (() => void)[]>}
 */
const undoStacks = new WeakMap();

/**
 * Calls `change`, which may change the tree of the game in the "Study" tab, and updates the page. If the tree has
 * changed, `undoEdit` can undo the change.
 * @param {() => void} change
 */
export function editStudy(change) {
  const { study } = state.games;
  const saved = snapshotTree(study);
  change();
  if (saved.isChanged()) undoStacks.set(study, [...(undoStacks.get(study) ?? []), saved.restore]);
  emitChange();
}

/** Tests if a change of the game in the "Study" tab can be undone. */
export const canUndoEdit = () => Boolean(undoStacks.get(state.games.study)?.length);

/** Undoes the latest change that `editStudy` made to the game in the "Study" tab. */
export function undoEdit() {
  undoStacks.get(state.games.study)?.pop()?.();
  goTo(shownNode());
}
