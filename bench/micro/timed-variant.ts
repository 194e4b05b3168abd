import type { Variant } from '../measurement/rounds.ts';

/** Between two looks at the clock a batch runs about this long. */
const BATCH_MS = 1;

/**
 * A synchronous function under measurement: `call` gets a running number to choose its input by, and returns true when
 * its answer was right. It is checked once before anything is timed, and every answer counts: none can be optimised
 * away, and a wrong one fails the case.
 */
export function timedVariant(name: string, roundMs: number, call: (index: number) => boolean): Variant {
  let batch = 0;
  return {
    name,
    run: async () => {
      if (!call(0)) throw new Error(`${name} gives a wrong answer`);
      if (batch === 0) batch = batchSize(call);
      let calls = 0;
      let wrong = 0;
      const startedAtMs = performance.now();
      let nowMs = startedAtMs;
      while (nowMs - startedAtMs < roundMs) {
        for (let index = 0; index < batch; index += 1) if (!call(calls + index)) wrong += 1;
        calls += batch;
        nowMs = performance.now();
      }
      if (wrong > 0) throw new Error(`${name} gave ${wrong} wrong answers`);
      return { microsecondsPerCall: ((nowMs - startedAtMs) * 1000) / calls };
    },
  };
}

/** Also warms the function up: it doubles until a batch is long enough, twice, so that compiled code decides. */
function batchSize(call: (index: number) => boolean): number {
  let size = 1;
  for (let isLong = 0; isLong < 2; ) {
    const startedAtMs = performance.now();
    for (let index = 0; index < size; index += 1) call(index);
    if (performance.now() - startedAtMs >= BATCH_MS) isLong += 1;
    else size *= 2;
  }
  return size;
}
