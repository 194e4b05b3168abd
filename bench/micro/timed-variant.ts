import type { Variant } from '../measurement/rounds.ts';

/** Duration of the batch of calls between two clock readings. */
const BATCH_MS = 1;

/**
 * A synchronous function under measurement: `call` gets a running number that chooses its input, and returns true when
 * its result was right. It is checked once before anything is timed, and every result is counted: none can be optimised
 * away, and a wrong one fails the case.
 */
export function timedVariant(name: string, roundMs: number, call: (index: number) => boolean): Variant {
  let batch = 0;
  return {
    name,
    run: async () => {
      if (!call(0)) throw new Error(`${name} gives a wrong result`);
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
      if (wrong > 0) throw new Error(`${name} gave ${wrong} wrong results`);
      return { microsecondsPerCall: ((nowMs - startedAtMs) * 1000) / calls };
    },
  };
}

/** Doubles the size until a batch is long enough, twice: the second time the code is compiled. Also warms it up. */
function batchSize(call: (index: number) => boolean): number {
  let size = 1;
  for (let longBatches = 0; longBatches < 2; ) {
    const startedAtMs = performance.now();
    for (let index = 0; index < size; index += 1) call(index);
    if (performance.now() - startedAtMs >= BATCH_MS) longBatches += 1;
    else size *= 2;
  }
  return size;
}
