// Draws the curve of black's win probability over the game, and bar charts of each turn's time and memory.

import { $, draw, grouped, make, percent, setText } from "./elements.js";
import { say } from "./words.js";
import { game, goTo, nodeAt, onChange, onFound, shownNode } from "./state.js";
import { blackChance, certainWinner, lineOver, mainLine, numberOf } from "./tree.js";

/** Height of the curve in pixels; lower in a low window, to leave room for the cards below. */
const height = () => (innerHeight < 800 ? 130 : 172);

const MARGIN = { left: 40, right: 10, top: 8, bottom: 20 };

/**
 * Returns the width of an element in pixels, at least 100. A hidden element has width 0; the `ResizeObserver` redraws the
 * chart when the element gets its width.
 */
const widthOf = (element) => Math.max(element.clientWidth, 100);

const line = () => lineOver(shownNode());

/**
 * Returns the x coordinate, in pixels, of the position after `depth` plies in a chart of `count` positions and `width` pixels.
 */
function across(width, depth, count) {
  return MARGIN.left + ((width - MARGIN.left - MARGIN.right) * depth) / Math.max(count - 1, 1);
}

const downTo = (chance) => MARGIN.top + (height() - MARGIN.top - MARGIN.bottom) * (1 - chance);

function drawCurve() {
  const [nodes, main, width] = [line(), mainLine(game()), widthOf($("curve"))];
  // If the board shows a variation, the main line is drawn, too, as a dashed curve.
  const others = nodes[nodes.length - 1] === main[main.length - 1] ? [] : main;
  const longest = Math.max(nodes.length, others.length);
  const x = (depth) => across(width, depth, longest);
  const now = blackChance(shownNode());
  const depth = nodes.indexOf(shownNode());
  const svg = draw("svg", {
    width, height: height(), role: "slider", tabindex: 0, "aria-label": say("curve"), "aria-valuemin": 0,
    "aria-valuemax": nodes.length - 1, "data-longest": longest, "aria-valuenow": depth, "aria-valuetext": valueAt(nodes, depth),
  });
  svg.append(draw("rect", { class: "above", x: x(0), y: downTo(1), width: x(longest - 1) - x(0), height: downTo(0) - downTo(1) }));
  for (const run of knownRuns(nodes)) svg.append(...area(run, x));
  for (const run of knownRuns(nodes, certainWinner)) svg.append(outline(run, x, "outline certain"));
  setText($("certain"), nodes.some((node) => node.ply && certainWinner(node)) ? say("certainMarks") : "");
  for (const run of knownRuns(others)) svg.append(outline(run, x, "outline main"));
  svg.append(draw("line", { class: "half", x1: x(0), x2: width - MARGIN.right, y1: downTo(0.5), y2: downTo(0.5) }));
  for (const [chance, baseline] of [[0, 0], [0.5, 4], [1, 8]]) {
    svg.append(draw("text", { x: MARGIN.left - 5, y: downTo(chance) + baseline, "text-anchor": "end" }, 100 * chance + "%"));
  }
  for (let number = 10; number < longest; number += 10) {
    svg.append(draw("text", { x: x(number), y: height() - 5, "text-anchor": "middle" }, String(number)));
  }
  nodes.forEach((node, at) => svg.append(...mark(node, x(at))));
  svg.append(draw("line", { class: "cursor", x1: x(depth), x2: x(depth), y1: 0, y2: downTo(0) }));
  if (now !== null) svg.append(draw("circle", { class: "now", cx: x(depth), cy: downTo(now), r: 6 }));
  replaceSlider($("curve"), listening(svg));
}

/**
 * Returns the runs of consecutive nodes that have a known win probability and that `isWanted` accepts. Each node is a pair of
 * depth and black's win probability.
 */
function knownRuns(nodes, isWanted = (/** @type {any} */ _) => /** @type {any} */ (true)) {
  /** @type {number[][][]} */
  const runs = [[]];
  nodes.forEach((node, depth) => {
    const chance = blackChance(node);
    if (chance === null || !isWanted(node)) runs.push([]);
    else runs[runs.length - 1].push([depth, chance]);
  });
  return runs.filter((run) => run.length);
}

const wayOf = (run, x) => run.map(([depth, chance]) => `${x(depth).toFixed(1)} ${downTo(chance).toFixed(1)}`).join("L");

const outline = (run, x, kind) => draw("path", { class: kind, d: "M" + wayOf(run, x) });

function area(run, x) {
  const [first, last] = [run[0][0], run[run.length - 1][0]];
  return [
    draw("path", { class: "area", d: `M${x(first)} ${downTo(0)}L${wayOf(run, x)}L${x(last)} ${downTo(0)}Z` }),
    outline(run, x, "outline"),
  ];
}

/** Returns a dot on the curve if the move that led to a node is an inaccuracy, mistake or blunder; else an empty list. */
function mark(node, x) {
  const judgement = node.parent?.ply?.move === node.move ? node.parent?.ply?.judgement : undefined;
  const chance = blackChance(node);
  if (!judgement || chance === null) return [];
  return [draw("circle", { class: "mark " + judgement, cx: x, cy: downTo(chance), r: 5 })];
}

/** Replaces the chart by a newly drawn chart. If the old chart had the keyboard focus, the new chart gets it. */
function replaceSlider(place, svg) {
  const focused = place.contains(document.activeElement);
  place.replaceChildren(svg);
  if (focused) svg.focus({ preventScroll: true });
}

/** Describes a node of a line by its move and win probability, such as `12… c6 d7 e8: 61.3 %`. */
function valueAt(nodes, depth) {
  const chance = blackChance(nodes[depth]);
  const move = nodes[depth].move ? `${numberOf(nodes[depth])} ${nodes[depth].move}` : say("first");
  const winner = certainWinner(nodes[depth]);
  if (winner) return say("namely", move, say("certain", say(winner)));
  return `${move}: ${chance === null ? "–" : percent(chance)}`;
}

/** Adds pointer handlers to a chart: a click or drag shows that position on the board, and hovering shows its value as text. */
function listening(svg) {
  const depthAt = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
    return Math.min(Math.max(Math.round(share * (svg.dataset.longest - 1)), 0), line().length - 1);
  };
  svg.onpointerdown = (event) => goTo(nodeAt(line(), depthAt(event)));
  svg.onpointermove = (event) => {
    const depth = depthAt(event);
    setText($("pointed"), valueAt(line(), depth));
    if (event.buttons) goTo(nodeAt(line(), depth));
  };
  svg.onpointerleave = () => setText($("pointed"), "");
  return svg;
}

function drawStrips() {
  const strips = [["time", "time_ms", "ms"], ["memory", "memory_mb", "MB"]];
  const nodes = line();
  const known = strips.filter(([, field]) => nodes.some((node) => node.ply?.[field]));
  $("strips").replaceChildren(...known.flatMap(([name, field, unit]) => bars(nodes, name, field, unit)));
}

/**
 * Returns a heading and a bar chart of what each turn cost, in milliseconds or MB. A bar stands at the position after the turn.
 * @param {any[]} nodes @param {any} name key of the heading @param {string} field of the analysed ply @param {string} unit
 */
function bars(nodes, name, field, unit) {
  const [width, high] = [widthOf($("curve")), 44];
  const amounts = nodes.map((node) => node.parent?.ply?.[field] ?? 0);
  const most = Math.max(...amounts);
  const thick = Math.max(2, 0.7 * (across(width, 1, nodes.length) - across(width, 0, nodes.length)));
  const svg = draw("svg", { width, height: high, "aria-hidden": true });
  amounts.forEach((amount, depth) => {
    const tall = (high * amount) / most;
    const left = Math.min(across(width, depth, nodes.length) - thick / 2, width - thick);
    const kind = nodes[depth] === shownNode() ? "bar-now" : "bar-" + nodes[depth].parent?.position.toMove;
    if (tall) svg.append(draw("rect", { class: kind, x: left, y: high - tall, width: thick, height: tall, rx: 1 }));
  });
  const worded = (amount) => `${grouped(amount)} ${unit}`;
  const here = shownNode().parent?.ply?.[field];
  const heading = make("h3", {}, make("span", {}, say("namely", say(name), here === undefined ? "–" : worded(here))), make("span", {}, say("most", worded(most))));
  return [heading, listening(svg)];
}

/** Draws the charts whenever the page's state or size changes, and redraws the curve when the engine reports new results. */
export function showCurve() {
  const drawAll = () => {
    drawCurve();
    drawStrips();
  };
  onChange(drawAll);
  onFound(drawCurve);
  new ResizeObserver(drawAll).observe($("curve"));
}
