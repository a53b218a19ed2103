// The "Learn" tab: puzzles that come with the page, and puzzles made of the user's own mistakes. Solved puzzles are repeated
// after days, by Leitner's spaced repetition. A puzzle is stored as a line of text, see ../../analysis/puzzle.rs.

import { $, points, setOptions, setText } from "./elements.js";
import { say } from "./words.js";
import { Ended, canRun, hasEngine } from "./engine.js";
import { askReviewer, searchDeep } from "./review.js";
import { changed, game, goTo, onChange, state } from "./state.js";
import { child, newGame } from "./tree.js";
import { checked, loadValue, saveValue } from "./store.js";
import { after, isLegal, squareOf } from "./rules.js";
import { packed, unpacked } from "./link.js";
import { FAIR, lessonsOf } from "./lesson.js";
import { reasonsOn, renderReasons } from "./reasons.js";
import { revealBoard } from "./board.js";
import { notify } from "./notice.js";

/**
 * A puzzle. `best` and `other` are the lines that begin with the best and the second-best move, `chances` the win probability
 * after each of these moves in percent. `id` is the position in the letters of a link.
 * @typedef {{ text: string, id: string, kind: string, difficulty: number, position: import("./rules.js").Position,
 *   best: string[], other: string[], chances: number[] }} Puzzle */

/** For each kind of puzzle, the keys of two texts: the kind's name, and why the solution is good. */
const KINDS = /** @type {Record<string, any[]>} */ ({
  wall: ["kindWall", "whyWall"], out: ["kindOut", "whyOut"], split: ["kindSplit", "whySplit"], count: ["kindCount", "whyCount"],
  only: ["kindOnly", "whyOnly"], own: ["kindOwn"],
});

/**
 * Parses a puzzle from its line of text; returns null if the text is invalid or a move is illegal.
 * @param {any} text @returns {Puzzle | null}
 */
function puzzleOf(text) {
  const [, kind, difficulty, id, best, other, ...chances] =
    /^(\w+) ([123]) (\S+) ((?:\w{6} )+)\/ ((?:\w{6} )+)(\d+) (\d+)$/.exec(text) ?? [];
  const position = id ? unpacked(id) : null;
  if (!position || !Object.hasOwn(KINDS, kind)) return null;
  const movesOf = (line) => line.trim().split(" ").map((move) => (move.match(/../g) ?? []).join(" "));
  const isLine = (moves) => moves.reduce((at, move) => at && (isLegal(at, move) ? after(at, move) : null), position);
  const lines = [best, other].map(movesOf);
  const puzzle = { text, id, kind, difficulty: Number(difficulty), position, best: lines[0], other: lines[1], chances: chances.map(Number) };
  return lines.every(isLine) ? puzzle : null;
}

/** Parses puzzles from lines of text and skips invalid lines. @param {string[]} texts */
const puzzlesOf = (texts) => texts.flatMap((text) => puzzleOf(text) ?? []);

/** The puzzles that are embedded in the page. */
const SET = puzzlesOf($("puzzles").textContent.split("\n"));

/** Whether the page offers the "Learn" tab: this needs embedded puzzles and a working engine. */
export const mayLearn = SET.length > 0 && hasEngine && canRun;

const DIFFICULTIES = /** @type {const} */ (["easy", "medium", "hard"]);

/** Number of days until a puzzle is repeated, by its Leitner box (times in a row that the puzzle was solved without help). */
const DAYS = [0, 1, 3, 7, 21, 60];

/** Minimum lead in win probability of the best move over all others, for a user's mistake to become a puzzle. */
const GAP = 0.1;
/** Number of search iterations that check if a user's mistake makes a puzzle. */
const EFFORT = 100_000;

/** Maximum number of plies in a puzzle's lines: as many as a person can foresee. */
const PLIES = 4;

// ---- The user's progress

/**
 * The user's progress: by puzzle id, its Leitner box and the day when it was last tried; and the puzzles of the user's own
 * games.
 * @type {{ boxes: Record<string, [number, number]>, own: Puzzle[] }}
 */
let known = { boxes: {}, own: [] };

/** Returns all puzzles: those embedded in the page and the user's own. */
const whole = () => [...SET, ...known.own];

/** Reads the progress from local storage. All windows share it, so it is read again before every change. */
function recall() {
  const isBox = (box) => Array.isArray(box) && box[0] in DAYS && Number.isInteger(box[1]);
  known = loadValue("learn", ({ boxes, own }) => ({
    boxes: checked(boxes, Object.values(boxes).every(isBox)), own: checked(puzzlesOf(own), own.every(puzzleOf)),
  })) ?? known;
}

const saveAll = () => saveValue("learn", { boxes: known.boxes, own: known.own.map(({ text }) => text) });

/** Returns the number of days since 1970 in the user's time zone. */
function today() {
  const now = new Date();
  return Math.floor((now.getTime() / 60_000 - now.getTimezoneOffset()) / 1440);
}

/**
 * Saves the result of an attempt: moves the puzzle to the next Leitner box if solved, or back to the first box.
 * @param {Puzzle} puzzle @param {boolean} isKnown solved at the first attempt and without a hint
 */
function note({ id }, isKnown) {
  recall();
  const [box] = known.boxes[id] ?? [0];
  known.boxes[id] = [isKnown ? Math.min(box + 1, DAYS.length - 1) : 0, today()];
  saveAll();
}

/** Schedule of a puzzle: due for repetition, never tried, or due on a later day. @enum {number} */
const TURN = { DUE: 0, NEW: 1, LATER: 2 };

/** Returns whether a puzzle is due today, new, or due later. @param {Puzzle} puzzle @returns {TURN} */
function turnOf({ id }) {
  const [box, day] = known.boxes[id] ?? [];
  if (box === undefined || day === undefined) return TURN.NEW;
  return day + DAYS[box] <= today() ? TURN.DUE : TURN.LATER;
}

/**
 * Returns the puzzles to choose from: the user's own, those for today, or those of one kind.
 * @param {string} choice `own`, `today` or a kind
 */
function puzzlesToChoose(choice) {
  if (choice === "own") return known.own;
  return whole().filter((puzzle) => (choice === "today" ? turnOf(puzzle) !== TURN.LATER : puzzle.kind === choice));
}

// ---- The current puzzle

/**
 * State of the current puzzle: number of hints given, the move that was tried, its loss in win probability and the reasons
 * for this judgement. `isClean` is true until a hint or a wrong move.
 */
const round = {
  puzzle: /** @type {Puzzle | null} */ (null), is: /** @type {"open" | "judging" | "missed" | "solved"} */ ("open"),
  hints: 0, isClean: true, tried: "", loss: /** @type {number | null} */ (null), reasons: /** @type {import("./reasons.js").Reason[]} */ ([]),
};

/** Ids of puzzles that the user skipped, the latest last; other puzzles come first. @type {string[]} */
let passed = [];

/** Shows the current puzzle when the tab is opened, or the first puzzle if there is none yet. */
export function beginLearning() {
  if (round.puzzle) goTo(game().node);
  else next();
}

/** Shows the next puzzle of the selected kind: due puzzles first, then new puzzles, easy before hard, skipped puzzles last. */
function next() {
  recall();
  const last = round.puzzle?.id;
  if (last && round.is !== "solved") passed = [...passed.filter((id) => id !== last), last];
  const rank = (puzzle) => [passed.indexOf(puzzle.id), turnOf(puzzle), puzzle.difficulty];
  const chosen = puzzlesToChoose($("puzzle-kind").value || "today");
  const others = chosen.filter(({ id }) => id !== last);
  const order = (others.length ? others : chosen).sort((a, b) => {
    const [one, two] = [rank(a), rank(b)];
    return one.map((part, at) => part - two[at]).find((difference) => difference) ?? 0;
  });
  const [puzzle = null] = order;
  Object.assign(round, { puzzle, is: "open", hints: 0, isClean: true, tried: "", loss: null, reasons: [] });
  if (puzzle) state.games.learn = newGame(puzzle.position);
  goTo(state.games.learn.root);
  revealBoard();
}

const complain = (error) => error instanceof Ended || notify(say("engineFailed", error.message));

/** Tests if the user may enter a move as the puzzle's solution. */
export const maySolve = () => round.puzzle !== null && (round.is === "open" || round.is === "missed");

/** Judges the user's move and shows the reasons. A move other than the solution is taken back. @param {string} move */
export async function trySolution(move) {
  const { puzzle } = round;
  if (!puzzle) return;
  const isRight = move === puzzle.best[0];
  if (isRight || round.isClean) note(puzzle, isRight && round.isClean);
  Object.assign(round, { is: isRight ? "solved" : "judging", isClean: round.isClean && isRight, tried: move, loss: null, reasons: [] });
  goTo(child(game().root, move));
  const { cells, toMove } = puzzle.position;
  const start = { cells, to_move: toMove };
  try {
    const found = await askReviewer(isRight ? { ask: "why", start, lines: [puzzle.best, puzzle.other] } : { ask: "try", start, moves: [move] });
    if (round.puzzle === puzzle) Object.assign(round, { loss: found.loss ?? null, reasons: [...reasonsOn(found, move), ...(isRight ? reasonsOn(found, puzzle.other[0]) : [])] });
  } catch (error) {
    complain(error);
  }
  if (round.puzzle !== puzzle) return;
  if (!isRight) {
    round.is = "missed";
    state.games.learn.node = state.games.learn.root;
  }
  changed();
}

/** Gives the next hint on the solution: first the amazon, then also its destination, then the whole move with the arrow. */
function hint() {
  const { puzzle } = round;
  if (!puzzle) return;
  if (round.isClean) note(puzzle, false);
  Object.assign(round, { is: "open", hints: round.hints + 1, isClean: false, reasons: [] });
  goTo(game().root);
  const [move] = puzzle.best;
  if (round.hints === 3) state.hint = move;
  else state.marked = move.split(" ").slice(0, round.hints).map(squareOf);
  changed();
}

/** Makes puzzles of the mistakes in the reviewed game: those positions in which a long search finds one clearly best move. */
async function practise() {
  const nodes = lessonsOf($("lesson-side").value);
  let added = 0;
  $("practise").disabled = true;
  try {
    for (const [at, { parent }] of nodes.entries()) {
      if (!parent) continue;
      notify(say("practising", at + 1, nodes.length));
      const text = textOf(parent.position, (await searchDeep(parent.position, EFFORT)).candidates);
      const [puzzle] = text ? puzzlesOf([text]) : [];
      recall();
      if (!puzzle || whole().some(({ id }) => id === puzzle.id)) continue;
      known.own.push(puzzle);
      saveAll();
      added += 1;
    }
    notify(say("practised", added, nodes.length));
  } catch (error) {
    complain(error);
  }
  $("practise").disabled = false;
  changed();
}

/**
 * Returns the puzzle's line of text for a position and the best moves that a search found, or null if no move is clearly best.
 */
function textOf(position, [best, ...others]) {
  const [other] = others.sort((a, b) => b.win_probability - a.win_probability);
  if (!best || !other || best.win_probability < Math.max(0.5, other.win_probability + GAP)) return null;
  const written = (line) => line.slice(0, PLIES).map((move) => move.replaceAll(" ", "")).join(" ");
  const chances = [best, other].map(({ win_probability: chance }) => Math.round(100 * chance));
  return `own 2 ${packed(position)} ${written(best.principal_variation)} / ${written(other.principal_variation)} ${chances.join(" ")}`;
}

// ---- Texts

/** Returns the message below the puzzle: what to choose next, a hint, or the verdict on the move. @param {Puzzle} puzzle */
function said({ best, kind }) {
  const { is, tried, loss, hints } = round;
  if (is === "solved") return say("right", tried, KINDS[kind][1] ? say(KINDS[kind][1]) : "");
  if (is === "judging") return say("judging", tried);
  const chosen = state.picked.length;
  if (is === "missed" && !chosen) return loss === null ? say("notIt", tried) : say(loss < FAIR ? "goodButNot" : "notGood", tried, points(loss));
  if (hints && !chosen) return say(/** @type {const} */ (["hintFrom", "hintTo", "hintArrow"])[hints - 1], best[0].split(" ")[hints - 1]);
  return say(/** @type {const} */ (["chooseAmazon", "chooseTo", "chooseArrow"])[chosen]);
}

function renderChoices() {
  const due = whole().filter((puzzle) => turnOf(puzzle) === TURN.DUE).length;
  const kinds = ["today", ...Object.keys(KINDS).filter((kind) => puzzlesToChoose(kind).length)];
  const named = (kind) => say(kind === "today" ? "kindToday" : KINDS[kind][0]);
  setOptions($("puzzle-kind"), kinds.map((kind) => [kind, `${named(kind)} (${puzzlesToChoose(kind).length})`]));
  const solved = Object.values(known.boxes).filter(([box]) => box > 0).length;
  setText($("puzzle-record"), say("puzzlesKnown", solved, whole().length, due));
}

function renderPuzzle() {
  $("tab-learn").hidden = !mayLearn;
  if (state.tab !== "learn") return;
  const { puzzle, is, reasons, hints } = round;
  renderReasons($("puzzle-reasons"), reasons);
  $("puzzle-hint").disabled = !maySolve() || hints === 3;
  setText($("puzzle-next"), say(is === "solved" ? "nextOne" : "skip"));
  setText($("puzzle-title"), puzzle ? title(puzzle) : say("learn"));
  setText($("puzzle-said"), puzzle ? said(puzzle) : say("nothingDue"));
  setText($("puzzle-task"), puzzle ? task(puzzle) : "");
  renderChoices();
}

/**
 * Returns the puzzle's heading: its kind, and its difficulty except for the user's own mistakes, whose difficulty is unknown.
 * @param {Puzzle} puzzle
 */
function title({ kind, difficulty }) {
  const name = say(KINDS[kind][0]);
  return kind === "own" ? name : say("namely", name, say(DIFFICULTIES[difficulty - 1]));
}

/**
 * Returns the task, or after the solution the win probabilities of the best and the second-best move.
 * @param {Puzzle} puzzle
 */
function task({ position, chances, other }) {
  return round.is === "solved" ? say("solvedBy", chances[0], other[0], chances[1]) : say("findBest", say(position.toMove));
}

/** Sets up the "Learn" tab: loads the progress and adds the event handlers of its buttons. */
export function showLearn() {
  recall();
  onChange(renderPuzzle);
  $("puzzle-next").onclick = next;
  $("puzzle-hint").onclick = hint;
  $("puzzle-kind").onchange = next;
  $("practise").hidden = !mayLearn;
  $("practise").onclick = practise;
}
