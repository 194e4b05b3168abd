import { integer } from '../values.ts';
import { variable } from '../variable.ts';

/** How long records are kept, and how long a round waits. */
export const retentionVariables = {
  retentionEventsDays: variable('RETENTION_EVENTS_DAYS', {
    for: ['worker'],
    rule: integer(30, 3_650),
    default: 30,
    text: 'Events and their finished deliveries are kept for at least this number of days: see "Retention".',
  }),
  retentionAttemptsDays: variable('RETENTION_ATTEMPTS_DAYS', {
    for: ['worker'],
    rule: integer(8, 3_650),
    default: 30,
    text: 'Attempts of webhooks are kept for at least this number of days. It must not be less than RETENTION_EVENTS_DAYS.',
  }),
  retentionSendsDays: variable('RETENTION_SENDS_DAYS', {
    for: ['worker'],
    rule: integer(8, 3_650),
    default: 30,
    text: 'The sends of a transaction intent are kept for at least this number of days after its preparation.',
  }),
  retentionTradesDays: variable('RETENTION_TRADES_DAYS', {
    for: ['worker'],
    rule: integer(30, 36_500),
    text: 'Trades are kept for at least this number of days. If unset, they are kept for ever.',
  }),
  predictionProofWaitSeconds: variable('PREDICTION_PROOF_WAIT_SECONDS', {
    for: ['worker'],
    rule: integer(60, 604_800),
    default: 1_800,
    text: 'A prediction round waits for the proof of its price for this number of seconds after `settlesAt`. It is then voided.',
  }),
};
