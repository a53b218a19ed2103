// The rules: squares, positions, legal moves. A square is a number from 0 (a1) by rows to 63 (h8).

/** @typedef {"black" | "white"} Player */
/** A position: a letter for every square (`b`, `w`, `x` for an arrow, `.` for none), and who moves.
 * @typedef {{ cells: string, toMove: Player }} Position */

/** The start of every game. @type {Position} */
export const START = { cells: "..b..b..........b......b................w......w..........w..w..", toMove: "black" };

/** Steps of a queen: files and ranks. */
const DIRECTIONS = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

export const other = (/** @type {Player} */ player) => /** @type {Player} */ (player === "black" ? "white" : "black");

/** The name of a square, such as c1. @param {number} square */
export const nameOf = (square) => "abcdefgh"[square % 8] + String((square >> 3) + 1);

/** The square with a name. @param {string} name */
export const squareOf = (name) => name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1);

/** From, to and arrow of a move such as `c1 c6 f6`. @param {string} move */
export const squaresOf = (move) => move.split(" ").map(squareOf);

/** The squares that a queen on a square reaches. @param {string} cells @param {number} from @returns {number[]} */
export function reach(cells, from) {
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

/** Cells with one of them changed. @param {string} cells @param {number} square @param {string} cell */
export function withCell(cells, square, cell) {
  return cells.slice(0, square) + cell + cells.slice(square + 1);
}

/** Cells after an amazon's walk. @param {string} cells @param {number} from @param {number} to */
export function walked(cells, from, to) {
  return withCell(withCell(cells, from, "."), to, cells[from]);
}

/** The squares of a player's amazons. @param {Position} position @param {Player} [player] */
export function amazons({ cells, toMove }, player = toMove) {
  return [...cells].flatMap((cell, square) => (cell === player[0] ? [square] : []));
}

/** The amazons of the player to move that can move. @param {Position} position */
export const movable = (position) => amazons(position).filter((from) => reach(position.cells, from).length > 0);

/** All legal moves. @param {Position} position @returns {string[]} */
export function legalMoves(position) {
  return amazons(position).flatMap((from) =>
    reach(position.cells, from).flatMap((to) =>
      reach(walked(position.cells, from, to), to).map((arrow) => [from, to, arrow].map(nameOf).join(" "))));
}

/** Tests if the player to move has lost. @param {Position} position */
export const isOver = (position) => movable(position).length === 0;

/** Tests if a move is legal. @param {Position} position @param {string} move */
export function isLegal(position, move) {
  if (!/^[a-h][1-8] [a-h][1-8] [a-h][1-8]$/.test(move)) return false;
  const [from, to, arrow] = squaresOf(move);
  return position.cells[from] === position.toMove[0] && reach(position.cells, from).includes(to) &&
    reach(walked(position.cells, from, to), to).includes(arrow);
}

/** The position after a legal move. @param {Position} position @param {string} move @returns {Position} */
export function after({ cells, toMove }, move) {
  const [from, to, arrow] = squaresOf(move);
  return { cells: withCell(walked(cells, from, to), arrow, "x"), toMove: other(toMove) };
}

/** Tests if a value is a position. @param {any} value @returns {value is Position} */
export function isPosition(value) {
  return /^[bwx.]{64}$/.test(value?.cells) && ["black", "white"].includes(value.toMove) && !lacking(value);
}

/** What is wrong with a position: the player who has not four amazons. @param {Position} position @returns {Player | null} */
export function lacking(position) {
  const players = /** @type {Player[]} */ (["black", "white"]);
  return players.find((player) => amazons(position, player).length !== 4) ?? null;
}
