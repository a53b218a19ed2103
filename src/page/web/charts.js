// Draws the charts of a game: the curve of black's win probability (`drawCurve`), and bar charts of the time and memory
// that each turn took (`drawBarCharts`).

import { $, formatCount, formatPercent, makeElement, makeSvg, setText } from "./dom.js";
import { t } from "./texts.js";
import { game, goTo, nodeAt, onChange, onFindings, shownNode } from "./state.js";
import { blackWinProbability, lineThrough, mainLine, moveNumber, provenWinner } from "./tree.js";

/**
 * Returns the height in pixels of the chart of the win probability: 112 in a window lower than 800 pixels, so that the
 * panels below the chart stay visible; otherwise 172.
 */
const curveHeight = () => (innerHeight < 800 ? 112 : 172);

/** Margins between the edges of a chart and its plot area, in pixels. */
const MARGIN = { left: 40, right: 10, top: 8, bottom: 20 };

/**
 * Returns the width for a chart in `element`: the element's width in pixels, but at least 100, because a hidden element
 * has the width 0.
 */
const widthOf = (element) => Math.max(element.clientWidth, 100);

/** Returns the nodes of the variation that the board shows: from the root through the shown node to the last node. */
const shownVariation = () => lineThrough(shownNode());

/**
 * Returns the x coordinate in pixels at which a chart draws a position of the game. `width` is the chart's width in
 * pixels, `depth` the number of plies before the position (0 is at the left edge), `count` the number of positions in
 * the chart.
 */
function xOf(width, depth, count) {
  return MARGIN.left + ((width - MARGIN.left - MARGIN.right) * depth) / Math.max(count - 1, 1);
}

/** Returns the y coordinate in pixels of a win probability of black, from 0 (at the bottom) to 1 (at the top). */
const yOf = (chance) => MARGIN.top + (curveHeight() - MARGIN.top - MARGIN.bottom) * (1 - chance);

function drawCurve() {
  const [nodes, main, width] = [shownVariation(), mainLine(game()), widthOf($("curve"))];
  // If the board shows a position outside the main line, the chart contains two curves: the variation of that position
  // as a solid curve with a filled area, and the main line as a dashed curve. Otherwise `dashedNodes` is empty.
  const dashedNodes = nodes[nodes.length - 1] === main[main.length - 1] ? [] : main;
  const longest = Math.max(nodes.length, dashedNodes.length);
  const x = (depth) => xOf(width, depth, longest);
  const now = blackWinProbability(shownNode());
  const depth = nodes.indexOf(shownNode());
  const svg = makeSvg("svg", {
    width, height: curveHeight(), role: "slider", tabindex: 0, "aria-label": t("curve"), "aria-valuemin": 0,
    "aria-valuemax": nodes.length - 1, "data-longest": longest, "aria-valuenow": depth, "aria-valuetext": describeNode(nodes, depth),
  });
  svg.append(makeSvg("rect", { class: "above", x: x(0), y: yOf(1), width: x(longest - 1) - x(0), height: yOf(0) - yOf(1) }));
  for (const points of curveSegments(nodes)) svg.append(...areaAndCurve(points, x));
  for (const points of curveSegments(nodes, provenWinner)) svg.append(segmentCurve(points, x, "outline certain"));
  setText($("certain"), nodes.some((node) => node.ply && provenWinner(node)) ? t("certainMarks") : "");
  for (const points of curveSegments(dashedNodes)) svg.append(segmentCurve(points, x, "outline main"));
  svg.append(makeSvg("line", { class: "half", x1: x(0), x2: width - MARGIN.right, y1: yOf(0.5), y2: yOf(0.5) }));
  for (const [chance, baseline] of [[0, 0], [0.5, 4], [1, 8]]) {
    svg.append(makeSvg("text", { x: MARGIN.left - 5, y: yOf(chance) + baseline, "text-anchor": "end" }, 100 * chance + "%"));
  }
  for (let number = 10; number < longest; number += 10) {
    svg.append(makeSvg("text", { x: x(number), y: curveHeight() - 5, "text-anchor": "middle" }, String(number)));
  }
  nodes.forEach((node, at) => svg.append(...judgementDot(node, x(at))));
  svg.append(makeSvg("line", { class: "cursor", x1: x(depth), x2: x(depth), y1: 0, y2: yOf(0) }));
  if (now !== null) svg.append(makeSvg("circle", { class: "now", cx: x(depth), cy: yOf(now), r: 6 }));
  replaceChart($("curve"), addPointerHandlers(svg));
}

/**
 * Splits the win-probability curve of a variation into segments of consecutive nodes, and returns the segments. A
 * segment ends at each node whose win probability is unknown or for which `isWanted` returns false; such nodes are left
 * out. A segment is a list of points; a point is a pair: first, the number of plies played before the node's position;
 * second, black's win probability (0 to 1).
 */
function curveSegments(nodes, isWanted = (/** @type {any} */ _) => /** @type {any} */ (true)) {
  /**
   * The segments of the curve, each a list of points. A point is a pair: first, the number of plies played before the
   * node's position; second, black's win probability (0 to 1). The next point is added to the last segment. A node that
   * is left out, for example because its win probability is unknown, begins a new segment.
   * @type {number[][][]}
   */
  const segments = [[]];
  nodes.forEach((node, depth) => {
    const chance = blackWinProbability(node);
    if (chance === null || !isWanted(node)) segments.push([]);
    else segments[segments.length - 1].push([depth, chance]);
  });
  return segments.filter((points) => points.length);
}

/**
 * Returns the data of an SVG path through points of the curve, without the initial `M`. A point is a pair: first, the
 * number of plies played in the game; second, black's win probability (0 to 1). `x` converts the number of plies to an
 * x coordinate in pixels.
 */
const pathData = (points, x) => points.map(([depth, chance]) => `${x(depth).toFixed(1)} ${yOf(chance).toFixed(1)}`).join("L");

/**
 * Returns an SVG path with the CSS class `kind` through the points of a segment of the curve. A point is a pair: first,
 * the number of plies played in the game; second, black's win probability (0 to 1). `x` converts the number of plies to
 * an x coordinate in pixels.
 */
const segmentCurve = (points, x, kind) => makeSvg("path", { class: kind, d: "M" + pathData(points, x) });

/**
 * Returns two SVG paths for a segment of the curve: the filled area below the segment, and the line of the segment. A
 * point is a pair: first, the number of plies played in the game; second, black's win probability (0 to 1). `x`
 * converts the number of plies to an x coordinate in pixels.
 */
function areaAndCurve(points, x) {
  const [first, last] = [points[0][0], points[points.length - 1][0]];
  return [
    makeSvg("path", { class: "area", d: `M${x(first)} ${yOf(0)}L${pathData(points, x)}L${x(last)} ${yOf(0)}Z` }),
    segmentCurve(points, x, "outline"),
  ];
}

/**
 * Returns a list with an SVG dot on the curve if the move that led to `node` is an inaccuracy, mistake or blunder;
 * otherwise an empty list. `x` is the x coordinate of the dot in pixels.
 */
function judgementDot(node, x) {
  const judgement = node.parent?.ply?.move === node.move ? node.parent?.ply?.judgement : undefined;
  const chance = blackWinProbability(node);
  if (!judgement || chance === null) return [];
  return [makeSvg("circle", { class: "mark " + judgement, cx: x, cy: yOf(chance), r: 5 })];
}

/**
 * Replaces the chart in the element `place` by the chart `svg`. If the replaced chart had the keyboard focus, sets the
 * focus to `svg`.
 */
function replaceChart(place, svg) {
  const focused = place.contains(document.activeElement);
  place.replaceChildren(svg);
  if (focused) svg.focus({ preventScroll: true });
}

/**
 * Returns a text with the move that led to the node `nodes[depth]`, and black's win probability after this move, such
 * as `12… c6 d7 e8: 61.3 %`. If the winner is proven, the text says so instead of giving the win probability. For the
 * root, the text names the first position instead of a move.
 * @param {import("./tree.js").GameNode[]} nodes @param {number} depth index of the node in `nodes`
 */
function describeNode(nodes, depth) {
  const chance = blackWinProbability(nodes[depth]);
  const move = nodes[depth].move ? `${moveNumber(nodes[depth])} ${nodes[depth].move}` : t("first");
  const winner = provenWinner(nodes[depth]);
  if (winner) return t("namely", move, t("certain", t(winner)));
  return `${move}: ${chance === null ? "–" : formatPercent(chance)}`;
}

/**
 * Adds pointer handlers to a chart, and returns the chart. A click or drag shows the position under the pointer on the
 * board. While the pointer is over the chart, a text names the move and the win probability there.
 */
function addPointerHandlers(svg) {
  const depthAt = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
    return Math.min(Math.max(Math.round(share * (svg.dataset.longest - 1)), 0), shownVariation().length - 1);
  };
  svg.onpointerdown = (event) => goTo(nodeAt(shownVariation(), depthAt(event)));
  svg.onpointermove = (event) => {
    const depth = depthAt(event);
    setText($("pointed"), describeNode(shownVariation(), depth));
    if (event.buttons) goTo(nodeAt(shownVariation(), depth));
  };
  svg.onpointerleave = () => setText($("pointed"), "");
  return svg;
}

function drawBarCharts() {
  const charts = [["time", "time_ms", "ms"], ["memory", "memory_mb", "MB"]];
  const nodes = shownVariation();
  const known = charts.filter(([, field]) => nodes.some((node) => node.ply?.[field]));
  $("bar-charts").replaceChildren(...known.flatMap(([name, field, unit]) => barChart(nodes, name, field, unit)));
}

/**
 * Returns a heading and a bar chart of the time or memory that the bot used for each of its turns. The bar of a turn
 * stands at the x coordinate of the position after the turn.
 * @param {any[]} nodes the nodes of the shown variation @param {any} name key of the heading's text (see `t`)
 * @param {string} field name of the charted value in the analysis of a turn: `time_ms` or `memory_mb`
 * @param {string} unit displayed unit of the values, such as `ms`
 */
function barChart(nodes, name, field, unit) {
  const [width, chartHeight] = [widthOf($("curve")), 44];
  const amounts = nodes.map((node) => node.parent?.ply?.[field] ?? 0);
  const largest = Math.max(...amounts);
  const barWidth = Math.max(2, 0.7 * (xOf(width, 1, nodes.length) - xOf(width, 0, nodes.length)));
  const svg = makeSvg("svg", { width, height: chartHeight, "aria-hidden": true });
  amounts.forEach((amount, depth) => {
    const barHeight = (chartHeight * amount) / largest;
    const left = Math.min(xOf(width, depth, nodes.length) - barWidth / 2, width - barWidth);
    const kind = nodes[depth] === shownNode() ? "bar-now" : "bar-" + nodes[depth].parent?.position.toMove;
    if (barHeight) svg.append(makeSvg("rect", { class: kind, x: left, y: chartHeight - barHeight, width: barWidth, height: barHeight, rx: 1 }));
  });
  const withUnit = (amount) => `${formatCount(amount)} ${unit}`;
  const here = shownNode().parent?.ply?.[field];
  const heading = makeElement("h3", {}, makeElement("span", {}, t("namely", t(name), here === undefined ? "–" : withUnit(here))), makeElement("span", {}, t("most", withUnit(largest))));
  return [heading, addPointerHandlers(svg)];
}

/**
 * Sets up the charts: redraws all charts whenever the page's state or the charts' width changes. The curve of black's
 * win probability is also redrawn whenever the engine reports new results.
 */
export function initCharts() {
  const drawAll = () => {
    drawCurve();
    drawBarCharts();
  };
  onChange(drawAll);
  onFindings(drawCurve);
  new ResizeObserver(drawAll).observe($("curve"));
}
