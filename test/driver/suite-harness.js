// Takes the place of the suite's own harness (tests/test.js), which stops at the first failure: this one runs every
// test, and writes what became of each to the file that RESULTS names.
import { writeFileSync } from 'node:fs';

/** The suite allows 5 s, or what a test names; a busy machine needs more. */
const PATIENCE = 6;
const DEFAULT_SECONDS = 5;

const tests = [];
let isStarted = false;

export function t(name, options, fn) {
  const [limits, body] = typeof options === 'object' ? [options, fn] : [{}, options];
  tests.push({ name, body, seconds: (limits.timeout ?? DEFAULT_SECONDS) * PATIENCE });
  if (!isStarted) setImmediate(runAll);
  isStarted = true;
}
t.timeout = DEFAULT_SECONDS;

/** The suite leaves such tests out. */
export function nt() {}
export function ot(...test) {
  t(...test);
}

async function runAll() {
  const results = {};
  for (const { name, body, seconds } of tests) results[name] = await outcomeOf(body, seconds);
  writeFileSync(process.env.RESULTS, JSON.stringify(results));
  process.exit(0);
}

/** `ok`, or what was wrong in one line. */
async function outcomeOf(body, seconds) {
  let timer;
  const late = new Promise((_, reject) => {
    // biome-ignore lint/plugin: the suite's own limit of a test
    timer = setTimeout(() => reject(new Error(`not within ${seconds} s`)), seconds * 1000);
  });
  try {
    const [expected, got] = await Promise.all(await Promise.race([body(), late]));
    return expected === got ? 'ok' : `${String(expected)} was expected, and came as ${String(got)}`;
  } catch (error) {
    return String(error?.message ?? error).split('\n')[0];
  } finally {
    clearTimeout(timer);
  }
}

for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => {});
