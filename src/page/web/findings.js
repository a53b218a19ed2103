// What the engine has said of positions and games, packed into few letters for what is kept and for files, and unpacked
// again as far as it makes sense.

/** @typedef {import("./tree.js").Findings} Findings */

/** A letter for each of 64 numbers. */
export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Steps of ownership between none and a player's own. */
const STEPS = 31;

/** Moves of a line that are kept: as many as the page shows. */
const MOST_MOVES = 6;

/** A number with the decimals that are kept of it. What is shown is made of it, so that it is the same once it was kept. */
export const rounded = (/** @type {any} */ value) => (typeof value === "number" ? Number(value.toFixed(5)) : value);

const isNumber = (/** @type {any} */ value) => Number.isFinite(value);
const isOptional = (/** @type {any} */ value) => value === undefined || isNumber(value);
const isMove = (/** @type {any} */ value) => /^[a-h][1-8]( [a-h][1-8]){2}$/.test(value);
const isPlayer = (/** @type {any} */ value) => value === "black" || value === "white";

/** Packs what is said of a position. @param {Findings} findings */
export function packFindings({ ownership, candidates, ...rest }) {
  const packCandidate = ({ principal_variation: line, ...candidate }) =>
    ({ ...mapped(candidate, rounded), principal_variation: line.slice(0, MOST_MOVES) });
  const letters = ownership && ownership.map((share) => LETTERS[Math.round((share + 1) * STEPS)]).join("");
  return { ...mapped(rest, rounded), ownership: letters, candidates: candidates.map(packCandidate) };
}

/** An object with other values. @param {object} object @param {(value: any) => any} change */
const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** What is said of a position; nothing if it makes no sense. @param {any} packed @returns {Findings | null} */
export function unpackFindings(packed) {
  const { ownership, candidates, judgement, winner, reasons = [] } = packed ?? {};
  const isSound = ["win_probability", "visits", "iterations", "depth"].every((name) => isNumber(packed?.[name])) &&
    ["loss", "win_probability_after", "win_probability_best", "ms", "time_ms", "memory_mb"].every((name) => isOptional(packed[name])) &&
    [undefined, "inaccuracy", "mistake", "blunder"].includes(judgement) && (winner === undefined || isPlayer(winner)) && /^[\w-]{64}$/.test(ownership) &&
    Array.isArray(candidates) && candidates.every(isCandidate) && (!judgement || (candidates.length && isNumber(packed.loss) && isPlayer(packed.player))) &&
    Array.isArray(reasons) && reasons.every(isReason);
  return isSound ? { ...packed, ownership: [...ownership].map((letter) => LETTERS.indexOf(letter) / STEPS - 1) } : null;
}

const isCandidate = (/** @type {any} */ value) => isMove(value?.move) && isNumber(value.win_probability) && isNumber(value.visits) &&
  Array.isArray(value.principal_variation) && value.principal_variation.every(isMove);

const isSquare = (/** @type {any} */ value) => /^[a-h][1-8]$/.test(value);
const isReason = (/** @type {any} */ value) => isMove(value?.move) && [value.text?.en, value.text?.zh].every((text) => typeof text === "string") &&
  (value.amazon === undefined || isSquare(value.amazon)) && (value.squares === undefined || (Array.isArray(value.squares) && value.squares.every(isSquare)));

const isSolved = (/** @type {any} */ { decided, solved_after: from, thrown }) => (!decided || (isPlayer(decided.winner) && isNumber(decided.after) && isNumber(from) &&
  (decided.last_chance === null || isNumber(decided.last_chance)))) && Array.isArray(thrown) && thrown.every(({ ply }) => isNumber(ply));

/** What is said of a game, if it makes sense; else nothing. @param {any} summary @returns {Findings | null} */
export function soundSummary(summary) {
  const { review, winner, solved } = summary ?? {};
  const isSide = (side) => ["moves", "inaccuracies", "mistakes", "blunders"].every((name) => isNumber(side?.[name])) &&
    (side.accuracy === null || isNumber(side.accuracy)) && Array.isArray(side.biggest) && side.biggest.every(isNumber);
  const isTurn = (turn) => isNumber(turn?.ply) && isPlayer(turn.leader);
  const isSound = isSide(review?.black) && isSide(review?.white) && Array.isArray(review.turning_points) &&
    review.turning_points.every(isTurn) && (solved === undefined || isSolved(solved)) && (winner === undefined || (isPlayer(winner) && typeof summary.ending === "string"));
  return isSound ? summary : null;
}
