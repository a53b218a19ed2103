// The report on analysed games: one turn at a time on the board, in the curve, and in words.
"use strict";

const GAMES = JSON.parse(document.getElementById("data").textContent);

const WORDS = {
  en: {
    games: "Game", board: "Board", steps: "Step through the game", shown: "Shown on the board",
    first: "First turn", previous: "Previous turn", next: "Next turn", last: "End of the game",
    played: "Played", best: "Best", ownership: "Territory", move: "Move", probability: "Wins",
    visits: "Visits", line: "Then", curve: "Black’s win probability", moments: "Review", moves: "Moves",
    black: "Black", white: "White", toMove: "to move", turn: "{0} / {1}", end: "The end",
    plays: "{0} plays {1}", ended: "The end of the game", standing: "{0} to move",
    kept: "{0} before, {1} after the move.", lost: "{0}: {1} points lost.",
    better: "Better was {0}: {1} instead of {2}.", chosen: "The best move.", proven: "The result is certain.",
    inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder",
    effort: "{0} iterations, {1} evaluations, {2} plies deep.", unseen: "No move is left.", counted: "Settled by counting moves.",
    accuracy: "accuracy over {0} moves", none: "No move that counts", counts: "inaccuracies {0}, mistakes {1}, blunders {2}",
    turning: "Turning points", leads: "{0} takes the lead", costs: "−{0} points, better {1}",
    legend: "Who is closer in queen moves and in king steps; the stronger the colour, the safer the square.",
    time: "Time of a turn", memory: "Memory", most: "at most {0}",
    won: "{0} won: {1}", running: "The game is running", about: "Probabilities are those of the player to move, the curve’s are black’s.",
    endings: {
      "no move": "{0} has no move", INVALIDMOVE: "{0}’s answer was illegal", OK: "{0}’s answer was not a move", TLE: "{0} was late",
      MLE: "{0} used too much memory", RE: "{0} crashed", NJ: "{0}’s answer was not JSON", CE: "{0} could not be started",
    },
  },
  zh: {
    games: "对局", board: "棋盘", steps: "逐步浏览", shown: "棋盘上显示",
    first: "第一步", previous: "上一步", next: "下一步", last: "终局",
    played: "实战", best: "最佳", ownership: "领地", move: "着法", probability: "胜率",
    visits: "访问", line: "后续", curve: "黑方胜率", moments: "复盘", moves: "着法列表",
    black: "黑方", white: "白方", toMove: "行棋", turn: "{0} / {1}", end: "终局",
    plays: "{0}走 {1}", ended: "终局", standing: "轮到{0}",
    kept: "着前 {0}，着后 {1}。", lost: "{0}：损失 {1} 个百分点。",
    better: "更好的是 {0}：{1}，而非 {2}。", chosen: "最佳着法。", proven: "胜负已定。",
    inaccuracy: "欠准", mistake: "失误", blunder: "大失误",
    effort: "{0} 次迭代，{1} 次估值，深 {2} 步。", unseen: "已无着可走。", counted: "由数着确定胜负。",
    accuracy: "准确率（{0} 步）", none: "无计入的着法", counts: "欠准 {0}，失误 {1}，大失误 {2}",
    turning: "转折点", leads: "{0}取得优势", costs: "−{0} 个百分点，宜走 {1}",
    legend: "按后步与王步的距离谁更近；颜色越深越稳。",
    time: "每步用时", memory: "内存", most: "最高 {0}",
    won: "{0}胜：{1}", running: "对局进行中", about: "胜率均为行棋方的胜率，曲线为黑方胜率。",
    endings: {
      "no move": "{0}无着可走", INVALIDMOVE: "{0}着法违规", OK: "{0}的回答不是着法", TLE: "{0}超时",
      MLE: "{0}内存超限", RE: "{0}运行错误", NJ: "{0}的回答不是 JSON", CE: "{0}无法启动",
    },
  },
};

const START = { c1: "black", f1: "black", a3: "black", h3: "black", a6: "white", h6: "white", c8: "white", f8: "white" };

const state = {
  game: GAMES[0],
  ply: 0, // index of the turn that is shown
  language: navigator.language.startsWith("zh") ? "zh" : "en",
  candidate: 0, // index of the candidate that is drawn
  show: { played: true, best: true, ownership: false },
};

// ---- Small things

const $ = (id) => document.getElementById(id);
const turn = () => state.game.plies[state.ply];
const isOver = () => !turn().move && state.game.summary.winner !== undefined;
const other = (player) => (player === "black" ? "white" : "black");
const blackChance = (ply) => (ply.player === "black" ? ply.win_probability : 1 - ply.win_probability);
const percent = (probability) => (100 * probability).toFixed(1) + "%";
const points = (loss) => (100 * loss).toFixed(1);
const grouped = (number) => number.toLocaleString("en");

/** A text of the chosen language, its places {0}, {1}, … filled. */
function say(key, ...parts) {
  return fill(WORDS[state.language][key], ...parts);
}

function fill(text, ...parts) {
  return text.replace(/\{(\d)\}/g, (_, place) => parts[place]);
}

/** An element with attributes and children; texts are never read as HTML. */
function make(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

function draw(name, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.onclick = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function button(attributes, ...children) {
  return make("button", { type: "button", ...attributes }, ...children);
}

function sign(judgement) {
  const signs = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  return make("span", { class: "judged " + judgement, title: say(judgement) }, signs[judgement]);
}

/** A file's name without folders and ending. */
function fileName(path) {
  return path.split(/[\\/]/).pop().replace(/\.json$/, "");
}

/** Column and row of a square such as c1. */
function place(square) {
  return [square.charCodeAt(0) - 97, Number(square[1]) - 1];
}

/** Who and what stands on the squares before a ply: a player or "arrow" by square. */
function position(ply) {
  const board = { ...START };
  for (const { move } of state.game.plies.slice(0, ply)) {
    const [from, to, arrow] = move.split(" ");
    board[to] = board[from];
    delete board[from];
    board[arrow] = "arrow";
  }
  return board;
}

// ---- The board

const SIZE = 100;
const CROWN = "M-21 17 L-25 -12 L-11 1 L0 -20 L11 1 L25 -12 L21 17 Z";

function drawBoard() {
  const svg = draw("svg", { viewBox: "-34 -34 838 838", role: "img", "aria-label": boardInWords() });
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) svg.append(square(x, y, (x + y) % 2 ? "dark" : "light", 0));
    svg.append(draw("text", { x: -18, y: SIZE * y + 58 }, String(y + 1)));
    svg.append(draw("text", { x: SIZE * y + 50, y: -11 }, "abcdefgh"[y]));
  }
  if (state.show.ownership) turn().ownership.forEach((owner, at) => svg.append(shade(owner, at)));
  const pieces = Object.entries(position(state.ply));
  svg.append(...pieces.filter(([, piece]) => piece === "arrow").map(([at]) => stone(at)));
  const drawn = ways();
  svg.append(...drawn.flatMap(([move, kind]) => way(move, kind)));
  svg.append(...pieces.filter(([, piece]) => piece !== "arrow").map(([at, player]) => amazon(at, player)));
  svg.append(...drawn.map(([move, kind]) => target(move, kind)));
  $("board").replaceChildren(svg);
}

function square(x, y, kind, inset) {
  const side = SIZE - 2 * inset;
  return draw("rect", { x: SIZE * x + inset, y: SIZE * y + inset, width: side, height: side, rx: inset / 1.2, class: kind });
}

function shade(owner, at) {
  const shading = square(at % 8, at >> 3, owner > 0 ? "owner-black" : "owner-white", 0);
  shading.setAttribute("opacity", (0.62 * Math.abs(owner)).toFixed(2));
  return shading;
}

function stone(at) {
  const [x, y] = place(at);
  const [left, top] = [SIZE * x + 50, SIZE * y + 50];
  const notch = draw("path", { class: "notch", d: `M${left - 13} ${top - 13}l26 26m0 -26l-26 26` });
  return draw("g", {}, square(x, y, "arrow", 14), notch);
}

function amazon(at, player) {
  const [x, y] = place(at);
  const transform = `translate(${SIZE * x + 50} ${SIZE * y + 50})`;
  return draw("g", { class: "amazon " + player, transform }, draw("circle", { r: 38 }), draw("path", { d: CROWN }));
}

/** The moves that are drawn, each with its kind: the chosen best one, and the one played. */
function ways() {
  const { move, judgement, candidates } = turn();
  const better = candidates[state.candidate]?.move;
  const { played, best } = state.show;
  const drawn = best && better && !(played && better === move) ? [[better, "best"]] : [];
  return played && move ? [...drawn, [move, judgement ?? "played"]] : drawn;
}

/** A move as it goes over the board: the amazon's way, then the arrow's in dots. */
function way(move, kind) {
  const centre = (at) => place(at).map((number) => SIZE * number + 50);
  const [from, to, arrow] = move.split(" ");
  const [x, y] = centre(to);
  return [
    draw("path", { class: `way ${kind}`, d: `M${centre(from)}L${x} ${y}` }),
    draw("path", { class: `way shot ${kind}`, d: `M${x} ${y}L${centre(arrow)}` }),
    draw("circle", { class: `goal ${kind}`, cx: x, cy: y, r: 30 }),
  ];
}

/** Where a move's arrow lands; it may be the square that the amazon leaves. */
function target(move, kind) {
  return square(...place(move.split(" ")[2]), `target ${kind}`, 17);
}

function boardInWords() {
  const pieces = Object.entries(position(state.ply));
  const squares = (kind) => pieces.filter(([, piece]) => piece === kind).map(([at]) => at).join(" ");
  return ["black", "white"].map((player) => `${say(player)} ${squares(player)}`).join("; ");
}

// ---- The curve, and bars for time and memory

const HEIGHT = 172;
const MARGIN = { left: 36, right: 8, top: 8, bottom: 20 };

/** A page that is not shown yet has no width; as soon as it has one everything is drawn again. */
const widthOf = (element) => Math.max(element.clientWidth, 100);

/** The horizontal place of a turn in a drawing of some width. */
function across(width, ply) {
  const turns = Math.max(state.game.plies.length - 1, 1);
  return MARGIN.left + ((width - MARGIN.left - MARGIN.right) * ply) / turns;
}

function drawCurve() {
  const width = widthOf($("curve"));
  const plies = state.game.plies;
  const x = (ply) => across(width, ply);
  const y = (chance) => MARGIN.top + (HEIGHT - MARGIN.top - MARGIN.bottom) * (1 - chance);
  const line = plies.map((ply, at) => `${x(at).toFixed(1)} ${y(blackChance(ply)).toFixed(1)}`).join("L");
  const now = blackChance(turn());
  const svg = draw("svg", {
    width, height: HEIGHT, role: "slider", tabindex: 0, "aria-label": say("curve"), "aria-valuemin": 1,
    "aria-valuemax": plies.length, "aria-valuenow": state.ply + 1, "aria-valuetext": `${where()}: ${percent(now)}`,
  });
  svg.append(
    draw("rect", { class: "above", x: x(0), y: y(1), width: x(plies.length - 1) - x(0), height: y(0) - y(1) }),
    draw("path", { class: "area", d: `M${x(0)} ${y(0)}L${line}L${x(plies.length - 1)} ${y(0)}Z` }),
    draw("line", { class: "half", x1: x(0), x2: width - MARGIN.right, y1: y(0.5), y2: y(0.5) }),
    draw("path", { class: "outline", d: "M" + line }),
  );
  for (const chance of [0, 0.5, 1]) {
    const baseline = { 0: 0, 0.5: 4, 1: 8 }[chance];
    svg.append(draw("text", { x: MARGIN.left - 5, y: y(chance) + baseline, "text-anchor": "end" }, 100 * chance + "%"));
  }
  for (let number = 10; number < plies.length; number += 10) {
    svg.append(draw("text", { x: x(number - 1), y: HEIGHT - 5, "text-anchor": "middle" }, String(number)));
  }
  plies.forEach((ply, at) => ply.judgement && svg.append(mark(ply, x(at), y(blackChance(ply)))));
  svg.append(
    draw("line", { class: "cursor", x1: x(state.ply), x2: x(state.ply), y1: 0, y2: y(0) }),
    draw("circle", { class: "now", cx: x(state.ply), cy: y(now), r: 6 }),
  );
  replaceSlider($("curve"), stepsOnPointer(svg));
}

/** A new drawing in the place of the old one, which hands on the keyboard's focus. */
function replaceSlider(place, svg) {
  const focused = place.contains(document.activeElement);
  place.replaceChildren(svg);
  if (focused) svg.focus({ preventScroll: true });
}

function mark(ply, x, y) {
  return draw("circle", { class: "mark " + ply.judgement, cx: x, cy: y, r: 5 }, draw("title", {}, `${ply.ply}. ${say(ply.judgement)}`));
}

/** Lets a click, or a pointer that is held and moved, choose the turn. */
function stepsOnPointer(svg) {
  svg.onpointerdown = follow;
  svg.onpointermove = (event) => event.buttons && follow(event);
  return svg;
}

function follow(event) {
  const box = event.currentTarget.getBoundingClientRect();
  const share = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
  go(Math.round(share * (state.game.plies.length - 1)));
}

function drawStrips() {
  const strips = [["time", "time_ms", "ms"], ["memory", "memory_mb", "MB"]];
  const known = strips.filter(([, field]) => state.game.plies.some((ply) => ply[field]));
  $("strips").replaceChildren(...known.flatMap(([name, field, unit]) => bars(name, field, unit)));
}

function bars(name, field, unit) {
  const [width, height] = [widthOf($("strips")), 44];
  const most = Math.max(...state.game.plies.map((ply) => ply[field] ?? 0));
  const thick = Math.max(2, 0.7 * (across(width, 1) - across(width, 0)));
  const svg = draw("svg", { width, height, "aria-hidden": true });
  state.game.plies.forEach((ply, at) => {
    const tall = (height * (ply[field] ?? 0)) / most;
    const left = Math.min(across(width, at) - thick / 2, width - thick);
    const kind = at === state.ply ? "bar-now" : "bar-" + ply.player;
    if (tall) svg.append(draw("rect", { class: kind, x: left, y: height - tall, width: thick, height: tall, rx: 1 }));
  });
  const amount = (number) => `${grouped(number)} ${unit}`;
  const here = turn()[field] === undefined ? "–" : amount(turn()[field]);
  const heading = make("h3", {}, make("span", {}, `${say(name)}: ${here}`), make("span", {}, say("most", amount(most))));
  return [heading, stepsOnPointer(svg)];
}

// ---- Words

function where() {
  const { ply, move } = turn();
  return move ? say("turn", ply, state.game.summary.plies) : say("end");
}

function tellGame() {
  const { game, players } = state.game.summary;
  const named = players.black !== "black" || players.white !== "white";
  const title = named ? `${players.black} – ${players.white}` : fileName(game);
  document.title = title;
  $("title").textContent = title;
  $("outcome").textContent = outcome();
}

function outcome() {
  const { winner, ending } = state.game.summary;
  if (!winner) return say("running");
  return say("won", say(winner), fill(WORDS[state.language].endings[ending], say(other(winner))));
}

function tellPlayers() {
  for (const player of ["black", "white"]) {
    const name = state.game.summary.players[player];
    const chance = player === "black" ? blackChance(turn()) : 1 - blackChance(turn());
    $("strip-" + player).replaceChildren(
      make("span", { class: "disc " + player }),
      make("strong", {}, name === player ? say(player) : name),
      make("span", { class: "to-move" }, turn().player === player && !isOver() ? say("toMove") : ""),
      make("span", { class: "chance" }, percent(chance)),
    );
  }
}

function tellTurn() {
  const { ply, player, move, judgement, candidates, iterations, evaluations, depth } = turn();
  $("place").textContent = where();
  $("headline").textContent = move ? `${ply}. ${say("plays", say(player), move)}` : say("ended");
  $("verdict").replaceChildren(...verdict());
  const effort = iterations ? "effort" : candidates.length ? "counted" : "unseen";
  $("effort").textContent = say(effort, grouped(iterations), grouped(evaluations), depth);
  const owners = ["black", "white"].flatMap((name) => [make("i", { class: "key owner-" + name }), make("span", {}, say(name))]);
  $("legend").replaceChildren(...owners, say("legend"));
  if (judgement) $("headline").append(" ", sign(judgement));
}

/** What the move played was worth. */
function verdict() {
  const { player, move, judgement, loss, proven, candidates } = turn();
  const { win_probability: before, win_probability_after: after, win_probability_best: best } = turn();
  if (!move) return [state.game.summary.winner ? outcome() : say("standing", say(player))];
  const parts = [say("kept", percent(before), percent(after))];
  if (judgement) {
    parts.push(make("span", { class: "judged " + judgement }, say("lost", say(judgement), points(loss))));
  }
  if (candidates[0]?.move === move) parts.push(say("chosen"));
  else if (loss > 0) parts.push(say("better", candidates[0].move, percent(best), percent(after)));
  else if (proven) parts.push(say("proven"));
  return parts.flatMap((part) => [part, " "]);
}

function tellCandidates() {
  const { candidates, played } = turn();
  const rows = candidates.map((candidate, at) => row(candidate, at));
  if (played && !candidates.some(({ move }) => move === played.move)) rows.push(row(played, -1));
  $("candidates").replaceChildren(...rows);
  $("candidates").parentElement.hidden = !rows.length;
}

/** A row of the table; one of the best moves (`at` of 0 or more) can be chosen for the board. */
function row(candidate, at) {
  const { move, win_probability: chance, visits, principal_variation: line } = candidate;
  const choose = () => {
    [state.candidate, state.show.best] = [at, true];
    show();
  };
  const name = at < 0 ? move : button({ onclick: choose, "aria-pressed": state.show.best && at === state.candidate, "data-at": at }, move);
  const mark = move === turn().move ? [make("small", {}, say("played"))] : [];
  return make("tr", {}, make("td", {}, name, ...mark), make("td", { class: "number" }, percent(chance)), make("td", { class: "number" }, grouped(visits)),
    make("td", { class: "line" }, line.slice(1, 4).map((reply) => reply.replaceAll(" ", "\u00a0")).join(" · ")));
}

// ---- The review and the moves

function tellReview() {
  const { review, players } = state.game.summary;
  const sides = ["black", "white"].map((player) => side(review[player], players[player] === player ? say(player) : players[player]));
  const turning = review.turning_points.map(({ ply, leader }) => jump(ply, say("leads", say(leader))));
  const parts = [make("div", { class: "sides" }, ...sides)];
  if (turning.length) parts.push(make("h3", {}, say("turning")), make("ul", { class: "jumps turning" }, ...turning));
  $("moments").replaceChildren(...parts);
}

function side({ accuracy, moves, inaccuracies, mistakes, blunders, biggest }, name) {
  const known = accuracy !== null;
  const value = make("div", { class: "accuracy" }, known ? accuracy.toFixed(1) : "–");
  const account = make("p", { class: "note" }, known ? say("accuracy", moves) : say("none"));
  const jumps = biggest.map((ply) => {
    const { loss, candidates } = state.game.plies[ply - 1];
    return jump(ply, say("costs", points(loss), candidates[0].move));
  });
  const counts = make("p", { class: "note" }, say("counts", inaccuracies, mistakes, blunders));
  return make("div", {}, make("h3", {}, name), value, account, counts, make("ul", { class: "jumps" }, ...jumps));
}

/** A line of a list that leads to a ply. */
function jump(ply, why) {
  const { move, judgement } = state.game.plies[ply - 1];
  const parts = [make("span", {}, `${ply}. ${move} `, ...(judgement ? [sign(judgement)] : [])), make("small", {}, why)];
  return make("li", {}, button({ onclick: () => go(ply - 1) }, ...parts));
}

function tellMoves() {
  const items = state.game.plies.filter(({ move }) => move).map(({ ply, move, judgement }) =>
    button({ onclick: () => go(ply - 1), "data-ply": ply }, `${move} `, ...(judgement ? [sign(judgement)] : [])));
  const rows = [];
  for (let at = 0; at < items.length; at += 2) {
    rows.push(make("li", {}, make("span", {}, `${at + 1}`), ...items.slice(at, at + 2)));
  }
  $("moves").replaceChildren(...rows);
}

/** Marks the move that is shown and brings it into the list's view; the page stays where it is. */
function markMove() {
  const list = $("moves");
  for (const item of list.querySelectorAll("button")) {
    const current = Number(item.dataset.ply) === state.ply + 1;
    item.setAttribute("aria-current", current);
    if (current) list.scrollTop += item.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  }
}

// ---- Going through the game

function go(ply) {
  state.ply = Math.min(Math.max(ply, 0), state.game.plies.length - 1);
  state.candidate = 0;
  show();
}

/** Shows the turn. */
function show() {
  const chosen = document.activeElement?.dataset.at;
  drawBoard();
  drawCurve();
  drawStrips();
  tellPlayers();
  tellTurn();
  tellCandidates();
  markMove();
  document.querySelector(`[data-at="${chosen}"]`)?.focus({ preventScroll: true });
  for (const name of ["played", "best", "ownership"]) $("show-" + name).setAttribute("aria-pressed", state.show[name]);
  $("legend").hidden = !state.show.ownership;
  const [atStart, atEnd] = [state.ply === 0, state.ply === state.game.plies.length - 1];
  [$("first").disabled, $("previous").disabled, $("next").disabled, $("last").disabled] = [atStart, atStart, atEnd, atEnd];
}

/** Shows everything anew: another game, or another language. */
function showAll() {
  document.documentElement.lang = state.language;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
  for (const element of document.querySelectorAll("[data-language]")) {
    element.setAttribute("aria-pressed", element.dataset.language === state.language);
  }
  tellGame();
  tellReview();
  tellMoves();
  show();
}

const KEYS = {
  ArrowLeft: () => go(state.ply - 1),
  ArrowRight: () => go(state.ply + 1),
  Home: () => go(0),
  End: () => go(Infinity),
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "SELECT" || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

$("first").onclick = KEYS.Home;
$("previous").onclick = KEYS.ArrowLeft;
$("next").onclick = KEYS.ArrowRight;
$("last").onclick = KEYS.End;
for (const name of ["played", "best", "ownership"]) {
  $("show-" + name).onclick = () => {
    state.show[name] = !state.show[name];
    show();
  };
}
for (const element of document.querySelectorAll("[data-language]")) {
  element.onclick = () => {
    state.language = element.dataset.language;
    showAll();
  };
}
$("games").append(...GAMES.map(({ summary }, at) => make("option", { value: at }, fileName(summary.game))));
$("games").hidden = GAMES.length < 2;
$("games").onchange = () => {
  state.game = GAMES[Number($("games").value)];
  state.ply = 0;
  showAll();
};
new ResizeObserver(() => show()).observe($("curve"));
showAll();
