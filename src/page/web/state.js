// The page's state (the game of each tab, selections, settings) and its listeners, which are called after every change.

import { START } from "./rules.js";
import { newGame, pathTo, removeSubtree, snapshotTree } from "./tree.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** The page's state, which all modules share. A module that changes the state then calls `emitChange`. */
export const state = {
  /** The open tab. @type {"play" | "study" | "learn" | "rules"} */
  tab: "play",
  /** The game of each tab. @type {{ play: Game, study: Game, learn: Game, rules: Game }} */
  games: { play: newGame(), study: newGame(), learn: newGame(), rules: newGame() },
  /** Whether the user opens the page in this browser for the first time; the page then offers to explain the rules. */
  isNew: false,
  /**
   * The games listed in the "Study" tab: all games of the report, or of the files that were opened together; else
   * empty.
   * @type {Game[]}
   */
  collection: [],
  /**
   * The games shown in the "Study" tab before the current game, the latest last, each with its list of games.
   * @type {{ game: Game, collection: Game[] }[]}
   */
  previousStudy: [],
  /**
   * The squares picked so far of the move that the user enters (from 0 = a1 to 63 = h8): first the amazon, then its
   * destination.
   * @type {number[]}
   */
  picked: [],
  /** Index of the engine's candidate move whose arrow is emphasised on the board; 0 is the best move. */
  candidate: 0,
  /**
   * Squares that are highlighted on the board (from 0 = a1 to 63 = h8), for a sentence or a hint of the engine.
   * @type {number[]}
   */
  highlighted: [],
  /** The move that is drawn on the board as a hint, such as `c1 c6 f6`; null if there is none. @type {string | null} */
  hint: null,
  /**
   * What the board shows, by switch: the last move, the best moves, ownership of the squares, and the win-probability
   * bar.
   */
  shown: { last: true, best: true, ownership: false, bar: true },
  /**
   * The moves under the pointer in a list of moves; the board previews the position after them. Empty: no preview.
   * @type {string[]}
   */
  previewedMoves: [],
  /**
   * The position before the first of `previewedMoves`; null stands for the current position.
   * @type {import("./rules.js").Position | null}
   */
  previewedFrom: null,
  /** Whether the page plays sounds. */
  hasSound: false,
  /**
   * Whether the board is turned by 180°, with rank 1 (black's side) at the bottom; null before the players are known.
   * @type {boolean | null}
   */
  isFlipped: null,
  /** Whether the user has switched on the engine's analysis of the current position in the "Study" tab. */
  isAnalysing: false,
  /** Whether game files are being read. The analysis pauses meanwhile, because the engine also parses the files. */
  isReading: false,
  /** Number of candidate moves that the analysis shows, each with its principal variation. */
  lineCount: 3,
  /** State of the running lesson (type `Lesson` of lesson.js); null if no lesson is running. @type {any} */
  lesson: null,
  /**
   * State of the position editor (`position` and `brush`, see editor.js); null while the editor is closed.
   * @type {any}
   */
  editor: null,
};

/** Returns the game of the open tab. */
export const game = () => state.games[state.tab];
/** Returns the node whose position the open tab shows. */
export const shownNode = () => game().node;

/**
 * Functions to call after changes of the state (`change`) and after new results of the engine (`findings`).
 * @type {Record<string, (() => void)[]>}
 */
const listeners = { change: [], findings: [] };

/** Registers a function to call after every change of the page's state. @param {() => void} listener */
export const onChange = (listener) => listeners.change.push(listener);

/**
 * Registers a function to call whenever the engine reports new results, or the board's preview or highlights change.
 * @param {() => void} listener
 */
export const onFindings = (listener) => listeners.findings.push(listener);

/**
 * Calls all change listeners. If they rebuild a list that contains the keyboard focus, restores the focus to the same
 * item.
 */
export function emitChange() {
  const focused = document.activeElement;
  const node = focused instanceof HTMLElement ? focused.dataset.node : undefined;
  const list = node && focused?.closest("[id]")?.id;
  listeners.change.forEach((listener) => listener());
  const again = list ? document.querySelector(`#${list} [data-node="${node}"]`) : null;
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** Calls the listeners for new results of the engine, which redraw less of the page than `emitChange` does. */
export const emitFindings = () => listeners.findings.forEach((listener) => listener());

/**
 * Makes a node the current node of the shown game, clears selection, preview, highlights and hint, and updates the
 * page. Does nothing if the node belongs to another game.
 * @param {GameNode} node
 */
export function goTo(node) {
  if (pathTo(node)[0] !== game().root) return;
  game().node = node;
  state.picked = [];
  state.previewedMoves = [];
  state.previewedFrom = null;
  state.candidate = 0;
  state.highlighted = [];
  state.hint = null;
  emitChange();
}

/** Returns the node of a line after `depth` plies; clamps `depth` to the line. */
export function nodeAt(line, depth) {
  return line[Math.min(Math.max(depth, 0), line.length - 1)];
}

/** Ends the running lesson and closes the position editor. Removes the move that the lesson has added to the game. */
export function endExercises() {
  const added = state.lesson?.added;
  if (added) removeSubtree(state.games.study, added);
  state.lesson = null;
  state.editor = null;
}

/** Maximum number of earlier games of the "Study" tab to which the user can return. */
const MAX_PREVIOUS_STUDIES = 8;

/**
 * Opens a game in the "Study" tab. If the replaced game is the user's own work, `reopenStudy` can return to it.
 * @param {Game} opened @param {Game[]} [collection] the games that the tab lists; by default the present list
 */
export function openStudy(opened, collection = state.collection) {
  const old = { game: state.games.study, collection: state.collection };
  const isReplaced = old.game !== opened && !(collection === old.collection && collection.includes(old.game) && collection.includes(opened));
  if (isReplaced && isOwnWork(old)) state.previousStudy = [...state.previousStudy, old].slice(-MAX_PREVIOUS_STUDIES);
  showStudy(opened, collection);
}

/**
 * Returns to the game that the "Study" tab showed before. The current game moves to the front of the list of earlier
 * games: repeated calls cycle through all.
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
 * Tests if the "Study" tab contains something of the user that would be lost: an own or opened game that is more than
 * the empty start position.
 */
const isOwnWork = ({ game: { isOwn, root }, collection }) => isOwn && (collection.length > 0 || root.children.length > 0 || root.position.cells !== START.cells);

/**
 * Undo stack of each game in the "Study" tab: functions that restore the game's earlier trees, the latest last.
 * @type {WeakMap<Game, (() => void)[]>}
 */
const undoStacks = new WeakMap();

/**
 * Changes the tree of the game in the "Study" tab by calling `change`, and puts the change on the undo stack.
 * @param {() => void} change
 */
export function editStudy(change) {
  const { study } = state.games;
  const saved = snapshotTree(study);
  change();
  if (saved.isChanged()) undoStacks.set(study, [...(undoStacks.get(study) ?? []), saved.restore]);
  emitChange();
}

/** Tests if the undo stack of the game in the "Study" tab contains a change. */
export const canUndoEdit = () => Boolean(undoStacks.get(state.games.study)?.length);

/** Undoes the last change of the tree of the game in the "Study" tab. */
export function undoEdit() {
  undoStacks.get(state.games.study)?.pop()?.();
  goTo(shownNode());
}
