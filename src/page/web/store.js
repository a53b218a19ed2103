// What the browser keeps: the game under way, the study, and the settings. A reload finds them again.
//
// Every value is saved as `{ version, value }`, and checked when it is read. A value that does not fit is set aside under another
// name, and the page says so. Each window saves its own games in its session, and in the storage that all windows share: a
// reload shows the window's own games, a new window those that were changed last.

import { $ } from "./elements.js";
import { isLegal, isPosition } from "./rules.js";
import { child, layReview, newGame, placeIn, shortName, summaryOf } from "./tree.js";
import { packFindings, soundSummary, unpackFindings } from "./findings.js";
import { hasEngine } from "./engine.js";
import { ENDINGS } from "./words.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** The analysed games in the page, if it is a report. @type {{ summary: any, plies: any[] }[]} */
export const REPORT = JSON.parse($("data").textContent);

/** What all files on a disk keep lies together: each kind of page has names of its own. */
const KIND = (REPORT.length ? "report." : "") + (hasEngine ? "" : "still.");

const PREFIX = "amazons.";

/** The form of what is kept. */
const VERSION = 1;

// ---- Where it is kept

/** What this window has read or kept last under each name, without the time of the turn under way. @type {Record<string, string | undefined>} */
const known = {};

/** Names that are saved for all windows alone: settings and puzzles. And those for this window alone. */
const [SHARED, OWN] = [["options", "learn"], ["address"]];

/** What a function returns; nothing if the browser refuses. @template T @param {() => T} take @returns {T | undefined} */
function attempt(take) {
  try {
    return take();
  } catch {
    return undefined;
  }
}

/** The text under a name, this window's own first. @param {string} name @param {string} [kind] of the page that kept it @returns {string | null} */
const textOf = (name, kind = KIND) => sessionStorage.getItem(PREFIX + kind + name) ?? localStorage.getItem(PREFIX + kind + name);

/** A kept text without the time that the turn under way has run, and what the engine finds: windows that only wait differ in nothing else. @param {string | null} text */
const lasting = (text) => text?.replace(/"(s":\d+|f":"[^"]*"),/g, "");

/** Keeps a value. A window that has changed nothing leaves what another one has saved for all. @param {string} name @param {any} value @returns {boolean} whether there was room */
export function keep(name, value) {
  const [key, text] = [PREFIX + KIND + name, JSON.stringify({ version: VERSION, value })];
  return attempt(() => {
    const now = lasting(text);
    if (!SHARED.includes(name)) sessionStorage.setItem(key, text);
    const isOthers = now === known[name] && lasting(localStorage.getItem(key)) !== now;
    if (!OWN.includes(name) && !isOthers) localStorage.setItem(key, text);
    known[name] = now;
    return true;
  }) ?? false;
}

/** Takes away what is kept under a name: its room is wanted. @param {string} name */
export function drop(name) {
  attempt(() => [sessionStorage, localStorage].forEach((storage) => storage.removeItem(PREFIX + KIND + name)));
  known[name] = undefined;
}

// ---- How it is read

/** The names under which something was kept that does not fit. @type {string[]} */
export const misfits = [];

/** Whether all fits of what is being read. */
let isSound = true;

/**
 * What was kept, as a function reads it; nothing if there is none.
 * @template T @param {string} name @param {(value: any) => T} read @param {string} [kind] of the page that kept it @returns {T | null}
 */
export function kept(name, read, kind = KIND) {
  const text = attempt(() => textOf(name, kind)) ?? null;
  if (kind === KIND) known[name] = lasting(text);
  if (text === null) return null;
  isSound = true;
  const value = attempt(() => {
    const saved = JSON.parse(text);
    return read(checked(saved.value, saved.version === VERSION));
  });
  if (value === undefined || !isSound) {
    if (!misfits.includes(name)) misfits.push(name);
    attempt(() => localStorage.setItem(`${PREFIX}${KIND}aside.${name}`, text));
  }
  return value ?? null;
}

/** A value if it is one of those that there are, else the usual one. @template T @param {T[]} those @param {any} value @param {T} usual */
export function oneOf(those, value, usual) {
  if (those.includes(value)) return /** @type {T} */ (value);
  isSound &&= value === undefined;
  return usual;
}

/** A value that is as it should be. @template T @param {T} value @param {any} isFit @returns {T} */
export function checked(value, isFit) {
  if (!isFit) throw new Error(`not expected: ${JSON.stringify(value)}`);
  return value;
}

// ---- A game

/** A game as a value without circles. What the engine has found is one text without quotation marks, see [`lasting`]. @param {Game} game @param {boolean} isWhole also with what the engine has said of it */
export function packGame(game, isWhole = true) {
  const said = (node) => ({
    ...(node.ply && { e: packFindings(node.ply) }), ...(node.found && { f: JSON.stringify(packFindings(node.found)).replaceAll('"', "'") }),
    ...(summaryOf(node, game) && { r: game.summary }),
  });
  const packNode = (node) => ({
    m: node.move, t: Math.round(node.ms), ...(node.spent && { s: Math.round(node.spent) }),
    ...(node.properties.length && { p: node.properties }), ...(isWhole && said(node)), c: node.children.map(packNode),
  });
  return { start: game.root.position, line: packNode(game.root), path: placeIn(game), names: game.names, title: game.title, end: game.end };
}

/** What the engine has said, if it makes sense; the game is there without it. @template T @param {any} packed @param {(packed: any) => T | null} read */
function said(packed, read) {
  const value = packed === undefined ? null : read(packed);
  isSound &&= packed === undefined || value !== null;
  return value;
}

/** The games of a value that [`packGame`] made of each; nothing in the place of one. Those that are damaged are left out. @param {any} values @returns {(Game | null)[]} */
export function unpackGames(values) {
  const games = checked(values, Array.isArray(values)).map((packed) => packed && (attempt(() => unpackGame(packed)) ?? "damaged"));
  isSound &&= !games.includes("damaged");
  return games.filter((game) => game !== "damaged");
}

/** The game of a value that [`packGame`] made. Throws if it is damaged. @param {any} value @returns {Game} */
export function unpackGame({ start, line, path, names, title, end }) {
  const game = newGame(checked(start, isPosition(start)));
  const lay = (node, packed) => {
    [node.ms, node.spent] = [packed.t ?? 0, packed.s ?? 0].map((ms) => checked(ms, Number.isFinite(ms) && ms >= 0));
    node.properties = checked(packed.p ?? [], areProperties(packed.p ?? []));
    node.ply = said(packed.e, unpackFindings);
    node.found = said(packed.f, (text) => unpackFindings(JSON.parse(text.replaceAll("'", '"'))));
    const summary = said(packed.r, soundSummary);
    if (summary) layReview(game, summary, node);
    for (const next of packed.c) lay(child(node, checked(next.m, isLegal(node.position, next.m))), next);
  };
  lay(game.root, line);
  for (const at of path) game.node = game.node.children[checked(at, Number.isInteger(at) && game.node.children[at])];
  const named = (name) => shortName(checked(name ?? null, (name ?? null) === null || typeof name === "string"));
  game.names = { black: named(names?.black), white: named(names?.white) };
  game.title = named(title) ?? "";
  const isEnding = ["black", "white"].includes(end?.winner) && Object.hasOwn(ENDINGS, end?.ending);
  game.end = end ? { winner: checked(end.winner, isEnding), ending: end.ending } : null;
  return Object.assign(game, { isOwn: true });
}

/** Tests if a value is what a record holds of a position besides its move. @param {any} value */
function areProperties(value) {
  const isText = (text) => typeof text === "string";
  return Array.isArray(value) && value.every((pair) => isText(pair[0]) && Array.isArray(pair[1]) && pair[1].every(isText));
}
