import type { AreaExplanations } from './explanation.ts';

/** Prediction rounds and predictions (contract/endpoints#problems). */
export const predictionExplanations = {
  prediction_round_not_found: {
    meaning: 'No prediction round has this id, or it belongs to another token than the one in the path.',
    when: [
      'The id is unknown.',
      'The mint address in the path is not that of the round, or of no visible token.',
      'The token of these predictions or standings has no prediction allocation.',
    ],
    action: 'Take round ids from `listPredictionRounds` of the token.',
  },
  prediction_not_found: {
    meaning: 'No prediction of your account has this id.',
    when: ['The id is unknown, or the prediction belongs to another account.'],
    action: 'Use the id that `createPrediction` returned, with a key of the same account.',
  },
  prediction_token_not_enabled: {
    meaning: 'The token was launched without a prediction allocation, which is fixed at launch.',
    when: [
      'A prediction is submitted (409), or rounds are read (404), for a token that cannot have any.',
      'Rounds are listed for a mint without a visible token (404).',
    ],
    action: 'Choose another token: this never changes. While reading, the status is 404 with this same code.',
  },
  prediction_round_not_open: {
    meaning: 'The round does not accept predictions at this moment.',
    when: ['The round is scheduled, locked, settling, settled or voided.', '`locksAt` has passed.'],
    context: {
      roundStatus: { meaning: 'status of the round', example: 'locked' },
      locksAt: { meaning: 'when it stops accepting predictions', example: '2026-11-21T10:00:00.000Z' },
    },
    action:
      'Read the round: before `opensAt` wait for `prediction_round.opened`; after `locksAt` choose another round.',
  },
  prediction_wallet_mismatch: {
    meaning: '`walletAddress` is not the wallet that the key is pinned to.',
    when: ['The same key is used to predict for several wallets.'],
    action: 'Send the `walletAddress` of `getApiIdentity`, or use a key that is pinned to the other wallet.',
  },
  prediction_wallet_not_verified: {
    meaning: 'The platform has not verified the holder of this wallet.',
    when: ['The wallet has never been verified on the platform.'],
    action: 'Have the wallet verified on the platform, check `getPredictionEligibility`, then submit again.',
  },
  prediction_username_required: {
    meaning: 'The wallet has no username, which standings show.',
    when: ['The holder has chosen no username on the platform.'],
    action: 'Choose one on the platform, then submit again.',
  },
  prediction_insufficient_balance: {
    meaning: 'The wallet held too little of the token at the finalized slot that was evaluated.',
    when: [
      'The balance is below `minimumBalanceRaw` of the round.',
      'Tokens were bought moments ago: only finalized balances count, and those lag some seconds behind.',
    ],
    context: {
      balanceRaw: { meaning: 'finalized balance in base units', example: '250000' },
      minimumBalanceRaw: { meaning: 'minimum balance of the round', example: '1000000' },
      evaluationSlot: { meaning: 'finalized slot that was evaluated', example: '312456789' },
    },
    action:
      'Compare `balanceRaw` with `minimumBalanceRaw` in `getPredictionEligibility`. After a purchase, wait until it is finalized.',
  },
  prediction_already_submitted: {
    meaning: 'The wallet has a prediction in this round. Predictions never change.',
    when: ['A second prediction is sent, even with the same price.', 'A retry used a new `Idempotency-Key`.'],
    action:
      'Keep the first prediction. Retries must carry the first `Idempotency-Key`: they then return the stored prediction.',
  },
  prediction_price_out_of_range: {
    meaning: 'The price is a well-formed decimal, but zero or with too many digits.',
    when: ['The price is `0`, has more than 12 integer digits, or more than 18 fractional digits.'],
    action:
      'Round to 18 fractional digits. A text that is not a decimal at all gets `validation_failed` instead.',
  },
  prediction_intent_not_found: {
    meaning: 'The round needs a delegated intent signed by the wallet, and there is none.',
    when: [
      '`requiresDelegatedIntent` of the round is true, and the wallet has not signed one on the platform.',
    ],
    action: 'Have the wallet sign the intent on the platform first, then submit again.',
  },
  prediction_intent_expired: {
    meaning: 'The delegated intent was signed too long ago.',
    when: ['The intent passed its expiry before the prediction was submitted.'],
    context: { expiresAt: { meaning: 'when the intent expired', example: '2026-11-20T10:00:00.000Z' } },
    action: 'Have the wallet sign a fresh intent.',
  },
  prediction_intent_consumed: {
    meaning: 'The delegated intent has been used for a prediction; it allows one.',
    when: ['Two submissions rely on the same intent.'],
    action: 'Have the wallet sign a fresh intent for another round.',
  },
  prediction_authorization_invalid: {
    meaning:
      'The stored delegated intent does not authorize this prediction with a valid signature of its wallet.',
    when: [
      'The intent was signed by another wallet, or altered after signing.',
      'The intent was signed for another price than the one submitted.',
    ],
    action:
      'Have the pinned wallet sign a fresh intent for the price. Repeating the request changes nothing.',
  },
  prediction_exact_values_locked: {
    meaning: 'Standings do not exist yet: exact predictions stay hidden until the round has locked.',
    when: ['Standings are requested before the lock of the round is durable.'],
    action:
      'Wait for `prediction_round.locked`, or poll the round until `lockedAt` is set; ranks follow with `prediction_round.settled`.',
  },
  prediction_balance_unavailable: {
    meaning: 'The finalized balance of the wallet could not be read, so nothing was decided.',
    when: ['No RPC node of the chain responded in time, or none is up to date.'],
    action: 'Retry with growing, jittered pauses and the same `Idempotency-Key`; mind `locksAt`.',
  },
} as const satisfies AreaExplanations;
