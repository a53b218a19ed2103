// `#bench`: the fixed search of `amazons bench`, its signature and its speed. `#bench=2000` says the iterations for a position,
// `#bench=2000,plain` takes the module without SIMD.

import { $, grouped, setText } from "./elements.js";
import { say } from "./words.js";
import { Engine } from "./engine.js";

/** Iterations for a position, as in `amazons bench`. */
const ITERATIONS = 50_000;

/** What the address asks for. */
const asked = /^#bench(?:=(\d+)?(,plain)?)?$/.exec(location.hash);

/** Whether the page was opened for the bench: then nothing else thinks. */
export const isBench = asked !== null;

/** Runs the bench. @returns {Promise<void>} */
export async function runBench() {
  const iterations = Number(asked?.[1] ?? ITERATIONS);
  const engine = new Engine(Boolean(asked?.[2]), Infinity);
  $("bench").hidden = false;
  setText($("bench"), say("benchRunning", grouped(iterations)));
  try {
    const { signature, iterations: all, evaluations, ms } = await engine.ask({ ask: "bench", iterations });
    const perSecond = (count) => Math.floor(count / ms * 1000);
    setText($("bench"), `signature: ${signature}\niterations/s: ${perSecond(all)}\nevaluations/s: ${perSecond(evaluations)}`);
  } catch (error) {
    setText($("bench"), say("engineFailed", error.message));
  }
  engine.end();
}
