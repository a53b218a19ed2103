// "Learn": puzzles, those that come with the page and one's own mistakes. What was solved comes again after days, the longer the
// better it is known (Leitner). A puzzle is a line of text, see ../../analysis/puzzle.rs.

import { $, points, setOptions, setText } from "./elements.js";
import { say } from "./words.js";
import { Ended, canRun, hasEngine } from "./engine.js";
import { askReviewer, searchDeep } from "./review.js";
import { changed, game, goTo, onChange, state } from "./state.js";
import { child, newGame } from "./tree.js";
import { checked, keep, kept } from "./store.js";
import { after, isLegal, squareOf } from "./rules.js";
import { packed, unpacked } from "./link.js";
import { FAIR, lessonsOf } from "./lesson.js";
import { reasonsOn, tellReasons } from "./reasons.js";
import { revealBoard } from "./board.js";
import { notify } from "./notice.js";

/** A puzzle: the lines of the best move and of the best other one, and the win probability in % behind each. `id` is its position.
 * @typedef {{ text: string, id: string, kind: string, difficulty: number, position: import("./rules.js").Position, best: string[], other: string[], chances: number[] }} Puzzle */

/** What the kinds are called, and what is said of a move that solves one. */
const KINDS = /** @type {Record<string, any[]>} */ ({
  wall: ["kindWall", "whyWall"], out: ["kindOut", "whyOut"], split: ["kindSplit", "whySplit"], count: ["kindCount", "whyCount"],
  only: ["kindOnly", "whyOnly"], own: ["kindOwn"],
});

/** The puzzle of a line of text; nothing if it is none. @param {any} text @returns {Puzzle | null} */
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

/** The puzzles of some lines of text, those that are none left out. @param {string[]} texts */
const puzzlesOf = (texts) => texts.flatMap((text) => puzzleOf(text) ?? []);

/** The puzzles that come with the page. */
const SET = puzzlesOf($("puzzles").textContent.split("\n"));

/** Whether there is anything to learn here. */
export const mayLearn = SET.length > 0 && hasEngine && canRun;

const DIFFICULTIES = /** @type {const} */ (["easy", "medium", "hard"]);

/** Days after which a puzzle comes again, by its box: how often in a row it was solved without help. */
const DAYS = [0, 1, 3, 7, 21, 60];

/** How far the best move of a mistake must be ahead of the others, as in the page's own puzzles; and the iterations that find out. */
const GAP = 0.1;
const EFFORT = 100_000;

/** Plies of a line that a person can foresee. */
const PLIES = 4;

// ---- What is known

/** Box and day of each puzzle that was tried, by its position, and the puzzles of one's own games. @type {{ boxes: Record<string, [number, number]>, own: Puzzle[] }} */
let known = { boxes: {}, own: [] };

/** All puzzles. */
const whole = () => [...SET, ...known.own];

/** Reads what is kept. Other windows may have gone on meanwhile: all of them add to the same. */
function recall() {
  const isBox = (box) => Array.isArray(box) && box[0] in DAYS && Number.isInteger(box[1]);
  known = kept("learn", ({ boxes, own }) => ({
    boxes: checked(boxes, Object.values(boxes).every(isBox)), own: checked(puzzlesOf(own), own.every(puzzleOf)),
  })) ?? known;
}

const keepAll = () => keep("learn", { boxes: known.boxes, own: known.own.map(({ text }) => text) });

/** The number of this day, where the reader is. */
function today() {
  const now = new Date();
  return Math.floor((now.getTime() / 60_000 - now.getTimezoneOffset()) / 1440);
}

/** Keeps that a puzzle was tried. @param {Puzzle} puzzle @param {boolean} isKnown solved without help */
function note({ id }, isKnown) {
  recall();
  const [box] = known.boxes[id] ?? [0];
  known.boxes[id] = [isKnown ? Math.min(box + 1, DAYS.length - 1) : 0, today()];
  keepAll();
}

/** Whether a puzzle is due, new, or comes later. @enum {number} */
const TURN = { DUE: 0, NEW: 1, LATER: 2 };

/** @param {Puzzle} puzzle @returns {TURN} */
function turnOf({ id }) {
  const [box, day] = known.boxes[id] ?? [];
  if (box === undefined || day === undefined) return TURN.NEW;
  return day + DAYS[box] <= today() ? TURN.DUE : TURN.LATER;
}

/** The puzzles of a choice. @param {string} choice */
function those(choice) {
  if (choice === "own") return known.own;
  return whole().filter((puzzle) => (choice === "today" ? turnOf(puzzle) !== TURN.LATER : puzzle.kind === choice));
}

// ---- The puzzle under way

/** The puzzle that is shown, how many hints were given, and what became of it; `loss` and `reasons` are of the move that was tried. */
const round = {
  puzzle: /** @type {Puzzle | null} */ (null), is: /** @type {"open" | "judging" | "missed" | "solved"} */ ("open"),
  hints: 0, isClean: true, tried: "", loss: /** @type {number | null} */ (null), reasons: /** @type {import("./reasons.js").Reason[]} */ ([]),
};

/** The positions that were passed over: they come behind the others. @type {string[]} */
let passed = [];

/** Goes on with what was under way, or begins. */
export function beginLearning() {
  if (round.puzzle) goTo(game().node);
  else next();
}

/** Sets the next puzzle of the choice: what is due, then what is new, the easiest first; what was passed over last. */
function next() {
  recall();
  const last = round.puzzle?.id;
  if (last && round.is !== "solved") passed = [...passed.filter((id) => id !== last), last];
  const rank = (puzzle) => [passed.indexOf(puzzle.id), turnOf(puzzle), puzzle.difficulty];
  const chosen = those($("puzzle-kind").value || "today");
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

/** Tests if the learner is to move. */
export const maySolve = () => round.puzzle !== null && (round.is === "open" || round.is === "missed");

/** Judges a move of the learner. One that is not the best is taken back. @param {string} move */
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

/** Shows a little more of the move at each press: the amazon, where it goes, its arrow. */
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

/** Takes the mistakes of a reviewed game among the puzzles that have one clearly best move by a long search. */
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
      keepAll();
      added += 1;
    }
    notify(say("practised", added, nodes.length));
  } catch (error) {
    complain(error);
  }
  $("practise").disabled = false;
  changed();
}

/** The line of text of the puzzle that a position is by the best moves of a search; nothing if none is clearly best. */
function textOf(position, [best, ...others]) {
  const [other] = others.sort((a, b) => b.win_probability - a.win_probability);
  if (!best || !other || best.win_probability < Math.max(0.5, other.win_probability + GAP)) return null;
  const written = (line) => line.slice(0, PLIES).map((move) => move.replaceAll(" ", "")).join(" ");
  const chances = [best, other].map(({ win_probability: chance }) => Math.round(100 * chance));
  return `own 2 ${packed(position)} ${written(best.principal_variation)} / ${written(other.principal_variation)} ${chances.join(" ")}`;
}

// ---- What is said

/** What is said of the puzzle now. @param {Puzzle} puzzle */
function said({ best, kind }) {
  const { is, tried, loss, hints } = round;
  if (is === "solved") return say("right", tried, KINDS[kind][1] ? say(KINDS[kind][1]) : "");
  if (is === "judging") return say("judging", tried);
  const chosen = state.picked.length;
  if (is === "missed" && !chosen) return loss === null ? say("notIt", tried) : say(loss < FAIR ? "goodButNot" : "notGood", tried, points(loss));
  if (hints && !chosen) return say(/** @type {const} */ (["hintFrom", "hintTo", "hintArrow"])[hints - 1], best[0].split(" ")[hints - 1]);
  return say(/** @type {const} */ (["chooseAmazon", "chooseTo", "chooseArrow"])[chosen]);
}

function tellChoices() {
  const due = whole().filter((puzzle) => turnOf(puzzle) === TURN.DUE).length;
  const kinds = ["today", ...Object.keys(KINDS).filter((kind) => those(kind).length)];
  const named = (kind) => say(kind === "today" ? "kindToday" : KINDS[kind][0]);
  setOptions($("puzzle-kind"), kinds.map((kind) => [kind, `${named(kind)} (${those(kind).length})`]));
  const solved = Object.values(known.boxes).filter(([box]) => box > 0).length;
  setText($("puzzle-record"), say("puzzlesKnown", solved, whole().length, due));
}

function tellPuzzle() {
  $("tab-learn").hidden = !mayLearn;
  if (state.tab !== "learn") return;
  const { puzzle, is, reasons, hints } = round;
  tellReasons($("puzzle-reasons"), reasons);
  $("puzzle-hint").disabled = !maySolve() || hints === 3;
  setText($("puzzle-next"), say(is === "solved" ? "nextOne" : "skip"));
  setText($("puzzle-title"), puzzle ? title(puzzle) : say("learn"));
  setText($("puzzle-said"), puzzle ? said(puzzle) : say("nothingDue"));
  setText($("puzzle-task"), puzzle ? task(puzzle) : "");
  tellChoices();
}

/** How hard a mistake was nobody has measured. @param {Puzzle} puzzle */
function title({ kind, difficulty }) {
  const name = say(KINDS[kind][0]);
  return kind === "own" ? name : say("namely", name, say(DIFFICULTIES[difficulty - 1]));
}

/** @param {Puzzle} puzzle */
function task({ position, chances, other }) {
  return round.is === "solved" ? say("solvedBy", chances[0], other[0], chances[1]) : say("findBest", say(position.toMove));
}

/** Shows the puzzles and listens to their buttons. */
export function showLearn() {
  recall();
  onChange(tellPuzzle);
  $("puzzle-next").onclick = next;
  $("puzzle-hint").onclick = hint;
  $("puzzle-kind").onchange = next;
  $("practise").hidden = !mayLearn;
  $("practise").onclick = practise;
}
