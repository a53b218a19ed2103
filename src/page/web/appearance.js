// Appearance of the page: orientation of the board, light or dark colours, full screen, sound; and the buttons that
// open dialogs.

import { $, addShortcuts, queryAll, setOptions } from "./dom.js";
import { t } from "./texts.js";
import { emitChange, onChange, state } from "./state.js";
import { oneOf } from "./store.js";
import { playSound } from "./sounds.js";

/**
 * The colour themes. Each value is the media query that decides when the dark colours of the style sheet apply: if the
 * system is dark, never, or always.
 */
const THEMES = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };

/** Name of the current colour theme. @type {keyof typeof THEMES} */
let theme = "auto";

/**
 * The `@media` rule of the style sheet that contains the dark colours. `setTheme` selects a theme by changing its media
 * query.
 */
const darkRule = [...document.styleSheets[0].cssRules].find((rule) => rule instanceof CSSMediaRule);

/** Applies a colour theme to the page. @param {keyof typeof THEMES} name */
function setTheme(name) {
  theme = name;
  if (darkRule instanceof CSSMediaRule) darkRule.media.mediaText = THEMES[theme];
  document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
}

/** Returns the appearance settings as the object that is saved in the browser's storage. */
export const savedAppearance = () => ({ isFlipped: state.isFlipped, hasSound: state.hasSound, theme });

/**
 * Applies appearance settings from the browser's storage. Replaces invalid values by defaults.
 * @param {any} known the saved object: `isFlipped`, `hasSound` and `theme`
 */
export function applyAppearance(known) {
  state.isFlipped = oneOf([true, false, null], known.isFlipped, null);
  state.hasSound = oneOf([true, false], known.hasSound, false);
  setTheme(oneOf(/** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES)), known.theme, theme));
}

function flip() {
  state.isFlipped = !state.isFlipped;
  emitChange();
}

function toggleFullScreen() {
  const switched = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  // The browser may refuse to switch full screen on or off, for example inside a frame. The page then stays as it is.
  switched.catch(() => {});
}

function renderAppearance() {
  setOptions($("theme"), Object.keys(THEMES).map((name) => [name, t(/** @type {keyof typeof THEMES} */ (name))]));
  $("theme").value = theme;
  $("sound").setAttribute("aria-pressed", String(state.hasSound));
}

/**
 * Sets up the appearance settings: adds the event handlers of their buttons and keys, and of all buttons that open a
 * dialog.
 */
export function initAppearance() {
  onChange(renderAppearance);
  $("flip").onclick = flip;
  $("full-screen").hidden = !document.fullscreenEnabled;
  $("full-screen").onclick = toggleFullScreen;
  $("theme").onchange = () => {
    setTheme($("theme").value);
    emitChange();
  };
  $("sound").onclick = () => {
    state.hasSound = !state.hasSound;
    playSound("step", 0);
    emitChange();
  };
  addShortcuts({ f: flip, F: flip, "?": () => $("keys").showModal() });
  for (const opener of queryAll("[data-opens]")) opener.onclick = () => $(opener.dataset.opens).showModal();
}
