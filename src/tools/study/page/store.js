// What the browser keeps: the game under way, the study, and the settings. A reload finds them again.

import { START, isLegal } from "./rules.js";
import { child, newGame } from "./tree.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

const PREFIX = "amazons.";

/** Keeps a value. Returns whether the browser does. @param {string} name @param {any} value */
export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The value that was kept; nothing if there is none, or it can't be read. @param {string} name */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** A game as a value without circles. @param {Game} game */
export function packGame(game) {
  const packNode = (node) => ({ m: node.move, t: Math.round(node.ms), c: node.children.map(packNode) });
  const path = [];
  for (let node = game.node; node.parent; node = node.parent) path.unshift(node.parent.children.indexOf(node));
  return { start: game.root.position, line: packNode(game.root), path, names: game.names, title: game.title, end: game.end };
}

/** The game of a value that [`packGame`] made; nothing if it is damaged. @param {any} value @returns {Game | null} */
export function unpackGame(value) {
  try {
    const game = newGame(value.start ?? START);
    const lay = (node, packed) => {
      node.ms = packed.t ?? 0;
      for (const next of packed.c) {
        if (!isLegal(node.position, next.m)) throw new Error(next.m);
        lay(child(node, next.m), next);
      }
    };
    lay(game.root, value.line);
    for (const at of value.path) game.node = game.node.children[at];
    if (!game.node) return null;
    const names = { black: value.names?.black ?? null, white: value.names?.white ?? null };
    Object.assign(game, { names, title: value.title ?? "", end: value.end ?? null, isOwn: true });
    return game;
  } catch {
    return null;
  }
}
