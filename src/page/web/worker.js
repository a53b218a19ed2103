// Script of the web worker that runs the engine's WebAssembly module. Searches run in short slices, so that messages can stop
// them.
"use strict";

/** A minimal WebAssembly module with one SIMD instruction, to test if the browser supports SIMD. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/**
 * The engine's two WebAssembly modules, with and without SIMD, as ../packer/wasm.rs writes them. `plain` lacks the network's
 * weights: `weights` holds their offset in `plain`, their offset in `simd`, and their length, in bytes.
 * @typedef {{ simd: string, plain: string, weights: number[] }} Modules
 */

/** Length of a search slice in milliseconds: of the first slice, and of all later slices. */
const SLICE_MS = [25, 120];

/** The functions and memory that the WebAssembly module exports. @type {any} */
let engine;

/** Number of the latest search; a search stops after its slice if its own number differs. */
let latestSearch = 0;

/** Decodes base64 and decompresses gzip. @param {string} text */
async function decompress(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Returns the module without SIMD. Copies the network's weights from the SIMD module: the page contains them only once.
 * @param {Modules} modules
 */
async function assemblePlain({ simd, plain, weights: [to, from, length] }) {
  const [whole, rest] = await Promise.all([decompress(simd), decompress(plain)]);
  const module = new Uint8Array(rest.length + length);
  module.set(rest.subarray(0, to));
  module.set(whole.subarray(from, from + length), to);
  module.set(rest.subarray(to), to + length);
  return module;
}

/**
 * Instantiates the engine, with SIMD if the browser supports it.
 * @param {Modules} modules @param {boolean} plain forces the module without SIMD
 */
async function start(modules, plain) {
  const hasSimd = !plain && WebAssembly.validate(SIMD_PROBE);
  const module = await (hasSimd ? decompress(modules.simd) : assemblePlain(modules));
  const { instance } = await WebAssembly.instantiate(module, { page: { now: () => performance.now() } });
  engine = instance.exports;
}

/**
 * Copies bytes into the engine's memory, calls an exported function, and returns its answer parsed from JSON.
 * @param {Uint8Array} bytes @param {() => number} called exported function; returns the length of the answer in bytes
 * @returns {any}
 */
function call(bytes, called) {
  const at = engine.resize_buffer(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const length = called();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.buffer_address(), length)));
}

/**
 * Asks the engine a question; throws an error if the answer is an error.
 * @param {object} question see ../engine/question.rs @returns {any}
 */
function ask(question) {
  const answer = call(new TextEncoder().encode(JSON.stringify(question)), engine.answer);
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/**
 * Parses the games of a file. The engine lists possible character sets, the browser decodes the file with each, and the engine
 * chooses among the texts.
 * @param {Uint8Array} file
 */
function read(file) {
  const charsets = call(file, engine.list_charsets);
  return ask({ ask: "read", texts: charsets.map((charset) => ({ ...charset, text: decode(charset.label, file) })) });
}

/**
 * Decodes a file; returns null if the browser does not know the character set or the bytes are invalid in it.
 * @param {string} label of the character set @param {Uint8Array} file
 */
function decode(label, file) {
  try {
    return new TextDecoder(label, { fatal: true }).decode(file);
  } catch {
    return null;
  }
}

/** Returns to the event loop once, so that waiting messages are handled between two slices of a search. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
}

/**
 * Searches a position until a limit is reached or another search begins. Calls `onFindings` with interim results after every
 * slice.
 */
async function search({ setting, candidates, ms, iterations }, onFindings) {
  const number = ++latestSearch;
  const started = performance.now();
  ask({ ask: "set", ...setting });
  for (let slice = 0; ; slice++) {
    const left = (ms ?? Infinity) - (performance.now() - started);
    const length = Math.max(1, Math.min(left, SLICE_MS[Math.min(slice, 1)]));
    const findings = ask({ ask: "search", ms: Math.ceil(length), iterations: iterations ?? null, candidates });
    findings.ms = performance.now() - started;
    const isDone = findings.proven || findings.ms >= (ms ?? Infinity) || findings.iterations >= (iterations ?? Infinity);
    if (isDone) return { ...findings, isDone };
    await pause();
    if (number !== latestSearch) return { ...findings, isDone: false };
    onFindings(findings);
  }
}

const starting = new Promise((resolve) => {
  onmessage = ({ data }) => {
    onmessage = (event) => handleMessage(event.data);
    resolve(start(data.modules, data.plain));
  };
});

/** Stops the current search and returns the best of `count` random moves, as the weakest levels play. */
function sampleMove({ setting, count, seed }) {
  latestSearch += 1;
  ask({ ask: "set", ...setting });
  return ask({ ask: "sample_move", count, seed });
}

/** Handles a message from the page: a question, a file to parse, a search, a stop, or the choice among random moves. */
async function handleMessage({ id, search: task, stop, sample_move: sample, file, question }) {
  try {
    await starting;
    if (stop) latestSearch += 1;
    else if (sample) postMessage({ id, answer: sampleMove(sample) });
    else if (task) postMessage({ id, answer: await search(task, (findings) => postMessage({ id, findings })) });
    else postMessage({ id, answer: file ? read(file) : ask(question) });
  } catch (error) {
    const isTrap = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, error: String(error instanceof Error ? error.message : error), isTrap });
  }
}
