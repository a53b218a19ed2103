// The page's state (the game of each tab, selections, settings) and its listeners, which are called after every change.

import { START } from "./rules.js";
import { newGame, pathTo, removeSubtree, savedTree } from "./tree.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

export const state = {
  /** The open tab. @type {"play" | "study" | "learn" | "rules"} */
  tab: "play",
  /** The game of each tab. @type {{ play: Game, study: Game, learn: Game, rules: Game }} */
  games: { play: newGame(), study: newGame(), learn: newGame(), rules: newGame() },
  /** Whether the page is used for the first time in this browser. */
  isNew: false,
  /** All games of the report, or all games of the files that were opened together. @type {Game[]} */
  collection: [],
  /**
   * The games that the "Study" tab showed before the current one, the latest last, each with the games opened with it.
   * @type {{ game: Game, collection: Game[] }[]}
   */
  previousStudy: [],
  /** The squares selected so far of a half-entered move: the amazon, then its destination. @type {number[]} */
  picked: [],
  /** Index of the engine's candidate move whose arrow is emphasised on the board; 0 is the best move. */
  candidate: 0,
  /** The squares highlighted for a sentence of the engine, see reasons.js. @type {number[]} */
  highlighted: [],
  /** The move shown on the board as a hint, or null. @type {string | null} */
  hint: null,
  shown: { last: true, best: true, ownership: false, bar: true },
  /** The moves of the line under the pointer; the board previews the position after them. @type {string[]} */
  previewedMoves: [],
  hasSound: false,
  /**
   * Whether the board is turned, with black (rank 1) at the bottom; null before the players are known.
   * @type {boolean | null}
   */
  isFlipped: null,
  /** Whether the engine analyses the current position in the "Study" tab. */
  isAnalysing: false,
  /** Whether files are being read; the analysis pauses meanwhile, because the engine parses the files. */
  isReading: false,
  /** Number of best lines that the analysis shows. */
  lineCount: 3,
  /** State of the running lesson (the type `Lesson` of lesson.js), or null. @type {any} */
  lesson: null,
  /** State of the position editor (position and brush, see editor.js), or null while it is closed. @type {any} */
  editor: null,
};

export const game = () => state.games[state.tab];
export const shownNode = () => game().node;

/** Listeners for changes of the state, and for new engine results. @type {Record<string, (() => void)[]>} */
const listeners = { change: [], findings: [] };

/** Registers a listener that is called after every change of the page's state. @param {() => void} listener */
export const onChange = (listener) => listeners.change.push(listener);

/**
 * Registers a listener that is called when the engine reports new results or the preview changes.
 * @param {() => void} listener
 */
export const onFindings = (listener) => listeners.findings.push(listener);

/** Calls all change listeners. If they rebuild a list that has the keyboard focus, the same item gets the focus again. */
export function emitChange() {
  const focused = document.activeElement;
  const node = focused instanceof HTMLElement ? focused.dataset.node : undefined;
  const list = node && focused?.closest("[id]")?.id;
  listeners.change.forEach((listener) => listener());
  const again = list ? document.querySelector(`#${list} [data-node="${node}"]`) : null;
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** Calls the listeners for new engine results. */
export const emitFindings = () => listeners.findings.forEach((listener) => listener());

/**
 * Makes a node the current position of the shown game, clears all selections, and updates the page. Does nothing if the node
 * belongs to another game.
 * @param {GameNode} node
 */
export function goTo(node) {
  if (pathTo(node)[0] !== game().root) return;
  game().node = node;
  state.picked = [];
  state.previewedMoves = [];
  state.candidate = 0;
  state.highlighted = [];
  state.hint = null;
  emitChange();
}

/** Returns the node of a line at the given depth in plies; clamps the depth to the line. */
export function nodeAt(line, depth) {
  return line[Math.min(Math.max(depth, 0), line.length - 1)];
}

/** Ends the lesson and closes the position editor. Removes the move that the user tried in the lesson from the game. */
export function endExercises() {
  const added = state.lesson?.added;
  if (added) removeSubtree(state.games.study, added);
  state.lesson = null;
  state.editor = null;
}

/** Maximum number of studies to which the user can return. */
const MAX_BEFORE = 8;

/**
 * Opens a game in the "Study" tab. The replaced game, with the games opened with it, is remembered and can be restored.
 * @param {Game} opened @param {Game[]} [collection] the games opened together with `opened`
 */
export function openStudy(opened, collection = state.collection) {
  const old = { game: state.games.study, collection: state.collection };
  const isReplaced = old.game !== opened && !(collection === old.collection && collection.includes(old.game) && collection.includes(opened));
  if (isReplaced && isOwnWork(old)) state.previousStudy = [...state.previousStudy, old].slice(-MAX_BEFORE);
  showStudy(opened, collection);
}

/** Returns to the study before the current one. The current one becomes the last to which the button returns. */
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

/** Tests if the user made or opened a study that is more than the start position. */
const isOwnWork = ({ game: { isOwn, root }, collection }) => isOwn && (collection.length > 0 || root.children.length > 0 || root.position.cells !== START.cells);

/** The earlier trees of each study, the latest last, as functions that restore them. @type {WeakMap<Game, (() => void)[]>} */
const edits = new WeakMap();

/** Changes the tree of the study's game; the user can undo the change. @param {() => void} change */
export function editStudy(change) {
  const { study } = state.games;
  const saved = savedTree(study);
  change();
  if (saved.isChanged()) edits.set(study, [...(edits.get(study) ?? []), saved.restore]);
  emitChange();
}

/** Tests if the study has a change to undo. */
export const mayUndoEdit = () => Boolean(edits.get(state.games.study)?.length);

/** Undoes the last change of the study's tree. */
export function undoEdit() {
  edits.get(state.games.study)?.pop()?.();
  goTo(shownNode());
}
