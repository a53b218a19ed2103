// Packs the engine's analysis of positions as compact JSON for local storage and SGF files (`packFindings`), and
// unpacks it (`unpackFindings`). Unpacking validates the data, because both can be damaged or edited.

import { isLegal, positionAfter } from "./rules.js";

/** @typedef {import("./tree.js").Findings} Findings */

/**
 * Digits of base-64 numbers in links and saved analyses, by value from 0 (`A`) to 63 (`_`). None of these characters
 * needs an escape in a URL.
 */
export const BASE64_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * Number of quantisation steps for the saved ownership of a square: 31 steps from 0 (neutral) to 1 (certainly black's),
 * and 31 steps from 0 to −1 (certainly white's).
 */
const OWNERSHIP_STEPS = 31;

/** Maximum number of moves of each principal variation in a saved analysis. The page never displays more moves. */
const MAX_SAVED_MOVES = 6;

/**
 * Rounds a number to five decimals, and returns other values unchanged. Saved analyses contain rounded numbers.
 * Displayed numbers are rounded in the same way, so that they do not change when an analysis is saved and loaded.
 */
export const roundSaved = (/** @type {any} */ value) => (typeof value === "number" ? Number(value.toFixed(5)) : value);

const isNumber = (/** @type {any} */ value) => Number.isFinite(value);
const isOptional = (/** @type {any} */ value) => value === undefined || isNumber(value);
const isMove = (/** @type {any} */ value) => /^[a-h][1-8]( [a-h][1-8]){2}$/.test(value);
const isPlayer = (/** @type {any} */ value) => value === "black" || value === "white";

/**
 * Converts an analysis of a position to a smaller object, which is stored in files and in the browser's storage;
 * `unpackFindings` is the inverse. Rounds numbers to five decimals, and cuts principal variations to `MAX_SAVED_MOVES`
 * moves. Encodes `ownership` (the estimated owner of each square, from −1 for white to 1 for black) as a string of 64
 * base-64 digits, one for each square, row by row from a1. The digits' values are from 0 (−1) to 62 (1), in steps of
 * 1/31.
 * @param {Findings} findings
 */
export function packFindings({ ownership, candidates, ...rest }) {
  const packCandidate = ({ principal_variation: line, ...candidate }) =>
    ({ ...mapValues(candidate, roundSaved), principal_variation: line.slice(0, MAX_SAVED_MOVES) });
  const letters = ownership && ownership.map((share) => BASE64_DIGITS[Math.round((share + 1) * OWNERSHIP_STEPS)]).join("");
  return { ...mapValues(rest, roundSaved), ownership: letters, candidates: candidates.map(packCandidate) };
}

/**
 * Returns a copy of an object in which each value is replaced by `change(value)`.
 * @param {object} object @param {(value: any) => any} change
 */
const mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/**
 * Validates an analysis that `packFindings` has packed, and unpacks it. Returns null if a field is invalid or a move is
 * illegal.
 * @param {any} packed @param {import("./rules.js").Position} position the analysed position @returns {Findings | null}
 */
export function unpackFindings(packed, position) {
  const { ownership, candidates, judgement, winner, reasons = [] } = packed ?? {};
  const isSound = ["win_probability", "visits", "iterations", "depth"].every((name) => isNumber(packed?.[name])) &&
    ["loss", "win_probability_after", "win_probability_best"].every((name) => isOptional(packed[name])) &&
    ["ms", "time_ms", "memory_mb"].every((name) => isOptional(packed[name]) && !(packed[name] < 0)) &&
    [undefined, "inaccuracy", "mistake", "blunder"].includes(judgement) && (winner === undefined || isPlayer(winner)) && /^[\w-]{64}$/.test(ownership) &&
    Array.isArray(candidates) && candidates.every((candidate) => isCandidate(candidate, position)) && (!judgement || (candidates.length && isNumber(packed.loss) && isPlayer(packed.player))) &&
    Array.isArray(reasons) && reasons.every((reason) => isReason(reason) && isLegal(position, reason.move) && areLegalMoves(reason.line ?? [], position));
  return isSound ? { ...packed, ownership: [...ownership].map((letter) => BASE64_DIGITS.indexOf(letter) / OWNERSHIP_STEPS - 1) } : null;
}

/**
 * Tests if `value` is a valid candidate move in the analysis of `position`: its move and the moves of its principal
 * variation must be legal, and its win probability and visits must be numbers.
 */
const isCandidate = (/** @type {any} */ value, /** @type {import("./rules.js").Position} */ position) => isMove(value?.move) &&
  isNumber(value.win_probability) && isNumber(value.visits) && Array.isArray(value.principal_variation) &&
  isLegal(position, value.move) && areLegalMoves(value.principal_variation, position);

/**
 * Tests if a list contains moves such as `c1 c6 f6` that can legally be played one after another from `position`.
 * @param {any[]} moves @param {import("./rules.js").Position} position
 */
function areLegalMoves(moves, position) {
  let reached = position;
  return moves.every((move) => {
    if (!isMove(move) || !isLegal(reached, move)) return false;
    reached = positionAfter(reached, move);
    return true;
  });
}

const isSquare = (/** @type {any} */ value) => /^[a-h][1-8]$/.test(value);
/**
 * Tests if `value` has the fields of a `Reason` (an explanation of why a move is good or bad, see reasons.js) with the
 * right types. Does not test if the explanation's moves are legal.
 */
const isReason = (/** @type {any} */ value) => isMove(value?.move) && [value.text?.en, value.text?.zh].every((text) => typeof text === "string") &&
  (value.line === undefined || Array.isArray(value.line)) && (value.amazon === undefined || isSquare(value.amazon)) && (value.squares === undefined || (Array.isArray(value.squares) && value.squares.every(isSquare)));

/**
 * Validates the summary of a game's review: accuracy, mistakes, turning points, results of the solver. Returns the
 * summary unchanged, or null in three cases: a field has a wrong type; the summary refers to a ply outside the reviewed
 * line; a move in a player's list of biggest mistakes (`biggest`) lacks its analysis.
 * @param {any} summary
 * @param {import("./tree.js").GameNode[]} line nodes of the reviewed line from the root, with their analyses
 * @returns {Findings | null}
 */
export function validSummary(summary, line) {
  const { review, winner, solved } = summary ?? {};
  const isPlace = (number) => Number.isInteger(number) && number >= 0 && number < line.length;
  const isPly = (ply) => isPlace(ply) && ply > 0;
  const isJudged = (ply) => isPly(ply) && isNumber(line[ply - 1].ply?.loss) && line[ply - 1].ply?.candidates.length > 0;
  const isSide = (side) => ["moves", "inaccuracies", "mistakes", "blunders"].every((name) => isNumber(side?.[name])) &&
    (side.accuracy === null || isNumber(side.accuracy)) && Array.isArray(side.biggest) && side.biggest.every(isJudged);
  const isTurn = (turn) => isPly(turn?.ply) && isPlayer(turn.leader);
  const isDecided = ({ winner: wins, after: from, last_chance: chance }) => isPlayer(wins) && isPlace(from) && isPlace(solved.solved_after) &&
    (chance === null || isPlace(chance));
  const isSolved = () => (!solved.decided || isDecided(solved.decided)) && Array.isArray(solved.thrown) && solved.thrown.every((move) => isPly(move?.ply));
  const isSound = isSide(review?.black) && isSide(review?.white) && Array.isArray(review.turning_points) &&
    review.turning_points.every(isTurn) && (solved === undefined || (solved && isSolved())) && (winner === undefined || (isPlayer(winner) && typeof summary.ending === "string"));
  return isSound ? summary : null;
}
