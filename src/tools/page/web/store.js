// What the browser keeps: the game under way, the study, and the settings. A reload finds them again.

import { $ } from "./elements.js";
import { isLegal, isPosition } from "./rules.js";
import { child, newGame } from "./tree.js";
import { hasEngine } from "./engine.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

/** The analysed games in the page, if it is a report. @type {{ summary: any, plies: any[] }[]} */
export const REPORT = JSON.parse($("data").textContent);

/** What all files on a disk keep lies together: each kind of page has names of its own. */
const KIND = (REPORT.length ? "report." : "") + (hasEngine ? "" : "still.");

const PREFIX = "amazons.";

/** Keeps a value. Returns whether the browser does. @param {string} name @param {any} value */
export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + KIND + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * What was kept, as a function reads it; nothing if there is none. What makes no sense is set aside under another name.
 * @template T @param {string} name @param {(value: any) => T} read @param {string} [kind] of the page that kept it @returns {T | null}
 */
export function kept(name, read, kind = KIND) {
  let text = null;
  try {
    text = localStorage.getItem(PREFIX + kind + name);
    return text === null ? null : read(JSON.parse(text));
  } catch {
    if (text !== null) keep("aside." + name, text);
    return null;
  }
}

/** A value if it is one of those that there are, else the usual one. @template T @param {T[]} known @param {any} value @param {T} usual */
export const oneOf = (known, value, usual) => (known.includes(value) ? /** @type {T} */ (value) : usual);

/** A game as a value without circles. @param {Game} game */
export function packGame(game) {
  const packNode = (node) => ({
    m: node.move, t: Math.round(node.ms), ...(node.spent && { s: Math.round(node.spent) }),
    ...(node.properties.length && { p: node.properties }), c: node.children.map(packNode),
  });
  const path = [];
  for (let node = game.node; node.parent; node = node.parent) path.unshift(node.parent.children.indexOf(node));
  return { start: game.root.position, line: packNode(game.root), path, names: game.names, title: game.title, end: game.end };
}

/** The game of a value that [`packGame`] made; nothing of nothing. Throws if it is damaged. @param {any} value @returns {Game | null} */
export function unpackGame(value) {
  if (value === null) return null;
  const { start, line, path, names, title, end } = value;
  const game = newGame(checked(start, isPosition(start)));
  const lay = (node, packed) => {
    [node.ms, node.spent] = [packed.t ?? 0, packed.s ?? 0].map((ms) => checked(ms, Number.isFinite(ms) && ms >= 0));
    node.properties = checked(packed.p ?? [], areProperties(packed.p ?? []));
    for (const next of packed.c) lay(child(node, checked(next.m, isLegal(node.position, next.m))), next);
  };
  lay(game.root, line);
  for (const at of path) game.node = checked(game.node.children[at], game.node.children[at]);
  const named = (name) => checked(name ?? null, name === null || name === undefined || typeof name === "string");
  game.names = { black: named(names?.black), white: named(names?.white) };
  game.title = named(title) ?? "";
  game.end = end ? { winner: checked(end.winner, ["black", "white"].includes(end.winner)), ending: String(end.ending) } : null;
  // Pages of before kept the last turn of a game that was lost on time or given up with its end.
  if (Number.isFinite(end?.ms)) game.node.spent ||= end.ms;
  return Object.assign(game, { isOwn: true });
}

/** Tests if a value is what a record holds of a position besides its move. @param {any} value */
function areProperties(value) {
  const isText = (text) => typeof text === "string";
  return Array.isArray(value) && value.every((pair) => isText(pair[0]) && Array.isArray(pair[1]) && pair[1].every(isText));
}

/** A value that is as it should be. @template T @param {T} value @param {any} isSound @returns {T} */
function checked(value, isSound) {
  if (!isSound) throw new Error(`not expected: ${JSON.stringify(value)}`);
  return value;
}
