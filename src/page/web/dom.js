// Helpers for the page's DOM: find and create elements, format numbers, handle keys.

import { roundSaved } from "./findings.js";

/** XML namespace of SVG elements, for `createElementNS`. */
const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns the element of the page with the given id; null if there is none. The return type is `any`, so that callers
 * can use the fields of a specific element type without a cast.
 * @param {string} id @returns {any}
 */
export const $ = (id) => document.getElementById(id);

/**
 * Returns all elements of the page that match a CSS selector, as an array.
 * @param {string} selector @returns {any[]}
 */
export const queryAll = (selector) => [...document.querySelectorAll(selector)];

/** Formats a win probability from 0 to 1 as percent, such as `61.3 %`. */
export const formatPercent = (/** @type {number} */ chance) => (100 * roundSaved(chance)).toFixed(1) + " %";
/** Formats a loss in win probability (0 to 1) as percentage points without a unit: 0.125 becomes `12.5`. */
export const formatPoints = (/** @type {number} */ loss) => (100 * roundSaved(loss)).toFixed(1);
/** Formats a number with thousands separators, such as `20,000`. */
export const formatCount = (/** @type {number} */ number) => number.toLocaleString("en");

/** Formats a duration in milliseconds as minutes and seconds, such as `3:07`. @param {number} ms */
export function formatMinutes(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Creates an HTML element with attributes and children, and returns it. Children that are strings become text; they are
 * never parsed as HTML. A function as the attribute `onclick` becomes the handler of clicks.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {any}
 */
export function makeElement(name, attributes = {}, ...children) {
  return populate(document.createElement(name), attributes, children);
}

/**
 * Creates an SVG element with attributes and children, and returns it. Children that are strings become text. A
 * function as the attribute `onclick` becomes the handler of clicks.
 * @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {any}
 */
export function makeSvg(name, attributes = {}, ...children) {
  return populate(document.createElementNS(SVG, name), attributes, children);
}

/**
 * Sets the attributes of a new element, appends its children (elements or strings), and returns the element. The value
 * of the attribute `onclick` must be a function, which becomes the handler of clicks; other values become text.
 */
function populate(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.onclick = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/**
 * Creates a `<button>` of type `button`, which does not submit a form.
 * @param {Record<string, any>} attributes @param {(Node | string)[]} children texts or elements in the button
 */
export function makeButton(attributes, ...children) {
  return makeElement("button", { type: "button", ...attributes }, ...children);
}

/**
 * Tests if the focused element handles a pressed key itself; the page's shortcuts must ignore such keys. These keys
 * are:
 * - in an open dialog: all keys;
 * - in a selection list: keys that type a character, and all keys while the list is open;
 * - in a text field: keys that type a character, and all keys while the field contains text.
 * @param {Element} element the focused element @param {string} key name of the key as in `KeyboardEvent.key`
 */
function handlesKey(element, key) {
  if (element.closest("dialog[open]")) return true;
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if (element instanceof HTMLSelectElement) return key.length === 1 || isListOpen(element);
  return isField && (key.length === 1 || element.value !== "");
}

/**
 * Tests if the options of a selection list are shown. If the browser does not support the selector `:open`, returns
 * true in all cases.
 * @param {HTMLSelectElement} select
 */
function isListOpen(select) {
  try {
    return select.matches(":open");
  } catch {
    return true;
  }
}

/**
 * The selection list (`<select>`) on which the user last pressed the pointer. Null if the last press was elsewhere, or
 * if the user has chosen an option since the press.
 * @type {EventTarget | null}
 */
let pressedList = null;

/**
 * Adds event handlers that remove the focus from a selection list after the user has chosen an option by pointer. If
 * the list kept the focus, the arrow keys would change the option instead of stepping through the game. After a choice
 * by keyboard, the list keeps the focus.
 */
export function releaseListFocus() {
  addEventListener("pointerdown", ({ target }) => {
    pressedList = target instanceof HTMLSelectElement ? target : null;
  });
  addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && target === pressedList) target.blur();
    pressedList = null;
  });
}

/**
 * Adds keyboard shortcuts to the whole page. A shortcut is ignored while the focused element handles the key itself, as
 * a text field does, and if Alt, Ctrl or Meta is pressed.
 * @param {Record<string, () => void>} keys handlers by the key's name as in `KeyboardEvent.key`
 * @param {() => boolean} [isEnabled] called at each key press; false disables the shortcuts
 */
export function addShortcuts(keys, isEnabled = () => true) {
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target instanceof Element && handlesKey(event.target, event.key);
    if (event.altKey || event.ctrlKey || event.metaKey || isElsewhere || !keys[event.key] || !isEnabled()) return;
    event.preventDefault();
    keys[event.key]();
  });
}

/**
 * Sets the text of an element. If the element's text is the same already, does nothing, so that screen readers do not
 * read the text again.
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Replaces the options of a `<select>` element by `options`. Each option is a pair. First: value; second: displayed
 * text. Keeps the selected value if it is still an option. Does nothing if all options are unchanged, because replacing
 * them would close an open list.
 */
export function setOptions(select, options) {
  const isSame = ([value, text], at) => select.options[at]?.value === String(value) && select.options[at].textContent === text;
  if (select.options.length === options.length && options.every(isSame)) return;
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, text]) => makeElement("option", { value }, text)));
  if (options.some(([value]) => String(value) === chosen)) select.value = chosen;
}
