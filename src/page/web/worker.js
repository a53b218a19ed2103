// Script of the web worker that runs the game engine as a WebAssembly module and answers the messages of `Engine`
// (engine.js). A search runs in slices of at most 120 ms; between slices the worker handles messages, such as a request
// to stop.
"use strict";

/**
 * Bytes of a minimal WebAssembly module with a SIMD instruction. `WebAssembly.validate` accepts them only if the
 * browser supports SIMD.
 */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/**
 * Bytes encoded as base-91 text: `bytes` is their number; each pair of digits in `text` encodes 13 bits (see
 * ../packer/wasm.rs).
 * @typedef {{ bytes: number, text: string }} Encoded
 */

/**
 * Table for decoding base-91 text: the value (0 to 90) of each digit, by the digit's character code. The digits are the
 * printable ASCII characters from `!` to `~` without `"`, `<` and `\`, in ascending order.
 */
const DIGIT_VALUES = new Uint8Array(127);
[...DIGIT_VALUES.keys()].slice(33).filter((code) => !'"<\\'.includes(String.fromCharCode(code))).forEach((code, number) => (DIGIT_VALUES[code] = number));

/**
 * The engine's WebAssembly modules with SIMD (`simd`) and without (`plain`), compressed with gzip and encoded as text
 * by ../packer/wasm.rs. `plain` lacks the network's weights. `weights` are three numbers of bytes after decompression:
 * the offset in `plain` at which to insert the weights, their offset in `simd`, and their length.
 * @typedef {{ simd: Encoded, plain: Encoded, weights: number[] }} Modules
 */

/**
 * Maximum durations of the slices into which a search is divided, in milliseconds. First: the first slice of a search;
 * second: each later slice. The worker handles messages between two slices.
 */
const SLICE_MS = [25, 120];

/**
 * The functions and the memory that the instantiated WebAssembly module exports. Undefined until `startEngine` has
 * finished.
 * @type {any}
 */
let engine;

/**
 * Number of the latest message that began or stopped a search; each such message increases it by 1. A search remembers
 * its own number, and stops as soon as `latestSearch` is larger.
 */
let latestSearch = 0;

/**
 * Decodes base-91 text to `bytes` bytes. Each pair of digits encodes a number of 13 bits: 91 times the first digit's
 * value plus the second's. The bits of all numbers in their order, each with the most significant bit first, are the
 * bits of the bytes.
 * @param {Encoded} encoded
 */
function decodeBytes({ bytes, text }) {
  const data = new Uint8Array(bytes);
  let [bits, count, at] = [0, 0, 0];
  for (let first = 0; first < text.length; first += 2) {
    bits = (bits << 13) | (91 * DIGIT_VALUES[text.charCodeAt(first)] + DIGIT_VALUES[text.charCodeAt(first + 1)]);
    for (count += 13; count >= 8 && at < bytes; at++) {
      count -= 8;
      data[at] = bits >> count;
    }
    bits &= (1 << count) - 1;
  }
  return data;
}

/** Decodes base-91 text to gzip data, and returns the decompressed bytes. @param {Encoded} encoded */
async function decompress(encoded) {
  const stream = new Blob([decodeBytes(encoded)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Decompresses the engine's WebAssembly module without SIMD (`plain`), and returns its bytes. To save space, the page
 * omits the network's weights in `plain`; the function copies them from the module with SIMD (`simd`), which contains
 * the same weights. The parts of `weights` are numbers of bytes: the weights' offset `to` in the result, their offset
 * `from` in `simd`, and their `length`.
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
 * Decodes and instantiates the engine's WebAssembly module. Uses the module with SIMD if the browser supports SIMD and
 * `plain` is false.
 * @param {Modules} modules @param {boolean} plain whether to use the module without SIMD in any case
 */
async function startEngine(modules, plain) {
  const hasSimd = !plain && WebAssembly.validate(SIMD_PROBE);
  const module = await (hasSimd ? decompress(modules.simd) : assemblePlain(modules));
  const { instance } = await WebAssembly.instantiate(module, { page: { now: () => performance.now() } });
  engine = instance.exports;
}

/**
 * Calls `engineFunction`, a function of the WebAssembly engine, with `bytes` as input, and returns its response, parsed
 * from JSON. The engine's function finds its input in a buffer in the engine's memory, and writes its response into the
 * same buffer.
 * @param {Uint8Array} bytes input of the function
 * @param {() => number} engineFunction replaces the buffer's content by a JSON text, and returns its length in bytes
 * @returns {any}
 */
function callExport(bytes, engineFunction) {
  const at = engine.resize_buffer(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const length = engineFunction();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.buffer_address(), length)));
}

/**
 * Sends a request to the engine and returns its response. Throws an error with the engine's message if the request
 * fails.
 * @param {object} request one of the requests of ../engine/request.rs @returns {any}
 */
function ask(request) {
  const response = callExport(new TextEncoder().encode(JSON.stringify(request)), engine.answer);
  if (response.error) throw new Error(response.error);
  return response;
}

/**
 * Parses the games of a file whose character set is unknown. The engine lists the possible character sets, the browser
 * decodes the file in each of them, and the engine parses all the texts. Returns the games of the text that the engine
 * considers the most plausible.
 * @param {Uint8Array} file content of the file
 */
function readGames(file) {
  const charsets = callExport(file, engine.list_charsets);
  return ask({ ask: "read", texts: charsets.map((charset) => ({ ...charset, text: decodeText(charset.label, file) })) });
}

/**
 * Decodes the content of a file to text. Returns null if the browser does not know the character set, or if the bytes
 * are invalid in the character set.
 * @param {string} label name of the character set, such as `GB18030` @param {Uint8Array} file content of the file
 */
function decodeText(label, file) {
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
 * Searches a position in slices until the winner is proven, the limit `ms` (milliseconds) or `iterations` is reached,
 * or another message stops the search. `setting` contains the position; `candidates` is the number of best moves to
 * report. Calls `onFindings` with interim results between slices. Returns the final results; their field `isDone` is
 * false if another message has stopped the search.
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
 * Promise that resolves when the engine is ready for requests. The page's first message to the worker contains the
 * engine's WebAssembly modules and starts the engine; `handleMessage` handles all later messages.
 */
const engineReady = new Promise((resolve) => {
  onmessage = ({ data }) => {
    onmessage = (event) => handleMessage(event.data);
    resolve(startEngine(data.modules, data.plain));
  };
});

/**
 * Stops the running search. Then asks the engine to draw `count` random legal moves and to choose the one with the best
 * static evaluation; the bot's weakest levels play this way. Returns the engine's response, whose field `move` is the
 * chosen move.
 */
function sampleMove({ setting, count, seed }) {
  latestSearch += 1;
  ask({ ask: "set", ...setting });
  return ask({ ask: "sample_move", count, seed });
}

/**
 * Handles a message of the page and sends the response, or the error, back under the same `id`. The message has one of
 * these fields:
 * - `stop`: stops the running search, without a response;
 * - `sample_move`: chooses the best of some random moves;
 * - `search`: searches a position;
 * - `file`: parses the games of a file;
 * - `request`: a request of ../engine/request.rs, which is passed on to the engine.
 */
async function handleMessage({ id, search: task, stop, sample_move: sample, file, request }) {
  try {
    await engineReady;
    if (stop) latestSearch += 1;
    else if (sample) postMessage({ id, response: sampleMove(sample) });
    else if (task) postMessage({ id, response: await search(task, (findings) => postMessage({ id, findings })) });
    else postMessage({ id, response: file ? readGames(file) : ask(request) });
  } catch (error) {
    const isTrap = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, error: String(error instanceof Error ? error.message : error), isTrap });
  }
}
