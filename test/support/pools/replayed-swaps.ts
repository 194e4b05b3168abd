import type { RecordedState, RecordedSwap } from './quote-recordings.ts';

/** The outcome of a swap: the number of its error, or the columns that a recorded success has. */
export type SwapOutcome = number | string[];

/** Swaps whose outcome differs from the recorded one. */
export function differences(
  states: readonly RecordedState[],
  outcomeOf: (state: RecordedState, swap: RecordedSwap) => SwapOutcome,
) {
  return states.flatMap((state) =>
    state.swaps.flatMap((swap) => {
      const got = outcomeOf(state, swap);
      return Bun.deepEquals(got, swap.expected) ? [] : [{ line: swap.line, expected: swap.expected, got }];
    }),
  );
}

/** The distinct error numbers of recorded swaps. */
export function recordedErrors(states: readonly RecordedState[]): number[] {
  const outcomes = states.flatMap(({ swaps }) => swaps.map(({ expected }) => expected));
  return [...new Set(outcomes.filter((outcome) => typeof outcome === 'number'))].sort();
}

/** Neighbouring states of one pool with different accounts. One swap was executed between them. */
export function stepsBetween(
  states: readonly RecordedState[],
): { before: RecordedState; after: RecordedState }[] {
  return states.slice(1).flatMap((after, index) => {
    const before = states[index];
    if (before === undefined || before.of !== after.of) return [];
    return Buffer.compare(before.account.data, after.account.data) === 0 ? [] : [{ before, after }];
  });
}
