// Games from and to elsewhere: match logs and other records as files, dropped, pasted; links.

import { $, setOptions } from "./elements.js";
import { say } from "./words.js";
import { canRun, engine, hasEngine } from "./engine.js";
import { allNodes, commentOf, fileName, gameOfNodes, isFromStart, mainLine, nodesOf, pathTo, resultOf, saidEnd, shortName } from "./tree.js";
import { changed, game, onChange, openStudy, state } from "./state.js";
import { gameOfLink, leftOut, linkOf, setAddress } from "./link.js";
import { notify, tellProgress } from "./notice.js";
import { noteTime, seatNames, timeControl } from "./play.js";
import { titleOf } from "./review.js";

/** Players as the key `play` of a log has them, which other tools read. @param {string[]} names */
function seatsOf(names) {
  const seat = (name) => {
    const level = /^level (\d+)$/.exec(name);
    const time = /^(\d+) ms$/.exec(name);
    if (level) return { who: "bot", level: Number(level[1]) };
    return time ? { who: "bot", time_ms: Number(time[1]) } : { who: "human" };
  };
  return { seats: names.map(seat), names: [null, null] };
}

/** Endings of files, by the formats of ../../record/formats.rs. */
const ENDINGS = { log: "json", sgf: "sgf", moves: "txt", ccgc: "txt" };

/** Saves the game that is shown: as SGF all of it, else its main line, or the moves that were played to the end. */
async function save() {
  const format = $("save-as").value;
  const { node, root, title } = game();
  const isWhole = format === "sgf";
  if (!isWhole && !isFromStart(game())) {
    notify(say("notFromStart"));
    return;
  }
  const isPlay = state.tab === "play";
  if (isPlay) noteTime();
  const line = isPlay ? pathTo(node) : mainLine(game());
  const nodes = nodesOf(game(), (other) => isWhole || line.includes(other));
  nodes[0].properties = dataOf(nodes[0].properties, isPlay);
  const { black, white } = isPlay ? seatNames() : game().names;
  const { text } = await engine.ask({
    ask: "write", format, nodes, start: { cells: root.position.cells, to_move: root.position.toMove },
    names: [black, white], play: isPlay ? seatsOf(Object.values(seatNames())) : null,
  });
  const isMore = resultOf(game()) || besideMoves().some((kind) => kind === "comments" || kind === "reviews");
  if (!isWhole && (nodes.length < allNodes(game()).length || isMore)) notify(say("savedLess"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `${(title || "amazons").replace(/[^\p{L}\p{N} _.-]/gu, "_")}.${ENDINGS[format]}`;
  link.click();
}

/** The data of the game that is shown, with its result and clocks. @param {import("./tree.js").Properties} known @param {boolean} isPlay */
function dataOf(known, isPlay) {
  const result = resultOf(game());
  /** @type {import("./tree.js").Properties} */
  const data = [...(isPlay ? timeControl() : [])];
  if (result) data.push(["RE", [result]]);
  // A result that was read is not that of a game which goes on.
  const isOld = (/** @type {string} */ name) => (isPlay && name === "RE") || data.some(([other]) => other === name);
  return [...known.filter(([name]) => !isOld(name)), ...data];
}

/** What stands beside the moves of the game that is shown, by the words for it. */
function besideMoves() {
  const nodes = allNodes(game());
  const data = nodes.flatMap(({ properties }) => properties.map(([name]) => name)).filter((name) => name !== "RE");
  const has = {
    comments: nodes.some(commentOf), times: nodes.some(({ ms, spent }) => ms || spent), reviews: game().summary, otherData: data.some((name) => name !== "C"),
  };
  return /** @type {(keyof typeof has)[]} */ (Object.keys(has)).filter((kind) => has[kind]);
}

/** A game as the engine has read it, and what was assumed of it. @param {string} name @param {string} number of a file with several games @param {Record<string, any>} read */
function gameRead(name, number, { nodes, start, names, winner, ending, remark }) {
  const opened = gameOfNodes(nodes, { cells: start.cells, toMove: start.to_move });
  Object.assign(opened, {
    names: { black: shortName(names[0]), white: shortName(names[1]) }, title: shortName(fileName(name)) + number, isOwn: true,
    end: winner && { winner, ending },
  });
  opened.end = saidEnd(opened);
  return { opened, told: [say("loaded", name + number, mainLine(opened).length - 1), ...(remark ? [remark] : [])].join(", ") };
}

/** The bytes of a file. A folder has none. @param {File} file */
async function bytesOf(file) {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(say("unreadable"));
  });
  return new Uint8Array(bytes);
}

/** Messages on files that are shown; how many more there are is said. */
const MOST_TOLD = 4;

/** The reading under way, if it is not over; another one takes its place. */
let reading = { isOver: true };

/** Opens records: one is studied, several make a table. @param {{ name: string, bytes: () => Promise<Uint8Array> }[]} records */
async function open(records) {
  reading.isOver = true;
  const own = { isOver: false };
  reading = own;
  tellReading(true);
  /** @type {{ opened: import("./tree.js").Game, told: string }[]} */
  const found = [];
  /** @type {string[]} */
  const faults = [];
  const end = () => {
    own.isOver = true;
    tellReading(false);
  };
  for (const [at, { name, bytes }] of records.entries()) {
    if (records.length > 1) tellProgress(say("reading", at + 1, records.length), at, records.length, end);
    try {
      const { games } = await engine.read(await bytes());
      for (const [number, one] of games.entries()) {
        const called = games.length > 1 ? ` ${number + 1}` : "";
        if (one.error) faults.push(say("namely", shortName(name) + called, one.error));
        else found.push(gameRead(name, called, one));
      }
    } catch (error) {
      faults.push(say("namely", shortName(name), error.message));
    }
    if (own.isOver) return;
  }
  end();
  notify(summed(found.map(({ told }) => told), faults));
  if (!found.length) return;
  state.collection = found.length > 1 ? found.map(({ opened }) => opened) : [];
  openStudy(found[0].opened);
}

/** Lets the engine do nothing but read, or what it did before. @param {boolean} isReading */
function tellReading(isReading) {
  state.isReading = isReading;
  if (!isReading) tellProgress("", 1, 1, () => {});
  changed();
}

/** What is said of files: as much as can be read in a moment. @param {string[]} told @param {string[]} faults */
function summed(told, faults) {
  const all = told.length > MOST_TOLD ? [say("filesRead", told.length), ...faults] : [...faults, ...told];
  const rest = all.length - MOST_TOLD + 1;
  if (rest > 1) all.splice(MOST_TOLD - 1, rest, say("filesMore", rest));
  return all.join(" · ");
}

/** Opens files as they are brought. @param {FileList} files */
const openFiles = (files) => open([...files].map((file) => ({ name: file.name, bytes: () => bytesOf(file) })));

/** Opens what was pasted: a link, or a record. */
function paste(event) {
  if (event.target.closest?.("input, textarea")) return;
  const text = event.clipboardData?.getData("text").trim();
  if (!text) return;
  event.preventDefault();
  if (openLinkIn(text) || !hasEngine || !canRun) return;
  // A mark in front says that it is UTF-8 here, whatever the record declares.
  const bytes = new TextEncoder().encode(`\uFEFF${text}`);
  open([{ name: say("files"), bytes: async () => bytes }]);
}

/** Opens the game of a link, or of what stands behind its `#`. Returns whether a text is one. @param {string} text */
export function openLinkIn(text) {
  const [, linked] = /(?:^|#)(g=.*)$/.exec(text) ?? [];
  const opened = linked === undefined ? null : gameOfLink(linked);
  if (opened) openStudy(Object.assign(opened, { isOwn: true }));
  return linked !== undefined;
}

/** Copies the address with the game in it, and says what is not in it. On a disk the address leads nobody else anywhere. */
async function copy() {
  const link = `#${linkOf(game())}`;
  const left = leftOut(game());
  const told = [left ? say("linkLess", left) : say("linkWhole")];
  const beside = besideMoves();
  if (beside.length) told.push(say("linkMoves", beside.map((kind) => say(kind)).join(say("and"))));
  if (location.protocol === "file:") told.push(say("linkOnDisk"));
  try {
    await navigator.clipboard.writeText(location.href.split("#")[0] + link);
    told.unshift(say("copied"));
  } catch {
    setAddress(link);
    told.unshift(say("copyFailed"));
  }
  notify(told.join(say("gap")));
}

/** Listens to files, the clipboard and the buttons. */
export function showFiles() {
  const hasFiles = hasEngine && canRun;
  onChange(() => {
    $("save").disabled = !game().root.children.length;
    $("copy").disabled = !linkOf(game());
    setOptions($("save-as"), [["sgf", say("asWhole")], ["log", say("asLog")], ["moves", say("asMoves")], ["ccgc", say("asContest")]]);
    $("file-title").textContent = say("namely", say("files"), titleOf(game()));
  });
  for (const id of ["save", "save-as", "load", "paste-note"]) $(id).hidden = !hasFiles;
  $("save").onclick = () => save().catch((error) => notify(error.message));
  $("load").onclick = () => $("file").click();
  $("file").onchange = () => {
    openFiles($("file").files).then(() => {
      $("file").value = "";
    });
  };
  $("copy").onclick = copy;
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (hasFiles && event.dataTransfer?.files.length) openFiles(event.dataTransfer.files);
  });
  addEventListener("paste", paste);
}
