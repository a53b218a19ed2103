// Uses the report as a reader does and leaves what went wrong, if anything, in an element at the end.
"use strict";

const wrong = [];

function expect(what, found, expected) {
  if (found !== expected) wrong.push(`${what}: ${found}, expected ${expected}`);
}

const at = (selector) => document.querySelector(selector);
const where = () => at("#curve [role=slider]").getAttribute("aria-valuenow");
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

try {
  expect("the first turn", where(), "1");
  at("#next").click();
  press("ArrowRight");
  expect("two steps", where(), "3");
  at("#previous").click();
  expect("a step back", where(), "2");
  press("End");
  expect("the end", where(), "41");
  expect("buttons at the end", at("#next").disabled, true);
  press("Home");
  const curve = at("#curve [role=slider]");
  const box = curve.getBoundingClientRect();
  curve.dispatchEvent(new PointerEvent("pointerdown", { clientX: box.left + box.width / 2, clientY: box.top + 40 }));
  expect("a click near the middle", Math.abs(Number(where()) - 21) <= 2, true);
  at("#moves [data-ply='12']").click();
  expect("a click on a move", where(), "12");
  expect("the board's amazons", document.querySelectorAll("#board .amazon").length, 8);
  expect("the board's arrows", document.querySelectorAll("#board rect.arrow").length, 11);
  const shaded = () => document.querySelectorAll("#board .owner-black, #board .owner-white").length;
  expect("no shading at first", shaded(), 0);
  at("#show-ownership").click();
  expect("shading", shaded(), 64);
  document.querySelectorAll("#candidates button")[1].click();
  expect("a chosen move", document.querySelectorAll("#candidates button")[1].getAttribute("aria-pressed"), "true");
  for (const [language, words] of [["zh", "黑方胜率"], ["en", "Black’s win probability"]]) {
    at(`[data-language=${language}]`).click();
    expect("words", at(".curve h2").textContent, words);
    expect("language", document.documentElement.lang, language);
  }
  expect("controls without a name", [...document.querySelectorAll("button, select")]
    .filter((control) => !control.textContent.trim() && !control.getAttribute("aria-label")).length, 0);
  expect("words that are missing", document.body.innerText.includes("undefined"), false);
  expect("wider than the window", document.documentElement.scrollWidth > innerWidth, false);
  at("#games").value = "1";
  at("#games").onchange();
  expect("the other game", at("#curve [role=slider]").getAttribute("aria-valuemax"), "11");
  expect("names", at("#title").textContent.includes("document.title="), true);
  expect("elements made of names", document.querySelectorAll("b").length, 0);
} catch (error) {
  wrong.push(String(error));
}
const seen = document.createElement("p");
seen.textContent = "seen: " + ([...faults, ...wrong].join("; ") || "all well");
document.body.append(seen);
