import type { AreaExplanations } from './explanation.ts';

/** Problems that only the internal API returns. */
export const internalExplanations = {
  internal_state_conflict: {
    meaning: 'The record is not in a state that allows the change; `detail` names its state.',
    when: [
      'A round, an operation or a presale has ended, or was created or published before.',
      'An operation is run by the worker: it can only be cancelled.',
    ],
    action: 'Read the record and decide again. The public API never returns this code.',
  },
} as const satisfies AreaExplanations;
