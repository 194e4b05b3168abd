import { problemArea } from './problem-area.ts';

export const predictionsProblems = problemArea('predictions', 'Predictions', {
  prediction_wallet_mismatch: {
    status: 403,
    title: 'Wallet mismatch',
    detail: 'walletAddress is not the wallet of the API key.',
    when: ['The same key is used to predict for several wallets.'],
    action: 'Send the `walletAddress` of `getApiIdentity`, or use a key that is pinned to the other wallet.',
  },
  prediction_authorization_invalid: {
    status: 403,
    title: 'Invalid authorization',
    detail: 'The delegated intent is not signed by its wallet.',
    meaning:
      'The stored delegated intent does not authorize this prediction with a valid signature of its wallet.',
    when: [
      'The intent was signed by another wallet, or altered after signing.',
      'The intent was signed for another price than the one submitted.',
    ],
    action:
      'Have the pinned wallet sign a fresh intent for the price. Repeating the request changes nothing.',
  },
  prediction_intent_not_found: {
    status: 404,
    title: 'Prediction intent not found',
    detail: 'No delegated intent exists for this prediction.',
    meaning: 'The round needs a delegated intent signed by the wallet, and there is none.',
    when: [
      '`requiresDelegatedIntent` of the round is true, and the wallet has not signed one on the platform.',
    ],
    action: 'Have the wallet sign the intent on the platform first, then submit again.',
  },
  prediction_round_not_found: {
    status: 404,
    title: 'Prediction round not found',
    detail: 'No prediction round has this id.',
    meaning: 'No prediction round has this id, or it belongs to another token than the one in the path.',
    when: [
      'The id is unknown.',
      'The mint address in the path is not that of the round, or of no visible token.',
      'The token of these predictions or standings has no prediction allocation.',
    ],
    action: 'Take round ids from `listPredictionRounds` of the token.',
  },
  prediction_not_found: {
    status: 404,
    title: 'Prediction not found',
    detail: 'No prediction of this account has this id.',
    when: ['The id is unknown, or the prediction belongs to another account.'],
    action: 'Use the id that `createPrediction` returned, with a key of the same account.',
  },
  prediction_token_not_enabled: {
    status: 409,
    readStatus: 404,
    title: 'Predictions not enabled',
    detail: 'The token has no prediction allocation.',
    meaning: 'The token was launched without a prediction allocation, which is fixed at launch.',
    when: [
      'A prediction is submitted (409), or rounds are read (404), for a token that cannot have any.',
      'Rounds are listed for a mint without a visible token (404).',
    ],
    action: 'Choose another token: this never changes. While reading, the status is 404 with this same code.',
  },
  prediction_round_not_open: {
    status: 409,
    title: 'Round not open',
    detail: 'The round does not accept predictions now.',
    when: ['The round is scheduled, locked, settling, settled or voided.', '`locksAt` has passed.'],
    action:
      'Read the round: before `opensAt` wait for `prediction_round.opened`; after `locksAt` choose another round.',
    context: {
      roundStatus: { meaning: 'status of the round', example: 'locked' },
      locksAt: { meaning: 'when it stops accepting predictions', example: '2026-11-21T10:00:00.000Z' },
    },
  },
  prediction_wallet_not_verified: {
    status: 409,
    title: 'Wallet not verified',
    detail: 'The wallet is not verified.',
    meaning: 'The platform has not verified the holder of this wallet.',
    when: ['The wallet has never been verified on the platform.'],
    action: 'Have the wallet verified on the platform, check `getPredictionEligibility`, then submit again.',
  },
  prediction_username_required: {
    status: 409,
    title: 'Username required',
    detail: 'The wallet has no username.',
    meaning: 'The wallet has no username, which standings show.',
    when: ['The holder has chosen no username on the platform.'],
    action: 'Choose one on the platform, then submit again.',
  },
  prediction_insufficient_balance: {
    status: 409,
    title: 'Insufficient balance',
    detail: 'The finalized balance is below the minimum of the round.',
    when: [
      'The balance is below `minimumBalanceRaw` of the round.',
      'Tokens were bought moments ago: only finalized balances count, and those lag some seconds behind.',
    ],
    action:
      'Compare `balanceRaw` with `minimumBalanceRaw` in `getPredictionEligibility`. After a purchase, wait until it is finalized.',
    context: {
      balanceRaw: { meaning: 'finalized balance in base units', example: '250000' },
      minimumBalanceRaw: { meaning: 'minimum balance of the round', example: '1000000' },
      evaluationSlot: { meaning: 'finalized slot that was evaluated', example: '312456789' },
    },
  },
  prediction_already_submitted: {
    status: 409,
    title: 'Already submitted',
    detail: 'The wallet has a prediction in this round.',
    meaning: 'The wallet has a prediction in this round. Predictions never change.',
    when: ['A second prediction is sent, even with the same price.', 'A retry used a new `Idempotency-Key`.'],
    action:
      'Keep the first prediction. Retries must carry the first `Idempotency-Key`: they then return the stored prediction.',
  },
  prediction_intent_expired: {
    status: 409,
    title: 'Prediction intent expired',
    detail: 'The delegated intent has expired.',
    when: ['The intent passed its expiry before the prediction was submitted.'],
    action: 'Have the wallet sign a fresh intent.',
    context: { expiresAt: { meaning: 'when the intent expired', example: '2026-11-20T10:00:00.000Z' } },
  },
  prediction_intent_consumed: {
    status: 409,
    title: 'Prediction intent consumed',
    detail: 'The delegated intent was used before.',
    meaning: 'The delegated intent has been used for a prediction; it allows one.',
    when: ['Two submissions rely on the same intent.'],
    action: 'Have the wallet sign a fresh intent for another round.',
  },
  prediction_exact_values_locked: {
    status: 409,
    title: 'Exact values locked',
    detail: 'Standings exist only after the round has locked.',
    meaning: 'Standings do not exist yet: exact predictions stay hidden until the round has locked.',
    when: ['Standings are requested before the lock of the round is durable.'],
    action:
      'Wait for `prediction_round.locked`, or poll the round until `lockedAt` is set; ranks follow with `prediction_round.settled`.',
  },
  prediction_price_out_of_range: {
    status: 422,
    title: 'Price out of range',
    detail: 'The price must be positive, with at most 12 integer and 18 fractional digits.',
    when: ['The price is `0`, has more than 12 integer digits, or more than 18 fractional digits.'],
    action:
      'Round to 18 fractional digits. A text that is not a decimal at all gets `validation_failed` instead.',
  },
  prediction_balance_unavailable: {
    status: 503,
    title: 'Balance unavailable',
    detail: 'The finalized balance cannot be read.',
    meaning: 'The finalized balance of the wallet could not be read, so nothing was decided.',
    when: ['No RPC node of the chain responded in time, or none is up to date.'],
    action: 'Retry with growing, jittered pauses and the same `Idempotency-Key`; mind `locksAt`.',
  },
});
