// The worker that holds the engine. It answers questions; a search goes on in slices, so that it can be stopped.
"use strict";

/** A module with one SIMD instruction, by which a browser is asked if it has them. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Both modules of the engine, as ../packer/wasm.rs writes them. @typedef {{ simd: string, plain: string, weights: number[] }} Modules */

/** Milliseconds of a slice: of the first one, and of the others. */
const SLICES = [25, 120];

/** @type {any} */
let engine;

/** Number of the search that is wanted; another number ends the one under way. */
let wanted = 0;

/** The bytes behind gzip and base64. @param {string} text */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The module without SIMD: the weights in it are those of the other one. @param {Modules} modules */
async function plainModule({ simd, plain, weights: [to, from, length] }) {
  const [whole, rest] = await Promise.all([unpack(simd), unpack(plain)]);
  const module = new Uint8Array(rest.length + length);
  module.set(rest.subarray(0, to));
  module.set(whole.subarray(from, from + length), to);
  module.set(rest.subarray(to), to + length);
  return module;
}

/** Brings the engine up. @param {Modules} modules @param {boolean} plain takes the one without SIMD */
async function start(modules, plain) {
  const hasSimd = !plain && WebAssembly.validate(SIMD);
  const module = await (hasSimd ? unpack(modules.simd) : plainModule(modules));
  const { instance } = await WebAssembly.instantiate(module, { page: { now: () => performance.now() } });
  engine = instance.exports;
}

/** Hands bytes to a function of the engine and returns its answer. @param {Uint8Array} bytes @param {() => number} called @returns {any} */
function call(bytes, called) {
  const at = engine.room(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const length = called();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.text(), length)));
}

/** Asks the engine. @param {object} question @returns {any} */
function ask(question) {
  const answer = call(new TextEncoder().encode(JSON.stringify(question)), engine.answer);
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** The games of a file: the engine names character sets, the browser decodes by each, the engine judges. @param {Uint8Array} file */
function read(file) {
  const charsets = call(file, engine.charsets);
  return ask({ ask: "read", texts: charsets.map((charset) => ({ ...charset, text: decoded(charset.label, file) })) });
}

/** The text of a file; nothing if the browser does not know the character set, or the file is not in it. @param {string} label @param {Uint8Array} file */
function decoded(label, file) {
  try {
    return new TextDecoder(label, { fatal: true }).decode(file);
  } catch {
    return null;
  }
}

/** Lets messages in. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
}

/** Searches a position until a limit is reached or another search is wanted; what is found is told after every slice. */
async function think({ setting, candidates, ms, iterations }, tell) {
  const number = ++wanted;
  const started = performance.now();
  ask({ ask: "set", ...setting });
  for (let slice = 0; ; slice++) {
    const left = (ms ?? Infinity) - (performance.now() - started);
    const length = Math.max(1, Math.min(left, SLICES[Math.min(slice, 1)]));
    const found = ask({ ask: "search", ms: Math.ceil(length), iterations: iterations ?? null, candidates });
    found.ms = performance.now() - started;
    const isDone = found.proven || found.ms >= (ms ?? Infinity) || found.iterations >= (iterations ?? Infinity);
    if (isDone) return { ...found, isDone };
    await pause();
    if (number !== wanted) return { ...found, isDone: false };
    tell(found);
  }
}

const starting = new Promise((resolve) => {
  onmessage = ({ data }) => {
    onmessage = (event) => obey(event.data);
    resolve(start(data.modules, data.plain));
  };
});

/** Chooses the best of some random moves. */
function glance({ setting, count, seed }) {
  wanted += 1;
  ask({ ask: "set", ...setting });
  return ask({ ask: "glance", count, seed });
}

/** Answers a message: a question of the engine, a file, a search or the end of one, a glance. */
async function obey({ id, think: task, stop, glance: glimpse, file, question }) {
  try {
    await starting;
    if (stop) wanted += 1;
    else if (glimpse) postMessage({ id, answer: glance(glimpse) });
    else if (task) postMessage({ id, answer: await think(task, (found) => postMessage({ id, found })) });
    else postMessage({ id, answer: file ? read(file) : ask(question) });
  } catch (error) {
    const isTrap = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, error: String(error instanceof Error ? error.message : error), isTrap });
  }
}
