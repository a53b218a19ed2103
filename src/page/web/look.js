// How the page looks: which side is at the bottom, dark or light, full screen; and the dialogs that a button opens.

import { $, all, listenToKeys, setOptions } from "./elements.js";
import { say } from "./words.js";
import { changed, onChange, state } from "./state.js";
import { oneOf } from "./store.js";
import { sound } from "./sounds.js";

/** The names of the colours that can be chosen, each with when its media query makes the page dark. */
const THEMES = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };

/** @type {keyof typeof THEMES} */
let theme = "auto";

/** The rule of the style that makes the page dark. */
const darkness = [...document.styleSheets[0].cssRules].find((rule) => rule instanceof CSSMediaRule);

/** Takes colours. @param {keyof typeof THEMES} name */
function setTheme(name) {
  theme = name;
  if (darkness instanceof CSSMediaRule) darkness.media.mediaText = THEMES[theme];
  document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
}

/** What of the look is kept. */
export const look = () => ({ isFlipped: state.isFlipped, hasSound: state.hasSound, theme });

/** Takes over what was kept, as far as it fits. @param {any} known */
export function setLook(known) {
  state.isFlipped = oneOf([true, false, null], known.isFlipped, null);
  state.hasSound = oneOf([true, false], known.hasSound, false);
  setTheme(oneOf(/** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES)), known.theme, theme));
}

function flip() {
  state.isFlipped = !state.isFlipped;
  changed();
}

function toggleFullScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  // A browser may refuse it.
  done.catch(() => {});
}

function tellLook() {
  setOptions($("theme"), Object.keys(THEMES).map((name) => [name, say(/** @type {keyof typeof THEMES} */ (name))]));
  $("theme").value = theme;
  $("sound").setAttribute("aria-pressed", String(state.hasSound));
}

/** Listens to what changes the look. */
export function showLook() {
  onChange(tellLook);
  $("flip").onclick = flip;
  $("full-screen").hidden = !document.fullscreenEnabled;
  $("full-screen").onclick = toggleFullScreen;
  $("theme").onchange = () => {
    setTheme($("theme").value);
    changed();
  };
  $("sound").onclick = () => {
    state.hasSound = !state.hasSound;
    sound("step", 0);
    changed();
  };
  listenToKeys({ f: flip, F: flip, "?": () => $("keys").showModal() });
  for (const opener of all("[data-opens]")) opener.onclick = () => $(opener.dataset.opens).showModal();
}
