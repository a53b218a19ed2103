// Script of the web worker that runs the engine's WebAssembly module. Searches run in short slices, so that messages
// can stop them.
"use strict";

/**
 * The bytes of a minimal WebAssembly module with one SIMD instruction. The browser supports SIMD if it accepts this
 * module.
 */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/**
 * Bytes as text: `bytes` is their number, and each pair of characters of `text` stands for 13 bits (see ../packer/wasm.rs).
 * @typedef {{ bytes: number, text: string }} Encoded
 */

/** The number from 0 to 90 for which a character stands, by character code: printable ASCII without `"`, `<` and `\`. */
const NUMBERS = new Uint8Array(127);
[...NUMBERS.keys()].slice(33).filter((code) => !'"<\\'.includes(String.fromCharCode(code))).forEach((code, number) => (NUMBERS[code] = number));

/**
 * The engine's WebAssembly modules with and without SIMD, compressed with gzip and encoded as text by
 * ../packer/wasm.rs. `plain` lacks the network's weights: `weights` are their offset for inserting into `plain`, their
 * offset in `simd`, and their length, in bytes after decompression.
 * @typedef {{ simd: Encoded, plain: Encoded, weights: number[] }} Modules
 */

/**
 * Durations of a search slice in milliseconds: of a search's first slice, and of all later slices. Messages are handled
 * between slices.
 */
const SLICE_MS = [25, 120];

/** The functions and the memory that the WebAssembly module exports; set by `startEngine`. @type {any} */
let engine;

/**
 * Number of the latest search. An older search notices after its current slice that the number has changed, and stops.
 */
let latestSearch = 0;

/** Returns the bytes of an encoded text. @param {Encoded} encoded */
function decodeBytes({ bytes, text }) {
  const data = new Uint8Array(bytes);
  let [bits, count, at] = [0, 0, 0];
  for (let first = 0; first < text.length; first += 2) {
    bits = (bits << 13) | (91 * NUMBERS[text.charCodeAt(first)] + NUMBERS[text.charCodeAt(first + 1)]);
    for (count += 13; count >= 8 && at < bytes; at++) {
      count -= 8;
      data[at] = bits >> count;
    }
    bits &= (1 << count) - 1;
  }
  return data;
}

/** Decodes a text and decompresses the gzip data that it holds; returns the bytes. @param {Encoded} encoded */
async function decompress(encoded) {
  const stream = new Blob([decodeBytes(encoded)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Returns the bytes of the module without SIMD: inserts the network's weights, which the page contains only in the SIMD
 * module.
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
 * Instantiates the engine's WebAssembly module: with SIMD if the browser supports it.
 * @param {Modules} modules @param {boolean} plain whether to use the module without SIMD in any case
 */
async function startEngine(modules, plain) {
  const hasSimd = !plain && WebAssembly.validate(SIMD_PROBE);
  const module = await (hasSimd ? decompress(modules.simd) : assemblePlain(modules));
  const { instance } = await WebAssembly.instantiate(module, { page: { now: () => performance.now() } });
  engine = instance.exports;
}

/**
 * Copies bytes into the engine's memory, calls an exported function on them, and returns its JSON response as a value.
 * @param {Uint8Array} bytes
 * @param {() => number} exported engine function: replaces the bytes by a response and returns its length
 * @returns {any}
 */
function callExport(bytes, exported) {
  const at = engine.resize_buffer(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const length = exported();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.buffer_address(), length)));
}

/**
 * Sends a request to the engine and returns its response; throws an error if the response has the field `error`.
 * @param {object} request one of ../engine/request.rs @returns {any}
 */
function ask(request) {
  const response = callExport(new TextEncoder().encode(JSON.stringify(request)), engine.answer);
  if (response.error) throw new Error(response.error);
  return response;
}

/**
 * Parses the games of a file. The engine lists the possible character sets, the browser decodes the file with each of
 * them, and the engine parses the texts and chooses the best result.
 * @param {Uint8Array} file
 */
function read(file) {
  const charsets = callExport(file, engine.list_charsets);
  return ask({ ask: "read", texts: charsets.map((charset) => ({ ...charset, text: decode(charset.label, file) })) });
}

/**
 * Decodes a file to text; returns null if the browser does not know the character set, or if the bytes are invalid in
 * it.
 * @param {string} label name of the character set, such as `GB18030` @param {Uint8Array} file
 */
function decode(label, file) {
  try {
    return new TextDecoder(label, { fatal: true }).decode(file);
  } catch {
    return null;
  }
}

/** Returns a promise that resolves in a later task of the event loop, so that waiting messages are handled first. */
function yieldToEventLoop() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
}

/**
 * Searches a position in slices until the result is proven, a limit is reached, or another search begins. Returns the
 * final results; `onFindings` receives interim results after every slice.
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
    await yieldToEventLoop();
    if (number !== latestSearch) return { ...findings, isDone: false };
    onFindings(findings);
  }
}

/**
 * Resolves when the engine is ready. The page's first message contains the engine's modules; all later messages are
 * requests.
 */
const starting = new Promise((resolve) => {
  onmessage = ({ data }) => {
    onmessage = (event) => handleMessage(event.data);
    resolve(startEngine(data.modules, data.plain));
  };
});

/**
 * Stops the running search, and returns the best of `count` random legal moves. The bot's weakest levels play this way.
 */
function sampleMove({ setting, count, seed }) {
  latestSearch += 1;
  ask({ ask: "set", ...setting });
  return ask({ ask: "sample_move", count, seed });
}

/**
 * Handles a message of the page by its field: `stop` stops the search, `sample_move` chooses among random moves,
 * `search` starts a search, `file` is parsed, and `request` is passed on to the engine.
 */
async function handleMessage({ id, search: task, stop, sample_move: sample, file, request }) {
  try {
    await starting;
    if (stop) latestSearch += 1;
    else if (sample) postMessage({ id, response: sampleMove(sample) });
    else if (task) postMessage({ id, response: await search(task, (findings) => postMessage({ id, findings })) });
    else postMessage({ id, response: file ? read(file) : ask(request) });
  } catch (error) {
    const isTrap = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, error: String(error instanceof Error ? error.message : error), isTrap });
  }
}
