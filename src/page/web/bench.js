// Runs the benchmark of `amazons bench` if the page's address ends with `#bench`, and shows its signature and speed.
// `#bench=2000` sets the number of iterations per position; `#bench=2000,plain` uses the WebAssembly module without SIMD.

import { $, formatCount, setText } from "./dom.js";
import { t } from "./texts.js";
import { Engine } from "./engine.js";

/** Default number of search iterations per position, the same as in `amazons bench`. */
const ITERATIONS = 50_000;

/** Match of the address's `#bench=ITERATIONS,plain`, or null if the address does not ask for the benchmark. */
const asked = /^#bench(?:=(\d+)?(,plain)?)?$/.exec(location.hash);

/** Whether the page was opened to run the benchmark. If true, no other search runs and no state is saved. */
export const isBench = asked !== null;

/** Runs the benchmark in an engine of its own and shows the signature and iterations per second. @returns {Promise<void>} */
export async function runBench() {
  const iterations = Number(asked?.[1] ?? ITERATIONS);
  const engine = new Engine(Boolean(asked?.[2]), Infinity);
  $("bench").hidden = false;
  setText($("bench"), t("benchRunning", formatCount(iterations)));
  try {
    const { signature, iterations: all, evaluations, ms } = await engine.ask({ ask: "bench", iterations });
    const perSecond = (count) => Math.floor(count / ms * 1000);
    setText($("bench"), `signature: ${signature}\niterations/s: ${perSecond(all)}\nevaluations/s: ${perSecond(evaluations)}`);
  } catch (error) {
    setText($("bench"), t("engineFailed", error.message));
  }
  engine.terminate();
}
