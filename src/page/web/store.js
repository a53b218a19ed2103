// Saves games and settings in the browser's storage, so that a reload restores them.
//
// Every value is saved as `{ version, value }`, and validated when it is read. An invalid value is saved under another
// name, and the page reports it. Each window saves its games both in session storage and in local storage, which all
// windows share: a reload shows the window's own games, and a new window shows the games that were changed last.

import { $ } from "./dom.js";
import { isLegal, isPosition } from "./rules.js";
import { storeReview, getOrAddChild, indexPath, newGame, pathTo, shortName, summaryOf } from "./tree.js";
import { packFindings, unpackFindings, validSummary } from "./findings.js";
import { hasEngine } from "./engine.js";
import { ENDINGS } from "./texts.js";

/** @typedef {import("./tree.js").Game} Game */
/** @typedef {import("./tree.js").GameNode} GameNode */

/**
 * The analysed games that a report contains, as written by `amazons analyze --html`; empty if the page is not a report.
 * Of each game, `summary` is the summary of the review, and `plies` are the analyses of its moves.
 * @type {{ summary: any, plies: any[] }[]}
 */
export const REPORT = JSON.parse($("data").textContent);

/**
 * Part of the page's storage keys that names the kind of page: `report.` for a report, `still.` for a page without an
 * engine, both for a report without an engine, empty for an ordinary page. All pages that are local files share the
 * browser's storage; this part keeps the values of different kinds of pages apart.
 */
const PAGE_KIND = (REPORT.length ? "report." : "") + (hasEngine ? "" : "still.");

/** Beginning of all keys under which the page saves values in the browser's storage. */
const PREFIX = "amazons.";

/** Version of the format of saved values. Values saved in another version are treated as invalid. */
const VERSION = 1;

// ---- Writing to the storage

/**
 * The JSON texts that this window last loaded or saved, by the name of the saved value. Each text lacks the parts that
 * change without an action of the user (see `stripTransient`). If a new text differs from the one in this table, the
 * user has changed something in this window.
 * @type {Record<string, string | undefined>}
 */
const savedTexts = {};

/**
 * Names of the values that are saved in only one of the browser's two storages. `LOCAL_ONLY`: values in local storage,
 * which all windows share (`options`: settings; `learn`: progress with the puzzles). `SESSION_ONLY`: values in session
 * storage, which each window has for itself (`address`: the latest fragments of the page's URL).
 */
const [LOCAL_ONLY, SESSION_ONLY] = [["options", "learn"], ["address"]];

/**
 * Calls `action` and returns its result. Returns undefined if it throws an error, as access to the browser's storage
 * does if the storage is full or disabled.
 * @template T @param {() => T} action @returns {T | undefined}
 */
function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/**
 * Returns the text that was saved under a name: from this window's session storage, or if it has none, from the local
 * storage that all windows share. Returns null if neither storage contains the name.
 * @param {string} name @param {string} [kind] `PAGE_KIND` of the page that saved the text @returns {string | null}
 */
const savedText = (name, kind = PAGE_KIND) => sessionStorage.getItem(PREFIX + kind + name) ?? localStorage.getItem(PREFIX + kind + name);

/**
 * Removes from the JSON text of a saved value the parts that change without an action of the user: the time that the
 * side to move has used so far (field `s`), and the results of the running search (field `f`). Returns undefined if
 * `text` is null.
 * @param {string | null} text
 */
const stripTransient = (text) => text?.replace(/"(s":\d+|f":"[^"]*"),/g, "");

/**
 * Saves a value under a name in session storage, which belongs to this window, and in local storage, which all windows
 * share. Uses only one of the two for the names in `LOCAL_ONLY` and `SESSION_ONLY`. Leaves local storage as it is if
 * another window has changed the value there, unless the user has changed the value in this window, too, since it was
 * last loaded or saved here.
 * @param {string} name @param {any} value
 * @returns {boolean} false if the browser rejects the value, for example because storage is full
 */
export function save(name, value) {
  const [key, text] = [PREFIX + PAGE_KIND + name, JSON.stringify({ version: VERSION, value })];
  return attempt(() => {
    const content = stripTransient(text);
    if (!LOCAL_ONLY.includes(name)) sessionStorage.setItem(key, text);
    const isFromOtherWindow = content === savedTexts[name] && stripTransient(localStorage.getItem(key)) !== content;
    if (!SESSION_ONLY.includes(name) && !isFromOtherWindow) localStorage.setItem(key, text);
    savedTexts[name] = content;
    return true;
  }) ?? false;
}

/**
 * Deletes a saved value from session and local storage, to free space. If the value is a list of games, also deletes
 * the games, which are saved under names of their own (`NAME/ID`).
 * @param {string} name
 */
export function deleteSaved(name) {
  const prefix = PREFIX + PAGE_KIND + name;
  for (const storage of [sessionStorage, localStorage]) {
    const keys = attempt(() => Object.keys(storage)) ?? [];
    keys.filter((key) => key === prefix || key.startsWith(`${prefix}/`)).forEach((key) => attempt(() => storage.removeItem(key)));
  }
  savedTexts[name] = undefined;
}

// ---- Reading from the storage

/**
 * Names of the saved values that were invalid, wholly or partly, when the page loaded them. At its start, the page
 * tells the user about them.
 * @type {string[]}
 */
export const invalidNames = [];

/**
 * True while no invalid part has been found in the value that `load` is loading. Functions that omit or replace an
 * invalid part set it to false.
 */
let isFullyValid = true;

/**
 * Loads and validates the value saved under a name. Returns null if there is none or if it is invalid. Copies the text
 * of an invalid value to the storage key `aside.NAME`, so that the user loses no data.
 * @template T
 * @param {string} name
 * @param {(value: any) => T} read validates and converts the value; throws an error if the value is invalid
 * @param {string} [kind] `PAGE_KIND` of the page that saved the value
 * @returns {T | null}
 */
export function load(name, read, kind = PAGE_KIND) {
  const text = attempt(() => savedText(name, kind)) ?? null;
  if (kind === PAGE_KIND) savedTexts[name] = stripTransient(text);
  if (text === null) return null;
  isFullyValid = true;
  const value = attempt(() => {
    const saved = JSON.parse(text);
    return read(ensure(saved.value, saved.version === VERSION));
  });
  if (value === undefined || !isFullyValid) {
    const [whole] = name.split("/");
    if (!invalidNames.includes(whole)) invalidNames.push(whole);
    attempt(() => localStorage.setItem(`${PREFIX}${PAGE_KIND}aside.${name}`, text));
  }
  return value ?? null;
}

/**
 * Returns `value` if it is one of the `allowed` values, else `fallback`. If `value` is neither allowed nor undefined,
 * also sets `isFullyValid` to false, because the value that `load` is loading is then partly invalid.
 * @template T @param {T[]} allowed @param {any} value @param {T} fallback
 */
export function oneOf(allowed, value, fallback) {
  if (allowed.includes(value)) return /** @type {T} */ (value);
  isFullyValid &&= value === undefined;
  return fallback;
}

/**
 * Returns `value` if `condition` is true (or truthy); throws an error otherwise. Used to validate loaded values.
 * @template T @param {T} value @param {any} condition @returns {T}
 */
export function ensure(value, condition) {
  if (!condition) throw new Error(`not expected: ${JSON.stringify(value)}`);
  return value;
}

// ---- Packing games

/**
 * Converts a game to a value that can be written as JSON; `unpackGame` is the inverse. The results of a search
 * (`findings`) change without an action of the user, so `stripTransient` must be able to remove them from the JSON
 * text. Therefore they are stored as one string, their own JSON text with `'` for `"`: it ends at the next `"`.
 * @param {Game} game @param {boolean} hasAnalyses whether the value includes the engine's analyses and the review
 */
export function packGame(game, hasAnalyses = true) {
  const packAnalysis = (node) => ({
    ...(node.ply && { e: packFindings(node.ply) }), ...(node.findings && { f: JSON.stringify(packFindings(node.findings)).replaceAll('"', "'") }),
    ...(summaryOf(node, game) && { r: game.summary }),
  });
  const packNode = (node) => ({
    m: node.move, t: Math.round(node.ms), ...(node.spent && { s: Math.round(node.spent) }),
    ...(node.properties.length && { p: node.properties }), ...(hasAnalyses && packAnalysis(node)), c: node.children.map(packNode),
  });
  return { start: game.root.position, line: packNode(game.root), path: indexPath(game), names: game.names, title: game.title, end: game.end };
}

/**
 * Unpacks an optional part of a saved game, such as an analysis: returns `read(packed)`, or null if `packed` is
 * undefined because the part is missing. If the part is invalid, returns null and sets `isFullyValid` to false.
 * @template T @param {any} packed @param {(packed: any) => T | null} read returns null for an invalid part
 */
function unpackOptional(packed, read) {
  const value = packed === undefined ? null : read(packed);
  isFullyValid &&= packed === undefined || value !== null;
  return value;
}

/**
 * Converts a saved value of `packGame` back to a game. Omits invalid analyses. Throws an error if a move or another
 * required part is invalid.
 * @param {any} value @returns {Game}
 */
export function unpackGame({ start, line, path, names, title, end }) {
  const game = newGame(ensure(start, isPosition(start)));
  const unpackNode = (node, packed) => {
    [node.ms, node.spent] = [packed.t ?? 0, packed.s ?? 0].map((ms) => ensure(ms, Number.isFinite(ms) && ms >= 0));
    node.properties = ensure(packed.p ?? [], areProperties(packed.p ?? []));
    node.ply = unpackOptional(packed.e, (findings) => unpackFindings(findings, node.position));
    node.findings = unpackOptional(packed.f, (text) => unpackFindings(JSON.parse(text.replaceAll("'", '"')), node.position));
    const summary = unpackOptional(packed.r, (review) => validSummary(review, pathTo(node)));
    if (summary) storeReview(game, summary, node);
    for (const next of packed.c) unpackNode(getOrAddChild(node, ensure(next.m, isLegal(node.position, next.m))), next);
  };
  unpackNode(game.root, line);
  for (const at of path) game.node = game.node.children[ensure(at, Number.isInteger(at) && game.node.children[at])];
  const named = (name) => shortName(ensure(name ?? null, (name ?? null) === null || typeof name === "string"));
  game.names = { black: named(names?.black), white: named(names?.white) };
  game.title = named(title) ?? "";
  const isEnding = ["black", "white"].includes(end?.winner) && Object.hasOwn(ENDINGS, end?.ending);
  game.end = end ? { winner: ensure(end.winner, isEnding), ending: end.ending } : null;
  return Object.assign(game, { isOwn: true });
}

/**
 * Tests if a value is a valid list of SGF properties: pairs of a name and a list of strings (type `Properties` of
 * tree.js).
 * @param {any} value
 */
function areProperties(value) {
  const isText = (text) => typeof text === "string";
  return Array.isArray(value) && value.every((pair) => isText(pair[0]) && Array.isArray(pair[1]) && pair[1].every(isText));
}

// ---- Lists of games

/**
 * How this window has saved each game of the games table:
 * - `id`: last part of the name under which the game is saved;
 * - `revision`: number of attempts to save the game so far;
 * - `stamp`: three values at the last save: whether the engine's analyses were included, the game's `summary` (of its
 *   review), and the game's `root` node. If one of the three is no longer identical (`===`), the game is saved again.
 *   An empty list, as after a rejected save, also causes a new save.
 * @type {WeakMap<Game, { id: string, revision: number, stamp: any[] }>}
 */
const savedGames = new WeakMap();

/** Marks a game as changed, so that the next `saveGames` writes it again in any case. @param {Game} game */
export function markChanged(game) {
  const entry = savedGames.get(game);
  if (entry) entry.stamp = [];
}

/**
 * Saves a list of games. First saves each game that has changed since the last call; its name is `name`, a slash and
 * the game's id. Then saves the list of the games' ids and revisions under `name`. Null in the list stands for the
 * current game of the "Study" tab: the caller saves it under the name `study`, and this function does not save it
 * again.
 * @param {string} name @param {(Game | null)[]} games @param {boolean} isWhole whether to include the engine's analyses
 * @returns {boolean[]} for each saved value, whether the browser has accepted it
 */
export function saveGames(name, games, isWhole) {
  const done = [];
  const list = games.map((game) => {
    if (!game) return null;
    const { id, revision, stamp } = savedGames.get(game) ?? { id: Math.random().toString(36).slice(2, 12), revision: 0, stamp: [] };
    const now = [isWhole, game.summary, game.root];
    if (now.every((part, at) => part === stamp[at])) return [id, revision];
    const isSaved = save(`${name}/${id}`, packGame(game, isWhole));
    done.push(isSaved);
    savedGames.set(game, { id, revision: revision + 1, stamp: isSaved ? now : [] });
    return [id, revision + 1];
  });
  done.push(save(name, list));
  attempt(() => tidyGames(name, list.flatMap((entry) => (entry ? `${PREFIX}${PAGE_KIND}${name}/${entry[0]}` : []))));
  return done;
}

/**
 * Makes session storage contain exactly the games of a list: deletes the saved games that are not in the list, and
 * copies missing games from local storage. Games are missing in a new window, which has loaded them from local storage.
 * Then does the same for local storage, where games are missing if another window has deleted them; copies these from
 * session storage. Leaves local storage as it is if another window has saved a different list there.
 * @param {string} name name of the list @param {string[]} keys storage keys of the games in the list
 */
function tidyGames(name, keys) {
  const prefix = PREFIX + PAGE_KIND + name;
  const isOwn = localStorage.getItem(prefix) === sessionStorage.getItem(prefix);
  for (const storage of isOwn ? [sessionStorage, localStorage] : [sessionStorage]) {
    const saved = Object.keys(storage).filter((key) => key.startsWith(`${prefix}/`));
    saved.filter((key) => !keys.includes(key)).forEach((key) => storage.removeItem(key));
    for (const key of keys.filter((one) => !saved.includes(one))) {
      const text = sessionStorage.getItem(key) ?? localStorage.getItem(key);
      if (text) storage.setItem(key, text);
    }
  }
}

/**
 * Loads a list of games that `saveGames` has saved under a name. Returns an empty list if there is none; omits games
 * that are missing or invalid. Null in the returned list stands for the current game of the "Study" tab, which is saved
 * under the name `study`. The caller replaces null by that game.
 * @param {string} name @returns {(Game | null)[]}
 */
export function loadGames(name) {
  const list = load(name, (entries) => ensure(entries, Array.isArray(entries))) ?? [];
  return list.flatMap((entry) => {
    if (!entry) return [null];
    // Earlier versions of the page saved the games themselves in the list, and not their ids and revisions. Such a list
    // can still be loaded.
    const game = Array.isArray(entry) ? load(`${name}/${entry[0]}`, unpackGame) : (attempt(() => unpackGame(entry)) ?? null);
    if (!game) {
      if (!invalidNames.includes(name)) invalidNames.push(name);
      return [];
    }
    if (Array.isArray(entry)) savedGames.set(game, { id: String(entry[0]), revision: Number(entry[1]) || 0, stamp: [true, game.summary, game.root] });
    return [game];
  });
}
