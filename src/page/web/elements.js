// Elements of the page: finding them, making them, and writing numbers into them.

import { rounded } from "./findings.js";

const SVG = "http://www.w3.org/2000/svg";

/** The element with an id. @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/** All elements that a selector finds. @param {string} selector @returns {any[]} */
export const all = (selector) => [...document.querySelectorAll(selector)];

export const percent = (/** @type {number} */ chance) => (100 * rounded(chance)).toFixed(1) + " %";
export const points = (/** @type {number} */ loss) => (100 * rounded(loss)).toFixed(1);
export const grouped = (/** @type {number} */ number) => number.toLocaleString("en");

/** Minutes and seconds. @param {number} ms */
export function minutes(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * An HTML element with attributes and children; texts are never read as HTML.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {any}
 */
export function make(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {any}
 */
export function draw(name, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, name), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.onclick = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** A button. @param {Record<string, any>} attributes @param {(Node | string)[]} children */
export function button(attributes, ...children) {
  return make("button", { type: "button", ...attributes }, ...children);
}

/** Elements that need keys for themselves. */
const OWN_KEYS = "select, input, textarea, dialog[open]";

/**
 * Lets keys act that no element needs for itself.
 * @param {Record<string, () => void>} keys what each does, by its name @param {() => boolean} [may] tells if they may
 */
export function listenToKeys(keys, may = () => true) {
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target instanceof Element && event.target.closest(OWN_KEYS);
    if (event.altKey || event.ctrlKey || event.metaKey || isElsewhere || !keys[event.key] || !may()) return;
    event.preventDefault();
    keys[event.key]();
  });
}

/** Sets a text only where it differs, so that screen readers hear of changes alone. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The options of a choice: values with their texts; the chosen one stays. A list that is open stays open if nothing changes. */
export function setOptions(select, options) {
  const isSame = ([value, text], at) => select.options[at]?.value === String(value) && select.options[at].textContent === text;
  if (select.options.length === options.length && options.every(isSame)) return;
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  if (options.some(([value]) => String(value) === chosen)) select.value = chosen;
}
