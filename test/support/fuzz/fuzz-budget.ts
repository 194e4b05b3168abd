/** The variable with the time of a run for all operations together (`npm run fuzz -- --minutes N`). */
export const FUZZ_MINUTES = 'FUZZ_MINUTES';
/** Requests per operation in a run of the suite. */
const RUNS = 25;

/** The part of the budget that each operation has: requests in the suite, time in `npm run fuzz`. */
export function fuzzBudget(operations: number) {
  const minutes = process.env[FUZZ_MINUTES];
  if (minutes === undefined) return { numRuns: RUNS };
  const interruptAfterTimeLimit = (Number(minutes) * 60_000) / operations;
  return { numRuns: 2 ** 31 - 1, interruptAfterTimeLimit, markInterruptAsFailure: false };
}
