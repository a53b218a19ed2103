// The page's state (the game of each tab, selections, settings) and its listeners, which are called after every change.

import { newGame, removeSubtree } from "./tree.js";

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
  /** The game that the "Study" tab showed before the current game, so that the user can return to it. @type {Game | null} */
  previousStudy: null,
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

/** Makes a node the current position of the game, clears all selections, and updates the page. @param {GameNode} node */
export function goTo(node) {
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

/**
 * Opens a game in the "Study" tab. If the user made or opened the replaced game, it is remembered and can be restored.
 * @param {Game} opened
 */
export function openStudy(opened) {
  const old = state.games.study;
  if (old !== opened && old.isOwn && old.root.children.length) state.previousStudy = old;
  endExercises();
  state.games.study = opened;
  state.tab = "study";
  goTo(opened.node);
}
