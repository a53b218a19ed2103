// What the page has to say: a line for messages, and questions that are answered by yes or no.

import { $, setText } from "./elements.js";

let timer = 0;

/** Shows a message for a while. @param {string} text */
export function notify(text) {
  setText($("notice"), text);
  $("notice").hidden = false;
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    $("notice").hidden = true;
  }, 8000);
}

/** Shows how far something has come that takes a while, and lets it be ended. @param {string} text @param {number} done @param {number} of @param {() => void} end */
export function tellProgress(text, done, of, end) {
  $("reading").hidden = done === of;
  setText($("reading-text"), text);
  [$("reading-meter").value, $("reading-meter").max] = [done, of];
  $("reading-stop").onclick = end;
}

/** Asks a question. @param {string} text @param {string} yes @param {string} no @returns {Promise<boolean>} whether the answer is yes */
export function asked(text, yes, no) {
  const dialog = $("question");
  $("question-text").textContent = text;
  [$("answer-yes").textContent, $("answer-no").textContent] = [yes, no];
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
  });
}
