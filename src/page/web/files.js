// Opens and saves games: reads match logs and other game records from files, drag and drop or the clipboard
// (`openRecords`), saves games as files (`saveFile`), and copies and opens links to games.

import { $, setOptions } from "./dom.js";
import { t } from "./texts.js";
import { canRun, engine, hasEngine } from "./engine.js";
import { allNodes, declaredEnd, fileStem, gameFromRecord, isFromStart, mainLine, recordNodes, pathTo, sgfResult, shortName } from "./tree.js";
import { emitChange, game, onChange, openStudy, state } from "./state.js";
import { countOmittedMoves, decodeLink, encodeLink, linkHasAnnotations, setAddress } from "./link.js";
import { notify, showProgress } from "./notice.js";
import { addElapsedTime, recordedNames, timeControlProperties } from "./play.js";
import { ANNOTATION_NAMES, annotationsOf } from "./annotations.js";
import { gameTitle } from "./review.js";

/**
 * Returns the players of the game in the form in which a match log stores them under the key `play`. The list `seats`
 * describes black, then white: `who` is `bot` or `human`; a bot also has `level`, or `time_ms` (milliseconds per move).
 * @param {string[]} names of black and white. `level 6` is a bot of this level, `3000 ms` a bot with this time per
 * move; any other name is a person's name.
 */
function matchLogPlayers(names) {
  const seat = (name) => {
    const level = /^level (\d+)$/.exec(name);
    const time = /^(\d+) ms$/.exec(name);
    if (level) return { who: "bot", level: Number(level[1]) };
    return time ? { who: "bot", time_ms: Number(time[1]) } : { who: "human" };
  };
  return { seats: names.map(seat), names: [null, null] };
}

/**
 * File name extension of each format in which the page saves games: `log`: match log in JSON; `sgf`: SGF; `moves`: list
 * of moves; `ccgc`: format of China's national computer game contest.
 */
const EXTENSIONS = { log: "json", sgf: "sgf", moves: "txt", ccgc: "txt" };

/**
 * Downloads the current game as a file in the format that the user has selected. An SGF file contains all variations.
 * In the other formats, the file contains the main line, or in the "Play" tab the moves up to the current position.
 */
async function saveFile() {
  const format = $("save-as").value;
  const { node, root, title } = game();
  const isWhole = format === "sgf";
  if (!isWhole && !isFromStart(game())) {
    notify(t("notFromStart"));
    return;
  }
  const isPlay = state.tab === "play";
  if (isPlay) addElapsedTime();
  const line = isPlay ? pathTo(node) : mainLine(game());
  const nodes = recordNodes(game(), (other) => isWhole || line.includes(other));
  nodes[0].properties = gameProperties(nodes[0].properties, isPlay);
  const { black, white } = isPlay ? recordedNames() : game().names;
  const { text } = await engine.ask({
    ask: "write", format, nodes, start: { cells: root.position.cells, to_move: root.position.toMove },
    names: [black, white], play: isPlay ? matchLogPlayers(Object.values(recordedNames())) : null,
  });
  const isMore = sgfResult(game()) || extraDataKinds().some((kind) => kind === "comments" || kind === "reviews");
  if (!isWhole && (nodes.length < allNodes(game()).length || isMore)) notify(t("savedLess"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `${(title || "amazons").replace(/[^\p{L}\p{N} _.-]/gu, "_")}.${EXTENSIONS[format]}`;
  link.click();
}

/**
 * Returns the SGF properties to write at the root of the current game: the properties that the root has already, the
 * game's result (`RE`), and in the "Play" tab the time control (`TM`, `OT`). The result and the time control replace
 * older properties of the same names.
 * @param {import("./tree.js").Properties} present the properties that the root has already
 * @param {boolean} isPlay whether the "Play" tab is open
 */
function gameProperties(present, isPlay) {
  const result = sgfResult(game());
  /**
   * SGF properties to add to the root: in the "Play" tab the time control, and then the game's result (`RE`), if known.
   * They replace properties of the same names that the root has already.
   * @type {import("./tree.js").Properties}
   */
  const newProperties = [...(isPlay ? timeControlProperties() : [])];
  if (result) newProperties.push(["RE", [result]]);
  // Tests if an existing SGF property of the root is dropped from the file. It is dropped if one of `newProperties` has
  // its name. In the "Play" tab, the result (`RE`) is always dropped: it belongs to the opened file, and the game was
  // continued.
  const isReplaced = (/** @type {string} */ name) => (isPlay && name === "RE") || newProperties.some(([other]) => other === name);
  return [...present.filter(([name]) => !isReplaced(name)), ...newProperties];
}

/**
 * Lists the kinds of data, besides moves and result, that the current game contains, to tell the user what a saved file
 * or a link omits. The elements are keys of the page's texts (see `t`): `comments` (all annotations), `times`,
 * `reviews`, `otherData` (other SGF properties). Returns an empty list if there is no such data.
 */
function extraDataKinds() {
  const nodes = allNodes(game());
  const data = nodes.flatMap(({ properties }) => properties.map(([name]) => name)).filter((name) => name !== "RE");
  const has = {
    comments: nodes.some((node) => annotationsOf(node).length), times: nodes.some(({ ms, spent }) => ms || spent), reviews: game().summary, otherData: data.some((name) => !ANNOTATION_NAMES.includes(name)),
  };
  return /** @type {(keyof typeof has)[]} */ (Object.keys(has)).filter((kind) => has[kind]);
}

/**
 * Converts a game that the engine has parsed from a file to a game of the page. Returns two fields: `opened` is the
 * game; `message` is a text for the user with the file's name, the number of moves, and the parser's warnings.
 * @param {string} name name of the file
 * @param {string} suffix text after the name to tell several games of one file apart, such as ` 2`; otherwise empty
 * @param {Record<string, any>} parsed the engine's response. `nodes`: nodes of the game tree, in depth-first order;
 * `start`: position before the first move; `names`: the players' names, black first; `winner`: `black`, `white` or
 * null; `ending`: how the game ended, as a key of `ENDINGS`; `remark`: the parser's warnings, or null.
 */
function gameFromResponse(name, suffix, { nodes, start, names, winner, ending, remark }) {
  const opened = gameFromRecord(nodes, { cells: start.cells, toMove: start.to_move });
  Object.assign(opened, {
    names: { black: shortName(names[0]), white: shortName(names[1]) }, title: shortName(fileStem(name)) + suffix, isOwn: true,
    end: winner && { winner, ending },
  });
  opened.end = declaredEnd(opened);
  return { opened, message: [t("loaded", name + suffix, mainLine(opened).length - 1), ...(remark ? [remark] : [])].join(", ") };
}

/**
 * Reads the content of a file. Throws an error with a message for the user if the file cannot be read, for example
 * because it is a folder.
 * @param {File} file
 */
async function readBytes(file) {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(t("unreadable"));
  });
  return new Uint8Array(bytes);
}

/**
 * Maximum number of messages that are shown after opening files. If there are more, the last one shown says how many
 * were omitted.
 */
const MAX_MESSAGES = 4;

/**
 * The latest call of `openRecords`, which reads files one after another. Its field `isOver` becomes true when the call
 * has read all files, or when the stop button or a later call cancels it; the call then reads no further file.
 */
let currentRead = { isOver: true };

/**
 * Opens all games of the given files in the "Study" tab: shows the first game, and a table of the games if there are
 * several. If an earlier call is still reading files, cancels that call.
 * @param {{ name: string, bytes: () => Promise<Uint8Array> }[]} records the files: `name`, and `bytes`, a function that
 * reads the file's content
 */
async function openRecords(records) {
  currentRead.isOver = true;
  const thisRead = { isOver: false };
  currentRead = thisRead;
  setReading(true);
  /**
   * The games parsed so far (`opened`), each with a message that tells the user its name and number of moves.
   * @type {{ opened: import("./tree.js").Game, message: string }[]}
   */
  const games = [];
  /** Error messages about files and games that could not be opened. @type {string[]} */
  const errors = [];
  const end = () => {
    thisRead.isOver = true;
    setReading(false);
  };
  for (const [at, { name, bytes }] of records.entries()) {
    if (records.length > 1) showProgress(t("reading", at + 1, records.length), at, records.length, end);
    try {
      const { games: answers } = await engine.read(await bytes());
      for (const [number, one] of answers.entries()) {
        const called = answers.length > 1 ? ` ${number + 1}` : "";
        if (one.error) errors.push(t("namely", shortName(name) + called, one.error));
        else games.push(gameFromResponse(name, called, one));
      }
    } catch (error) {
      errors.push(t("namely", shortName(name), error.message));
    }
    if (thisRead.isOver) return;
  }
  end();
  notify(joinMessages(games.map(({ message }) => message), errors));
  if (!games.length) return;
  if (games.length > 1) state.panel = "games";
  else if (state.panel === "games") state.panel = "review";
  openStudy(games[0].opened, games.length > 1 ? games.map(({ opened }) => opened) : []);
}

/**
 * Pauses or resumes the engine's analysis of the shown position. The analysis pauses while files are read, because the
 * same engine parses the files.
 * @param {boolean} isReading whether files are being read; true pauses the analysis
 */
function setReading(isReading) {
  state.isReading = isReading;
  if (!isReading) showProgress("", 1, 1, () => {});
  emitChange();
}

/**
 * Joins messages for the user about opened games and about errors into one text, separated by ` · `. First shortens the
 * list in two steps. If there are more than `MAX_MESSAGES` messages about games, replaces them by one with the number
 * of games. If the list, with the errors, is still longer than `MAX_MESSAGES`, replaces its last messages by one with
 * their number, so that `MAX_MESSAGES` are left.
 * @param {string[]} messages messages about opened games @param {string[]} errors error messages
 */
function joinMessages(messages, errors) {
  const all = messages.length > MAX_MESSAGES ? [t("filesRead", messages.length), ...errors] : [...errors, ...messages];
  const rest = all.length - MAX_MESSAGES + 1;
  if (rest > 1) all.splice(MAX_MESSAGES - 1, rest, t("filesMore", rest));
  return all.join(" · ");
}

/** Opens game files that the user has selected in the file dialog or dropped on the page. @param {FileList} files */
const openFiles = (files) => openRecords([...files].map((file) => ({ name: file.name, bytes: () => readBytes(file) })));

/**
 * Handles a paste outside of text fields: if the clipboard contains a link to a game, opens the game of the link;
 * otherwise parses the pasted text as a game record.
 * @param {any} event the `paste` event
 */
function handlePaste(event) {
  if (event.target.closest?.("input, textarea")) return;
  const text = event.clipboardData?.getData("text").trim();
  if (!text) return;
  event.preventDefault();
  if (openLinkText(text) || !hasEngine || !canRun) return;
  // The byte order mark (U+FEFF) tells the parser that the bytes are UTF-8, even if the game record declares another
  // character set.
  const bytes = new TextEncoder().encode(`\uFEFF${text}`);
  openRecords([{ name: t("files"), bytes: async () => bytes }]);
}

/**
 * Opens in the "Study" tab the game that a link contains. If the link is invalid, shows a notice instead. Returns true
 * if the text is a link to a game, even an invalid one; else false.
 * @param {string} text a whole address, or its part after `#`
 */
export function openLinkText(text) {
  const [, linked] = /(?:^|#)(g=.*)$/.exec(text) ?? [];
  const opened = linked === undefined ? null : decodeLink(linked);
  if (opened) openStudy(Object.assign(opened, { isOwn: true }));
  return linked !== undefined;
}

/**
 * Copies a link to the current game to the clipboard, and shows a notice that lists the data that the link omits. If
 * the page was opened from a local file, the notice also says that the link works on this computer only.
 */
async function copyLink() {
  const link = `#${encodeLink(game())}`;
  const left = countOmittedMoves(game());
  const parts = [left ? t("linkLess", left) : t("linkWhole")];
  const extra = extraDataKinds().filter((kind) => kind !== "comments" || !linkHasAnnotations(game()));
  if (extra.length) parts.push(t("linkMoves", extra.map((kind) => t(kind)).join(t("and"))));
  if (location.protocol === "file:") parts.push(t("linkOnDisk"));
  try {
    await navigator.clipboard.writeText(location.href.split("#")[0] + link);
    parts.unshift(t("copied"));
  } catch {
    setAddress(link);
    parts.unshift(t("copyFailed"));
  }
  notify(parts.join(t("gap")));
}

/**
 * Sets up opening, saving and sharing of games: adds the event handlers of the buttons, of drag and drop, and of
 * pasting.
 */
export function initFiles() {
  const hasFiles = hasEngine && canRun;
  onChange(() => {
    $("load-file").hidden = !hasFiles || state.tab === "study";
    $("save").disabled = !game().root.children.length;
    $("copy").disabled = !encodeLink(game());
    setOptions($("save-as"), [["sgf", t("asWhole")], ["log", t("asLog")], ["moves", t("asMoves")], ["ccgc", t("asContest")]]);
    $("file-title").textContent = t("namely", t("files"), gameTitle(game()));
  });
  for (const id of ["save", "save-as", "load", "paste-note"]) $(id).hidden = !hasFiles;
  $("save").onclick = () => saveFile().catch((error) => notify(error.message));
  for (const id of ["load", "load-file"]) $(id).onclick = () => $("file").click();
  $("file").onchange = () => {
    openFiles($("file").files).then(() => {
      $("file").value = "";
    });
  };
  $("copy").onclick = copyLink;
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (hasFiles && event.dataTransfer?.files.length) openFiles(event.dataTransfer.files);
  });
  addEventListener("paste", handlePaste);
}
