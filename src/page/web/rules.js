// The rules of the game: squares, positions, legal moves. Squares are numbered rank by rank, from 0 (a1) over 7 (h1) to
// 63 (h8).

/** A player, by colour; black moves first. @typedef {"black" | "white"} Player */
/**
 * A position: `cells` has 64 letters for the squares row by row from a1 (`b` black amazon, `w` white amazon, `x` arrow,
 * `.` empty); `toMove` is the side to move.
 * @typedef {{ cells: string, toMove: Player }} Position
 */

/** The standard start position. @type {Position} */
export const START = { cells: "..b..b..........b......b................w......w..........w..w..", toMove: "black" };

/** The eight directions in which a chess queen moves, as pairs of steps in file (a to h) and rank (1 to 8). */
const DIRECTIONS = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/** Returns the opponent of a player: white for black, black for white. */
export const opponentOf = (/** @type {Player} */ player) => /** @type {Player} */ (player === "black" ? "white" : "black");

/** Returns the name of a square, such as `c1` for 2. @param {number} square from 0 (a1) to 63 (h8), row by row */
export const nameOf = (square) => "abcdefgh"[square % 8] + String((square >> 3) + 1);

/** Returns the number of a square from 0 (a1) to 63 (h8), row by row, such as 2 for `c1`. @param {string} name */
export const squareOf = (name) => name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1);

/**
 * Returns a move's three squares as numbers from 0 (a1) to 63 (h8), row by row: the amazon's origin, its destination,
 * and the arrow's square.
 * @param {string} move such as `c1 c6 f6`
 */
export const squaresOf = (move) => move.split(" ").map(squareOf);

/**
 * Returns the empty squares that an amazon or an arrow on the square `from` could reach: like a chess queen, any
 * distance in a straight or diagonal line over empty squares.
 * @param {string} cells the 64 cells, as in `Position` @param {number} from the square, from 0 (a1) to 63 (h8)
 * @returns {number[]}
 */
export function reachable(cells, from) {
  return DIRECTIONS.flatMap(([dx, dy]) => {
    const ray = [];
    let [x, y] = [(from % 8) + dx, (from >> 3) + dy];
    while (x >= 0 && x < 8 && y >= 0 && y < 8 && cells[8 * y + x] === ".") {
      ray.push(8 * y + x);
      [x, y] = [x + dx, y + dy];
    }
    return ray;
  });
}

/**
 * Returns a copy of a position's 64 cells in which the letter of one square is replaced.
 * @param {string} cells @param {number} square from 0 (a1) to 63 (h8) @param {string} cell `b`, `w`, `x` or `.`
 */
export function withCell(cells, square, cell) {
  return cells.slice(0, square) + cell + cells.slice(square + 1);
}

/**
 * Returns a position's 64 cells after an amazon has moved and before it shoots its arrow.
 * @param {string} cells @param {number} from origin, from 0 (a1) to 63 (h8) @param {number} to destination
 */
export function cellsAfterAmazonMove(cells, from, to) {
  return withCell(withCell(cells, from, "."), to, cells[from]);
}

/**
 * Returns the squares of a player's amazons, from 0 (a1) to 63 (h8) in ascending order.
 * @param {Position} position @param {Player} [player] by default the side to move
 */
export function amazons({ cells, toMove }, player = toMove) {
  return [...cells].flatMap((cell, square) => (cell === player[0] ? [square] : []));
}

/** Returns the squares of those amazons of the side to move that have a legal move. @param {Position} position */
export const movableAmazons = (position) => amazons(position).filter((from) => reachable(position.cells, from).length > 0);

/**
 * Returns all legal moves of the side to move, as texts such as `c1 c6 f6`.
 * @param {Position} position @returns {string[]}
 */
export function legalMoves(position) {
  return amazons(position).flatMap((from) =>
    reachable(position.cells, from).flatMap((to) =>
      reachable(cellsAfterAmazonMove(position.cells, from, to), to).map((arrow) => [from, to, arrow].map(nameOf).join(" "))));
}

/**
 * Tests if the game is over in a position: the side to move has no legal move, and thus has lost.
 * @param {Position} position
 */
export const isOver = (position) => movableAmazons(position).length === 0;

/** Tests if a text such as `c1 c6 f6` is a legal move in a position. @param {Position} position @param {string} move */
export function isLegal(position, move) {
  if (!/^[a-h][1-8] [a-h][1-8] [a-h][1-8]$/.test(move)) return false;
  const [from, to, arrow] = squaresOf(move);
  return position.cells[from] === position.toMove[0] && reachable(position.cells, from).includes(to) &&
    reachable(cellsAfterAmazonMove(position.cells, from, to), to).includes(arrow);
}

/**
 * Returns the position after a move. The move must be legal; this function does not test it.
 * @param {Position} position @param {string} move such as `c1 c6 f6` @returns {Position}
 */
export function positionAfter({ cells, toMove }, move) {
  const [from, to, arrow] = squaresOf(move);
  return { cells: withCell(cellsAfterAmazonMove(cells, from, to), arrow, "x"), toMove: opponentOf(toMove) };
}

/**
 * Tests if a value from an untrusted source, such as local storage, is a valid position: 64 cells, a side to move, and
 * four amazons of each player.
 * @param {any} value @returns {value is Position}
 */
export function isPosition(value) {
  return /^[bwx.]{64}$/.test(value?.cells) && ["black", "white"].includes(value.toMove) && !playerWithWrongCount(value);
}

/**
 * Returns the first player (black before white) who does not have exactly four amazons; null if both have four.
 * @param {Position} position @returns {Player | null}
 */
export function playerWithWrongCount(position) {
  const players = /** @type {Player[]} */ (["black", "white"]);
  return players.find((player) => amazons(position, player).length !== 4) ?? null;
}
