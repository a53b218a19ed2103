// The "Learn" tab: puzzles that come with the page, and puzzles made of the user's own mistakes. Solved puzzles are
// repeated after days, by Leitner's spaced repetition. A puzzle is stored as a line of text, see
// ../../analysis/puzzle.rs.

import { $, formatPoints, setOptions, setText } from "./dom.js";
import { t } from "./texts.js";
import { EngineTerminated, canRun, hasEngine } from "./engine.js";
import { askReviewer, searchDeep } from "./review.js";
import { emitChange, game, goTo, onChange, state } from "./state.js";
import { getOrAddChild, newGame } from "./tree.js";
import { ensure, load, save } from "./store.js";
import { isLegal, positionAfter, squareOf } from "./rules.js";
import { decodePosition, encodePosition } from "./link.js";
import { INACCURACY_LOSS, mistakesOfSide } from "./lesson.js";
import { reasonsAbout, renderReasons } from "./reasons.js";
import { revealBoard } from "./board.js";
import { notify } from "./notice.js";

/**
 * A puzzle: find the best move in `position`. `best` and `other` are sequences of moves that begin with the best and
 * the second-best move; `chances` are the win probabilities in percent after these two moves, for the side to move.
 * `id` is the encoded position (see `encodePosition`), `difficulty` is 1 (easy) to 3 (hard), `text` the line of the
 * puzzle file.
 * @typedef {{ text: string, id: string, kind: string, difficulty: number, position: import("./rules.js").Position,
 *   best: string[], other: string[], chances: number[] }} Puzzle
 */

/**
 * Texts on each kind of puzzle, by the kind's name in puzzle files. The texts are keys of the page's texts (see `t`).
 * First: displayed name of the kind; second: sentence, shown after the solution, on why the best move is good. The kind
 * `own` (puzzles from the user's mistakes) has only the first.
 */
const KINDS = /** @type {Record<string, any[]>} */ ({
  wall: ["kindWall", "whyWall"], out: ["kindOut", "whyOut"], split: ["kindSplit", "whySplit"], count: ["kindCount", "whyCount"],
  only: ["kindOnly", "whyOnly"], own: ["kindOwn"],
});

/**
 * Parses a line of a puzzle file, such as `wall 2 POSITION c1c6f6 / d1d5d8 71 58`; returns null if the line is
 * malformed or contains an illegal move. The fields are: kind of puzzle; difficulty from 1 to 3; encoded position; two
 * sequences of moves, one that begins with the best move and one with the second-best; the win probabilities in percent
 * after these two moves. See ../../analysis/puzzle.rs.
 * @param {any} text @returns {Puzzle | null}
 */
function parsePuzzle(text) {
  const [, kind, difficulty, id, best, other, ...chances] =
    /^(\w+) ([123]) (\S+) ((?:\w{6} )+)\/ ((?:\w{6} )+)(\d+) (\d+)$/.exec(text) ?? [];
  const position = id ? decodePosition(id) : null;
  if (!position || !Object.hasOwn(KINDS, kind)) return null;
  const movesOf = (line) => line.trim().split(" ").map((move) => (move.match(/../g) ?? []).join(" "));
  const isLine = (moves) => moves.reduce((at, move) => at && (isLegal(at, move) ? positionAfter(at, move) : null), position);
  const lines = [best, other].map(movesOf);
  const puzzle = { text, id, kind, difficulty: Number(difficulty), position, best: lines[0], other: lines[1], chances: chances.map(Number) };
  return lines.every(isLine) ? puzzle : null;
}

/** Parses lines of the puzzle file to puzzles, and leaves out invalid lines. @param {string[]} texts */
const parsePuzzles = (texts) => texts.flatMap((text) => parsePuzzle(text) ?? []);

/** The puzzles that the page itself contains. Puzzles made from the user's mistakes are in `progress.own` instead. */
const EMBEDDED = parsePuzzles($("puzzles").textContent.split("\n"));

/** True if the page shows the "Learn" tab: it contains puzzles and an engine, and the browser can run the engine. */
export const showsLearnTab = EMBEDDED.length > 0 && hasEngine && canRun;

/**
 * Names of the levels of difficulty, as keys of the page's texts (see `t`). A puzzle of difficulty 1 has the key at
 * index 0.
 */
const DIFFICULTIES = /** @type {const} */ (["easy", "medium", "hard"]);

/**
 * For each box of Leitner's spaced repetition (index from 0), the number of days until a puzzle in the box is shown
 * again. A success moves a puzzle to the next box, a failure to box 0.
 */
const BOX_DAYS = [0, 1, 3, 7, 21, 60];

/**
 * Minimum difference in win probability (0 to 1) between the best and the second-best move of a position in which the
 * user made a mistake. If the difference is smaller, the position does not become a puzzle.
 */
const MIN_LEAD = 0.1;
/**
 * Number of search iterations for a position in which the user made a mistake. The result decides whether the position
 * becomes a puzzle.
 */
const CHECK_ITERATIONS = 100_000;

/**
 * Maximum number of plies of each of the two sequences of moves that a puzzle contains. The first sequence begins with
 * the best move, the second with the second-best move.
 */
const MAX_LINE_PLIES = 4;

// ---- The user's progress

/**
 * The user's progress with the puzzles:
 * - `boxes`: state of each attempted puzzle in the spaced repetition (Leitner system), by the puzzle's id. Each state
 *   is a pair: first, the puzzle's Leitner box, an index of `BOX_DAYS`, where higher boxes have longer intervals until
 *   the next repetition; second, the day of the last attempt, in days since 1 January 1970;
 * - `own`: the puzzles made from the user's mistakes.
 * @type {{ boxes: Record<string, [number, number]>, own: Puzzle[] }}
 */
let progress = { boxes: {}, own: [] };

/** Returns all puzzles: those that the page contains, and then those made from the user's own mistakes. */
const allPuzzles = () => [...EMBEDDED, ...progress.own];

/**
 * Loads the user's progress with the puzzles (`progress`) from local storage. Keeps the present progress if none is
 * saved or if the saved progress is invalid. The caller must load before every change, because other windows of the
 * page may have changed the saved progress.
 */
function loadProgress() {
  const isBox = (box) => Array.isArray(box) && box[0] in BOX_DAYS && Number.isInteger(box[1]);
  progress = load("learn", ({ boxes, own }) => ({
    boxes: ensure(boxes, Object.values(boxes).every(isBox)), own: ensure(parsePuzzles(own), own.every(parsePuzzle)),
  })) ?? progress;
}

const saveProgress = () => save("learn", { boxes: progress.boxes, own: progress.own.map(({ text }) => text) });

/** Returns the present date in the user's time zone, as the number of days since 1 January 1970. */
function today() {
  const now = new Date();
  return Math.floor((now.getTime() / 60_000 - now.getTimezoneOffset()) / 1440);
}

/**
 * Saves the result of an attempt at a puzzle: a success moves the puzzle to the next box, a failure to box 0. The box
 * determines when the puzzle is shown again (see `BOX_DAYS`).
 * @param {Puzzle} puzzle @param {boolean} isSuccess whether the first move that the user tried was right, without a
 * hint
 */
function recordAttempt({ id }, isSuccess) {
  loadProgress();
  const [box] = progress.boxes[id] ?? [0];
  progress.boxes[id] = [isSuccess ? Math.min(box + 1, BOX_DAYS.length - 1) : 0, today()];
  saveProgress();
}

/**
 * States of a puzzle in the schedule of repetitions: `DUE` for repetition today, `NEW` if it was never attempted,
 * `LATER` if it is due on a later day. Puzzles with smaller values are shown first.
 * @enum {number}
 */
const SCHEDULE = { DUE: 0, NEW: 1, LATER: 2 };

/**
 * Returns a puzzle's state in the schedule of repetitions: due today, never attempted, or due on a later day.
 * @param {Puzzle} puzzle @returns {SCHEDULE}
 */
function scheduleOf({ id }) {
  const [box, day] = progress.boxes[id] ?? [];
  if (box === undefined || day === undefined) return SCHEDULE.NEW;
  return day + BOX_DAYS[box] <= today() ? SCHEDULE.DUE : SCHEDULE.LATER;
}

/**
 * Returns the puzzles of one entry of the list in which the user selects what to practise.
 * @param {string} choice `today` (puzzles due for repetition, and new puzzles), or a kind of puzzles: a key of `KINDS`
 */
function puzzlesFor(choice) {
  if (choice === "own") return progress.own;
  return allPuzzles().filter((puzzle) => (choice === "today" ? scheduleOf(puzzle) !== SCHEDULE.LATER : puzzle.kind === choice));
}

// ---- The current puzzle

/**
 * State of the user's attempt at the current puzzle:
 * - `puzzle`: the current puzzle; null if there is none;
 * - `status`: `open` before a move, `judging` while the engine analyses a wrong move, `missed` afterwards, `solved`
 *   after the right move;
 * - `hints`: number of hints given, from 0 to 3;
 * - `isClean`: true until the first hint or wrong move;
 * - `tried`: the last move that the user has tried, such as `c1 c6 f6`;
 * - `loss`: loss of the tried move in win probability (0 to 1); null if unknown;
 * - `reasons`: explanations of why the tried move is good or bad.
 */
const attempt = {
  puzzle: /** @type {Puzzle | null} */ (null), status: /** @type {"open" | "judging" | "missed" | "solved"} */ ("open"),
  hints: 0, isClean: true, tried: "", loss: /** @type {number | null} */ (null), reasons: /** @type {import("./reasons.js").Reason[]} */ ([]),
};

/**
 * Ids of the puzzles that the user has left unsolved since the page was loaded, the latest last. `showNextPuzzle` shows
 * all other puzzles before these.
 * @type {string[]}
 */
let skipped = [];

/**
 * Shows the current puzzle of the "Learn" tab, or the next puzzle if there is no current one. Called whenever the user
 * opens the tab.
 */
export function beginLearning() {
  if (attempt.puzzle) goTo(game().node);
  else showNextPuzzle();
}

/**
 * Shows the next puzzle of the selected kind. Puzzles that the user has left unsolved come last. All others are shown
 * in this order: puzzles due for repetition, then new ones, then those due on a later day; in each group, easy puzzles
 * first.
 */
function showNextPuzzle() {
  loadProgress();
  const last = attempt.puzzle?.id;
  if (last && attempt.status !== "solved") skipped = [...skipped.filter((id) => id !== last), last];
  const rank = (puzzle) => [skipped.indexOf(puzzle.id), scheduleOf(puzzle), puzzle.difficulty];
  const chosen = puzzlesFor($("puzzle-kind").value || "today");
  const others = chosen.filter(({ id }) => id !== last);
  const order = (others.length ? others : chosen).sort((a, b) => {
    const [one, two] = [rank(a), rank(b)];
    return one.map((part, at) => part - two[at]).find((difference) => difference) ?? 0;
  });
  const [puzzle = null] = order;
  Object.assign(attempt, { puzzle, status: "open", hints: 0, isClean: true, tried: "", loss: null, reasons: [] });
  if (puzzle) {
    state.games.learn = newGame(puzzle.position);
    // The board is turned if black is to move in the puzzle, so that black's amazons begin at the bottom.
    state.isPuzzleTurned = puzzle.position.toMove === "black";
  }
  goTo(state.games.learn.root);
  revealBoard();
}

/**
 * Shows the message of an engine's error to the user in a notice. Ignores `EngineTerminated`, the error after the page
 * itself has terminated the engine.
 */
const reportError = (error) => error instanceof EngineTerminated || notify(t("engineFailed", error.message));

/**
 * Tests if the user may enter a move as the solution of the current puzzle. This is so if the status is `open` (no move
 * tried yet, or none since the last hint) or `missed` (the last move was wrong, and the user may try again). Returns
 * false if there is no puzzle, if it is solved, or while the engine analyses a wrong move.
 */
export const canSolve = () => attempt.puzzle !== null && (attempt.status === "open" || attempt.status === "missed");

/**
 * Plays the user's move in the current puzzle, and tests if it is the puzzle's best move. Asks the engine for
 * explanations of why the move is good or bad, and for its loss in win probability if it is wrong; stores the results
 * in `attempt`. Takes a wrong move back afterwards.
 * @param {string} move such as `c1 c6 f6`
 */
export async function trySolution(move) {
  const { puzzle } = attempt;
  if (!puzzle) return;
  const isRight = move === puzzle.best[0];
  if (isRight || attempt.isClean) recordAttempt(puzzle, isRight && attempt.isClean);
  Object.assign(attempt, { status: isRight ? "solved" : "judging", isClean: attempt.isClean && isRight, tried: move, loss: null, reasons: [] });
  goTo(getOrAddChild(game().root, move));
  const { cells, toMove } = puzzle.position;
  const start = { cells, to_move: toMove };
  try {
    const judged = await askReviewer(isRight ? { ask: "why", start, lines: [puzzle.best, puzzle.other] } : { ask: "try", start, moves: [move] });
    if (attempt.puzzle === puzzle) Object.assign(attempt, { loss: judged.loss ?? null, reasons: [...reasonsAbout(judged, move), ...(isRight ? reasonsAbout(judged, puzzle.other[0]) : [])] });
  } catch (error) {
    reportError(error);
  }
  if (attempt.puzzle !== puzzle) return;
  if (!isRight) {
    attempt.status = "missed";
    state.games.learn.node = state.games.learn.root;
  }
  emitChange();
}

/**
 * Shows the next of three hints on the best move: first the amazon's square, then also the amazon's destination, then
 * the whole move with its arrow.
 */
function giveHint() {
  const { puzzle } = attempt;
  if (!puzzle) return;
  if (attempt.isClean) recordAttempt(puzzle, false);
  Object.assign(attempt, { status: "open", hints: attempt.hints + 1, isClean: false, reasons: [] });
  goTo(game().root);
  const [move] = puzzle.best;
  if (attempt.hints === 3) state.hint = move;
  else state.highlighted = move.split(" ").slice(0, attempt.hints).map(squareOf);
  emitChange();
}

/**
 * Makes puzzles from the mistakes of the selected side in the reviewed game. Searches the position before each mistake
 * with `CHECK_ITERATIONS` iterations. A position becomes a puzzle if the best move has a win probability of at least
 * 0.5, and at least `MIN_LEAD` more than the second-best.
 */
async function createOwnPuzzles() {
  const nodes = mistakesOfSide($("lesson-side").value);
  let added = 0;
  $("practise").disabled = true;
  try {
    for (const [at, { parent }] of nodes.entries()) {
      if (!parent) continue;
      notify(t("practising", at + 1, nodes.length));
      const text = encodePuzzle(parent.position, (await searchDeep(parent.position, CHECK_ITERATIONS)).candidates);
      const [puzzle] = text ? parsePuzzles([text]) : [];
      loadProgress();
      if (!puzzle || allPuzzles().some(({ id }) => id === puzzle.id)) continue;
      progress.own.push(puzzle);
      saveProgress();
      added += 1;
    }
    notify(t("practised", added, nodes.length));
  } catch (error) {
    reportError(error);
  }
  $("practise").disabled = false;
  emitChange();
}

/**
 * Returns a puzzle made from a mistake of the user, as a line of a puzzle file (see `parsePuzzle`). Returns null if the
 * position has no clearly best move: the win probability after the best move is below 0.5, or less than `MIN_LEAD`
 * above that after the second-best move.
 * @param {import("./rules.js").Position} position the position before the mistake
 * @param {any[]} candidates the candidate moves in the analysis of the position, the best move first
 */
function encodePuzzle(position, [best, ...others]) {
  const [other] = others.sort((a, b) => b.win_probability - a.win_probability);
  if (!best || !other || best.win_probability < Math.max(0.5, other.win_probability + MIN_LEAD)) return null;
  const written = (line) => line.slice(0, MAX_LINE_PLIES).map((move) => move.replaceAll(" ", "")).join(" ");
  const chances = [best, other].map(({ win_probability: chance }) => Math.round(100 * chance));
  return `own 2 ${encodePosition(position)} ${written(best.principal_variation)} / ${written(other.principal_variation)} ${chances.join(" ")}`;
}

// ---- Texts

/**
 * Returns the message below the current puzzle: which square to pick next, a hint, or how good the user's last move was.
 * The state of the user's attempt determines which of them.
 * @param {Puzzle} puzzle
 */
function messageText({ best, kind }) {
  const { status, tried, loss, hints } = attempt;
  if (status === "solved") return t("right", tried, KINDS[kind][1] ? t(KINDS[kind][1]) : "");
  if (status === "judging") return t("judging", tried);
  const chosen = state.picked.length;
  if (status === "missed" && !chosen) return loss === null ? t("notIt", tried) : t(loss < INACCURACY_LOSS ? "goodButNot" : "notGood", tried, formatPoints(loss));
  if (hints && !chosen) return t(/** @type {const} */ (["hintFrom", "hintTo", "hintArrow"])[hints - 1], best[0].split(" ")[hints - 1]);
  return t(/** @type {const} */ (["chooseAmazon", "chooseTo", "chooseArrow"])[chosen]);
}

function renderChoices() {
  const due = allPuzzles().filter((puzzle) => scheduleOf(puzzle) === SCHEDULE.DUE).length;
  const kinds = ["today", ...Object.keys(KINDS).filter((kind) => puzzlesFor(kind).length)];
  const named = (kind) => t(kind === "today" ? "kindToday" : KINDS[kind][0]);
  setOptions($("puzzle-kind"), kinds.map((kind) => [kind, `${named(kind)} (${puzzlesFor(kind).length})`]));
  const isSolved = ({ id }) => (progress.boxes[id]?.[0] ?? 0) > 0;
  setText($("puzzle-record"), t("puzzlesKnown", allPuzzles().filter(isSolved).length, allPuzzles().length, due));
}

function renderPuzzle() {
  $("tab-learn").hidden = !showsLearnTab;
  if (state.tab !== "learn") return;
  const { puzzle, status, reasons, hints } = attempt;
  renderReasons($("puzzle-reasons"), reasons, puzzle?.position);
  $("puzzle-hint").disabled = !canSolve() || hints === 3;
  setText($("puzzle-next"), t(status === "solved" ? "nextOne" : "skip"));
  $("puzzle-next").classList.toggle("main", status === "solved");
  setText($("puzzle-title"), puzzle ? titleText(puzzle) : t("learn"));
  setText($("puzzle-message"), puzzle ? messageText(puzzle) : t("nothingDue"));
  setText($("puzzle-task"), puzzle ? taskText(puzzle) : "");
  renderChoices();
}

/**
 * Returns the heading of a puzzle: its kind and its difficulty. The heading of a puzzle made from the user's own
 * mistake omits the difficulty.
 * @param {Puzzle} puzzle
 */
function titleText({ kind, difficulty }) {
  const name = t(KINDS[kind][0]);
  return kind === "own" ? name : t("namely", name, t(DIFFICULTIES[difficulty - 1]));
}

/**
 * Returns the sentence above the current puzzle: which side is to find the best move. Once the puzzle is solved,
 * returns instead the win probabilities after the best and after the second-best move.
 * @param {Puzzle} puzzle
 */
function taskText({ position, chances, other }) {
  return attempt.status === "solved" ? t("solvedBy", chances[0], other[0], chances[1]) : t("findBest", t(position.toMove));
}

/** Sets up the "Learn" tab: loads the user's progress, and adds the event handlers of the tab's buttons. */
export function initLearn() {
  loadProgress();
  onChange(renderPuzzle);
  $("puzzle-next").onclick = showNextPuzzle;
  $("puzzle-hint").onclick = giveHint;
  $("puzzle-kind").onchange = showNextPuzzle;
  $("practise").hidden = !showsLearnTab;
  $("practise").onclick = createOwnPuzzles;
}
