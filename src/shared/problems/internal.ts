import { problemArea } from './problem-area.ts';

export const internalProblems = problemArea('internal', 'Internal API', {
  internal_state_conflict: {
    status: 409,
    title: 'State conflict',
    detail: 'The record is not in a state that allows this request.',
    meaning: 'The record is not in a state that allows the change; `detail` names its state.',
    when: [
      'A round, an operation or a presale has ended, or was created or published before.',
      'An operation is run by the worker: it can only be cancelled.',
    ],
    action: 'Read the record and decide again. The public API never returns this code.',
  },
});
