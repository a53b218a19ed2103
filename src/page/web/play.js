// A game of persons and bots: whose turn it is, the bots' moves, undo and redo, hints, clocks, resigning.

import { $, minutes, setOptions, setText } from "./elements.js";
import { say, sayEnding } from "./words.js";
import { Ended, canRun, engine, hasEngine } from "./engine.js";
import { changed, found, goTo, nodeAt, onChange, shownNode, state } from "./state.js";
import { isOver, legalMoves, other } from "./rules.js";
import { child, lineOver, newGame, pathTo, promote } from "./tree.js";
import { oneOf } from "./store.js";
import { sound } from "./sounds.js";
import { asked, notify } from "./notice.js";
import { WARNINGS, accept, isWarning, mistakeBefore, tellWarning, warn, warnings } from "./teach.js";

/** @typedef {import("./rules.js").Player} Player */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** How many levels `amazons play` has, and which one it begins with. */
const { levels: LEVELS, level: LEVEL } = document.documentElement.dataset;

/** Seconds a move for the bot at full strength. */
const SECONDS = [1, 3, 10, 30];

/** Clocks: none, minutes a side, the same and seconds more for every move (`3+2`), seconds for each turn (`15s`). */
const CLOCKS = ["0", "3", "3+2", "5", "5+5", "10", "20", "15s", "30s"];

/** Seconds that a turn of two bots takes at least. */
const PACES = [0, 0.5, 1, 2, 4];

/** Iterations for the win bar while a person thinks. */
const BAR_ITERATIONS = 20_000;

/** Milliseconds of a hint. */
const HINT_MS = 1000;

/** Who plays (`person`, `level-6`, `time-3`), by which clock, seconds of a turn between bots, of what a bot warns (see
 * teach.js), and whether bots wait. */
export const table = { black: "person", white: hasEngine && canRun ? `level-${LEVEL}` : "person", limit: "0", pace: 1, warnings: "none", isPaused: false };

/** Number of the turn under way; whatever thinks for another one is too late. */
let turnNumber = 0;

/** Why the bot to move chooses none: what the engine failed by; nothing if it thinks. @type {string | null} */
let failure = null;

/** The position whose turn runs, and since when by the page's clock; nothing while the clocks stand. @type {{ node: GameNode, since: number } | null} */
let running = null;

const playing = () => state.games.play;
const seatOf = (/** @type {Player} */ player) => table[player];
const isPerson = (/** @type {Player} */ player) => seatOf(player) === "person";
const arePersons = () => isPerson("black") && isPerson("white");
const areBots = () => !isPerson("black") && !isPerson("white");
/** Tests if black alone is a person: then black is at the bottom. */
export const isBlackAlone = () => isPerson("black") && !isPerson("white");
/** Tests if the game is over, whichever of its positions is shown. */
const isEnded = () => Boolean(playing().end);

/** Tests if a person is to choose a move. */
export const mayPlay = () => !isEnded() && isPerson(playing().node.position.toMove);

/** Tests if the game is stepped through freely: no bot has a part in it, or it is over. */
export const mayStepGame = () => isEnded() || arePersons();

// ---- A turn

/** Plays a move of whoever is to move. @param {string} move */
export function playMove(move) {
  leaveTurn();
  const game = playing();
  const node = child(game.node, move);
  [node.ms, game.node.spent] = [game.node.spent, 0];
  promote(node);
  game.isOwn = true;
  game.node = node;
  beginTurn();
}

/** Plays a move of a person; one in the past takes back what came after it. @param {string} move */
export async function playOwn(move) {
  const { node } = playing();
  const [next] = node.children;
  if (!next || next.move === move || (await mayTakeBack(node))) playMove(move);
  else goTo(nodeAt(lineOver(node), Infinity));
}

/** Begins the turn of the position: a bot thinks, or the win bar does for a person. */
export function beginTurn() {
  leaveTurn();
  const number = turnNumber;
  const { node } = playing();
  if (isOver(node.position)) playing().end ??= { winner: other(node.position.toMove), ending: "no move" };
  const isBegun = node.depth > 0 || !isPerson(node.position.toMove);
  running = isEnded() || table.isPaused || !isBegun ? null : { node, since: performance.now() };
  goTo(node);
  if (isEnded()) return;
  if (isPerson(node.position.toMove)) judge(node);
  else if (!table.isPaused) answer(node, number);
}

/** Ends the turn without a move: something else happens in the game. */
function suspend() {
  leaveTurn();
  engine.stop();
}

/** Leaves the turn: the clocks stand, and what is thought for it comes too late. */
function leaveTurn() {
  noteTime();
  turnNumber += 1;
  running = null;
  failure = null;
  warn(null);
}

/** Puts down how long the turn has run. From now on the turn of the position that is shown runs. */
export function noteTime() {
  if (!running) return;
  const now = performance.now();
  running.node.spent += now - running.since;
  running = { node: playing().node, since: now };
}

/** Lets the engine judge the position for the win bar. The tree follows the game even when nobody looks. */
function judge(node) {
  if (!hasEngine || !canRun) return;
  const iterations = state.shown.bar ? BAR_ITERATIONS : 1;
  engine.think({ position: node.position, candidates: 1, iterations }, tellOf(node)).then(tellOf(node), complain);
}

const tellOf = (node) => (findings) => {
  if (findings.iterations > 100 || findings.proven) node.found = findings;
  if (state.tab === "play" && node === shownNode()) found();
};

function complain(error) {
  if (!(error instanceof Ended)) notify(say("engineFailed", error.message));
}

/** Lets the bot to move choose and play. */
async function answer(node, number) {
  const begun = performance.now();
  const isWanted = () => number === turnNumber && !table.isPaused;
  try {
    const mistake = isPerson(other(node.position.toMove)) && (await mistakeBefore(node, table.warnings).catch(() => null));
    if (!isWanted()) return;
    if (mistake) {
      wait(mistake);
      return;
    }
    const move = await choose(node);
    const rest = areBots() ? 1000 * table.pace - (performance.now() - begun) : 0;
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    if (isWanted()) playMove(move);
  } catch (error) {
    if (!isWanted()) return;
    leaveTurn();
    failure = error.message;
    changed();
  }
}

/** Waits with the bot's move until the person has taken the mistake back, or plays on. @param {import("./tree.js").Findings} mistake */
function wait(mistake) {
  leaveTurn();
  warn(mistake);
  changed();
}

/** Seats a person in the place of the bot to move. */
function takeOver() {
  table[playing().node.position.toMove] = "person";
  showTable();
  beginTurn();
}

/** The move of the bot to move. @param {GameNode} node */
async function choose(node) {
  const [kind, number] = seatOf(node.position.toMove).split("-");
  const method = kind === "time" ? { ms: 1000 * Number(number) } : await engine.ask({ ask: "level", level: Number(number) });
  if (method.glance) {
    const seen = await engine.glance(node.position, method.glance, Math.floor(Math.random() * 2 ** 32));
    if (seen) return seen;
  }
  const ms = node.depth < 2 && method.first_ms ? method.first_ms : method.ms;
  const task = { position: node.position, candidates: 1, ms, iterations: method.iterations, afresh: Boolean(method.iterations) };
  const findings = await engine.think(task, tellOf(node));
  tellOf(node)(findings);
  return findings.candidates[0]?.move ?? legalMoves(node.position)[0];
}

// ---- What the buttons do

/** Asks for the players and the clock of a new game; says if one is under way, which would be lost. */
function openSetup() {
  showTable();
  $("setup-note").hidden = !isUnderWay();
  $("begin").textContent = say(isUnderWay() ? "yes" : "begin");
  $("setup").showModal();
}

function begin() {
  seatAsChosen();
  start(newGame());
}

/** Plays a game from its node on. @param {import("./tree.js").Game} game */
export function start(game) {
  suspend();
  table.isPaused = false;
  game.isOwn = true;
  state.games.play = game;
  state.tab = "play";
  state.isFlipped = isBlackAlone();
  game.names = { black: null, white: null };
  beginTurn();
}

const isUnderWay = () => playing().root.children.length > 0 && !isEnded();

/** Tests if a game may take the place of the one under way; asks, if that one would be lost. */
export async function mayReplace() {
  return !isUnderWay() || asked(say("sureNew"), say("yes"), say("no"));
}

function seatAsChosen() {
  Object.assign(table, { black: $("seat-black").value, white: $("seat-white").value, limit: $("limit").value });
}

/** The position that an undo leads to: the last one in which a person is to move. @returns {GameNode | null} */
function undone() {
  const before = pathTo(playing().node).slice(0, -1).reverse();
  return (areBots() ? before[0] : before.find(({ position }) => isPerson(position.toMove))) ?? null;
}

/** The position to which the other person has let one go back. @type {GameNode | null} */
let granted = null;

/** Tests if a person may take back and go on from a position: against a person if that one agrees. @param {GameNode} node */
async function mayTakeBack(node) {
  if (!arePersons() || isEnded() || node === granted) return true;
  const [game, { toMove }] = [playing(), node.position];
  const isGranted = await asked(say("takeBack", say(toMove), node.depth, say(other(toMove))), say("agree"), say("decline"));
  // Meanwhile the clock may have run out.
  if (!isGranted || isEnded() || game !== playing()) return false;
  granted = node;
  return true;
}

async function undo() {
  const node = undone();
  if (node && (await mayTakeBack(node))) backOrOn(node);
}

/** The position that a redo leads to: the next one in which a person is to move, or the last. @returns {GameNode | null} */
function redone() {
  let node = playing().node.children[0] ?? null;
  while (node?.children.length && !areBots() && !isPerson(node.position.toMove)) node = node.children[0];
  return node;
}

/** Goes to another position of the game, from which it goes on. @param {GameNode | null} node */
function backOrOn(node) {
  if (!node) return;
  suspend();
  table.isPaused = areBots();
  Object.assign(playing(), { end: null, node });
  beginTurn();
}

async function hint() {
  const { node } = playing();
  setText($("status"), say("thinking", say("engine")));
  const findings = await engine.think({ position: node.position, candidates: 1, ms: HINT_MS });
  if (node !== playing().node || state.tab !== "play" || state.picked.length) return;
  node.found = findings;
  state.hint = findings.candidates[0]?.move ?? null;
  changed();
}

/** Ends the game for the player to move. @param {string} ending */
function lose(ending) {
  const loser = playing().node.position.toMove;
  suspend();
  playing().end = { winner: other(loser), ending };
  sound("end", 0);
  changed();
}

async function resign() {
  const number = turnNumber;
  const isSure = await asked(say("sureResign"), say("yesResign"), say("no"));
  // Meanwhile the clock may have run out.
  if (isSure && number === turnNumber) lose("resigned");
}

function pauseOrGo() {
  table.isPaused = !table.isPaused;
  if (table.isPaused) suspend();
  beginTurn();
}

// ---- Clocks

/** What a clock's name says: minutes a side, seconds more for each move, seconds for each turn. @param {string} clock */
function partsOf(clock) {
  const [first, more = 0] = clock.split("+").map(parseFloat);
  return clock.endsWith("s") ? { limit: 0, more, each: first } : { limit: first, more, each: 0 };
}

/** What a player's clock shows: milliseconds that are left, or those that were used if there is no limit. @param {Player} player */
function clockOf(player) {
  const { node } = playing();
  const turns = pathTo(node).filter(({ parent }) => parent?.position.toMove === player);
  const spent = node.position.toMove === player ? node.spent + (running ? performance.now() - running.since : 0) : 0;
  const used = turns.reduce((sum, { ms }) => sum + ms, spent);
  const { limit, more, each } = partsOf(table.limit);
  if (each) return 1000 * each - spent;
  return limit ? 60_000 * limit + 1000 * more * turns.length - used : used;
}

function tellClocks() {
  for (const player of /** @type {Player[]} */ (["black", "white"])) {
    setText($("clock-" + player), state.tab === "play" ? minutes(Math.max(clockOf(player), 0)) : "");
  }
}

/** The name of a clock. @param {string} clock */
function clockName(clock) {
  const { limit, more, each } = partsOf(clock);
  if (each) return say("seconds", each);
  if (more) return say("minutesAndMore", limit, more);
  return limit ? say("minutesOf", limit) : say("noLimit");
}

function tick() {
  if (state.tab !== "play") return;
  const mover = playing().node.position.toMove;
  if (table.limit !== "0" && running && clockOf(mover) < 0) lose("time");
  tellClocks();
}

// ---- What is shown

function status() {
  const { node, end } = playing();
  const mover = node.position.toMove;
  if (end) return say("wins", say(end.winner), sayEnding(end.ending, say(other(end.winner))));
  if (isWarning()) return say("botWaits");
  if (failure !== null) return say("engineFailed", failure);
  if (!isPerson(mover)) return table.isPaused ? say("paused") : say("thinking", say(mover));
  if (state.hint) return say("namely", say("hint"), state.hint);
  return [say("yourTurn", say("toMove", say(mover))), say("chooseTo"), say("chooseArrow")][state.picked.length];
}

/** The names of the seats that can be chosen. */
function seats() {
  const person = ["person", say("person")];
  if (!hasEngine || !canRun) return [person];
  const level = (number) => {
    const name = say("level", number);
    return number === 1 ? say("levelFirst", name) : number === Number(LEVELS) ? say("levelLast", name) : name;
  };
  const levels = Array.from({ length: Number(LEVELS) }, (_, at) => [`level-${at + 1}`, level(at + 1)]);
  return [person, ...levels, ...SECONDS.map((number) => [`time-${number}`, say("seconds", number)])];
}

/** What plays for a player, in words: a level or a time; nothing for a person. @param {Player} player */
export function seatCalled(player) {
  const [kind, number] = seatOf(player).split("-");
  return { level: say("level", number), time: say("seconds", number) }[kind] ?? null;
}

/** What a seat is called, in a log for example. @param {Player} player */
function seatName(player) {
  const [kind, number] = seatOf(player).split("-");
  return { person: "human", level: `level ${number}`, time: `${1000 * Number(number)} ms` }[kind] ?? kind;
}

/** The names of both players. @returns {Record<Player, string>} */
export const seatNames = () => ({ black: seatName("black"), white: seatName("white") });

/** The clocks, as a record has them. @returns {[string, string[]][]} */
export function timeControl() {
  const { limit, more, each } = partsOf(table.limit);
  if (each) return [["TM", ["0"]], ["OT", [`${each} s a move`]]];
  const bonus = /** @type {[string, string[]][]} */ (more ? [["OT", [`${more} s more a move`]]] : []);
  return limit ? [["TM", [String(60 * limit)]], ...bonus] : [];
}

/** The panel at the end of a game: who has won, and why. */
function tellEnd() {
  const { end, node } = playing();
  $("ended").hidden = !end || state.tab !== "play";
  $("status").classList.toggle("spoken", Boolean(end));
  if (!end) return;
  setText($("ended-who"), say("won", say(end.winner)));
  const { depth } = nodeAt(lineOver(node), Infinity);
  setText($("ended-why"), say("endedAfter", sayEnding(end.ending, say(other(end.winner))), depth));
  $("save-this").hidden = $("save").hidden;
}

function tellPlay() {
  $("playing").hidden = state.tab !== "play";
  tellEnd();
  $("failure").hidden = state.tab !== "play" || failure === null;
  tellWarning();
  tellClocks();
  if (state.tab !== "play") return;
  setText($("status"), status());
  const isTurn = mayPlay();
  $("undo").disabled = !undone();
  $("redo").disabled = !redone();
  $("hint").hidden = !hasEngine || !canRun || isEnded();
  $("hint").disabled = !isTurn;
  $("resign").disabled = areBots() || !isTurn;
  $("resign").hidden = isEnded();
  $("pause").hidden = isEnded() || arePersons();
  $("pace-choice").hidden = !areBots();
  $("pause").textContent = say(table.isPaused ? "go" : "pause");
}

/** The choices of the setup, in the language of now. */
function tellSetup() {
  setOptions($("seat-black"), seats());
  setOptions($("seat-white"), seats());
  setOptions($("limit"), CLOCKS.map((clock) => [clock, clockName(clock)]));
  setOptions($("warnings"), warnings());
  setOptions($("pace"), PACES.map((number) => [number, number ? say("paceOf", number) : say("fastest")]));
}

/** Seats whoever was kept at the table, as far as they are to be had here. @param {any} known */
export function seat(known) {
  const names = seats().map(([name]) => name);
  for (const player of /** @type {Player[]} */ (["black", "white"])) table[player] = oneOf(names, known?.[player], table[player]);
  table.limit = oneOf(CLOCKS, known?.limit, table.limit);
  table.pace = oneOf(PACES, known?.pace, table.pace);
  table.warnings = oneOf(WARNINGS, known?.warnings, table.warnings);
  table.isPaused = known?.isPaused === true;
}

/** Chooses in the setup what is at the table. */
export function showTable() {
  tellSetup();
  for (const player of /** @type {Player[]} */ (["black", "white"])) $("seat-" + player).value = table[player];
  [$("limit").value, $("pace").value, $("warnings").value] = [table.limit, String(table.pace), table.warnings];
}

/** Shows the game and listens to its buttons. */
export function showPlay() {
  onChange(() => {
    // A log that is dropped on the page, for one, ends a bot's turn: it begins again when the game is shown again.
    if (state.tab === "play") noteTime();
    else leaveTurn();
    tellSetup();
    tellPlay();
  });
  $("new-game").onclick = openSetup;
  $("begin").onclick = begin;
  $("undo").onclick = undo;
  $("redo").onclick = () => backOrOn(redone());
  $("hint").onclick = () => hint().catch(complain);
  $("resign").onclick = resign;
  $("pause").onclick = pauseOrGo;
  $("rematch").onclick = () => start(newGame());
  $("switch-sides").onclick = () => {
    [table.black, table.white] = [table.white, table.black];
    start(newGame());
  };
  $("save-this").onclick = () => $("save").click();
  $("retry").onclick = beginTurn;
  $("take-over").onclick = takeOver;
  $("warning-back").onclick = () => backOrOn(undone());
  $("warning-on").onclick = () => {
    accept(playing().node);
    beginTurn();
  };
  $("warnings").onchange = () => {
    table.warnings = $("warnings").value;
    changed();
  };
  $("pace").onchange = () => {
    table.pace = Number($("pace").value);
    changed();
  };
  setInterval(tick, 250);
}
