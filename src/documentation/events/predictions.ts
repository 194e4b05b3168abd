import { PredictionRoundSchema } from '../../features/predictions/rounds/schema.ts';
import { PredictionSchema } from '../../features/predictions/submissions/schema.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import type { DocumentedEvent } from './documented-event.ts';

const { getToken: token, getPredictionRound: round, getOwnedPrediction: prediction } = recorded;

const roundRecord = {
  schema: PredictionRoundSchema,
  data: 'The round as `getPredictionRound` returns it.',
  subject: round.id,
};

export const predictionEvents = {
  'prediction_round.opened': {
    ...roundRecord,
    meaning: 'A round accepts predictions until `locksAt`.',
    reaction: 'Check `getPredictionEligibility`, then submit with `createPrediction`.',
    example: { ...round, status: 'open' },
  },
  'prediction_round.locked': {
    ...roundRecord,
    meaning:
      'The round has locked for good: no prediction is accepted any more, and exact entries can be read.',
    reaction: 'Read the entries with `listRoundPredictions`.',
    example: { ...round, status: 'locked', lockedAt: round.locksAt },
  },
  'prediction_round.settled': {
    ...roundRecord,
    meaning: 'The settlement price is known, standings and payouts are final.',
    reaction: 'Read `listPredictionStandings`, or your own prediction for its rank and payout.',
    example: {
      ...round,
      status: 'settled',
      lockedAt: round.locksAt,
      settledAt: round.settlesAt,
      settlementPriceInSol: token.currentPriceInSol,
    },
  },
  'prediction_round.voided': {
    ...roundRecord,
    meaning: 'The round was called off; `voidReason` is the reason. Nobody wins and nothing is paid out.',
    reaction: 'Drop your plans for it; your prediction is `voided` too.',
    example: { ...round, status: 'voided' },
  },
  'prediction.submitted': {
    schema: PredictionSchema,
    meaning: 'A prediction of your account was accepted.',
    data: 'The prediction as `getOwnedPrediction` returns it.',
    reaction: 'Nothing needs to be done; it informs your other systems.',
    subject: prediction.id,
    example: prediction,
  },
} satisfies Record<string, DocumentedEvent>;
