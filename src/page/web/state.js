// What the page shows: the game of each tab, what is chosen, and who wants to hear of changes.

import { newGame, remove } from "./tree.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

export const state = {
  /** @type {"play" | "study" | "learn" | "rules"} */
  tab: "play",
  /** @type {{ play: Game, study: Game, learn: Game, rules: Game }} */
  games: { play: newGame(), study: newGame(), learn: newGame(), rules: newGame() },
  /** Whether nobody has used this page here before. */
  isNew: false,
  /** The games of the report, or of the files that were opened together. @type {Game[]} */
  collection: [],
  /** The study that was replaced last. @type {Game | null} */
  before: null,
  /** The squares that are chosen of the move under way. @type {number[]} */
  picked: [],
  /** The candidate that is drawn most strongly. */
  candidate: 0,
  /** The squares that a sentence points at, see reasons.js. @type {number[]} */
  marked: [],
  /** A move that is shown as a hint. @type {string | null} */
  hint: null,
  shown: { last: true, best: true, ownership: false, bar: true },
  /** The moves of a line that is pointed at: the board shows the position behind them. @type {string[]} */
  pointed: [],
  hasSound: false,
  /** Whether black is at the bottom of the board; nothing until it is known who plays. @type {boolean | null} */
  isFlipped: null,
  /** Whether the engine thinks on what is shown. */
  thinks: false,
  /** Whether files are being read: the engine then does nothing else. */
  isReading: false,
  /** Number of lines. */
  lines: 3,
  /** Set while a lesson runs, see lesson.js. @type {any} */
  lesson: null,
  /** Set while a position is set up, see editor.js. @type {any} */
  editor: null,
};

export const game = () => state.games[state.tab];
export const shownNode = () => game().node;

/** @type {Record<string, (() => void)[]>} */
const listeners = { change: [], found: [] };

/** Calls a function at every change of what is shown. @param {() => void} listener */
export const onChange = (listener) => listeners.change.push(listener);

/** Calls a function when the engine has found more of what is shown. @param {() => void} listener */
export const onFound = (listener) => listeners.found.push(listener);

/** Shows everything anew. What has the keyboard's focus keeps it, in lists that are made anew as well. */
export function changed() {
  const focused = document.activeElement;
  const node = focused instanceof HTMLElement ? focused.dataset.node : undefined;
  const list = node && focused?.closest("[id]")?.id;
  listeners.change.forEach((listener) => listener());
  const again = list ? document.querySelector(`#${list} [data-node="${node}"]`) : null;
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** Shows anew what the engine says. */
export const found = () => listeners.found.forEach((listener) => listener());

/** Shows a node of the game. @param {GameNode} node */
export function goTo(node) {
  game().node = node;
  state.picked = [];
  state.pointed = [];
  state.candidate = 0;
  state.marked = [];
  state.hint = null;
  changed();
}

/** The node of a line so many plies after its start, or at its nearer end. */
export function nodeAt(line, depth) {
  return line[Math.min(Math.max(depth, 0), line.length - 1)];
}

/** Ends the lesson and the set-up of a position. What was tried in a lesson is taken out of the game again. */
export function endExercises() {
  const added = state.lesson?.added;
  if (added) remove(state.games.study, added);
  state.lesson = null;
  state.editor = null;
}

/** Opens a game in the study; the one that stood there can be brought back. @param {Game} opened */
export function openStudy(opened) {
  const old = state.games.study;
  if (old !== opened && old.isOwn && old.root.children.length) state.before = old;
  endExercises();
  state.games.study = opened;
  state.tab = "study";
  goTo(opened.node);
}
