import type { EventName } from '../../shared/events/catalogue.ts';

export interface EventExplanation {
  /** The fact that the event reports. Text may hold `code` in backticks. */
  meaning: string;
  /** Describes `data` in words. */
  data: string;
  /** The usual reaction of a receiver. */
  reaction: string;
}

const token = 'The token as `getToken` returns it, at the moment of the event.';
const presale = 'The presale as `getPresale` returns it.';
const round = 'The round as `getPredictionRound` returns it.';
const operation = 'The operation as `getOperation` returns it.';
const intent = 'The intent as `getTransactionIntent` returns it, without `serializedTransaction`.';
const order = 'The order as `getOrder` returns it, without the bytes of its transactions.';

/** The explanation of each event (contract/events#catalogue). */
export const eventExplanations: Readonly<Record<EventName, EventExplanation>> = {
  'launch.created': {
    meaning: 'A token has become visible: it can be read through the API, quoted and bought.',
    data: `${token} \`pool\` is its bonding curve in the slot that it names: address, reserves in raw units, and the price of a whole token; null while no node shows the curve.`,
    reaction:
      'Quote and swap it, or start following it: market snapshot, trades and candles exist from now on.',
  },
  'launch.graduated': {
    meaning: 'A token has left its bonding curve: its liquidity now sits in a regular pool.',
    data: token,
    reaction: 'Trade against the new pool; the curve is closed.',
  },
  'launch.failed': {
    meaning: 'A launch has ended without a tradable token.',
    data: `${token} Its \`status\` names its end.`,
    reaction: 'Stop following it. Depositors of a pre-raise get their deposits back.',
  },
  'token.curve_completed': {
    meaning: 'The bonding curve of a token is sold out: its liquidity is about to move to a regular pool.',
    data: token,
    reaction: 'Stop trading against the curve, and wait for `launch.graduated`.',
  },
  'token.creator_changed': {
    meaning:
      'The pool of a token names another wallet as its creator, which gets the fees of the creator from now on.',
    data: 'The mint, its pool, the creator now and the one before, and the slot at which the pool was read.',
    reaction:
      'Show the new creator. It proves who is paid, and no consent: anybody can give a token to any wallet.',
  },
  'wallet.traded': {
    meaning: 'A wallet that the endpoint follows has traded a token.',
    data: 'The trade as `listTokenTrades` lists it. It was stored at commitment `confirmed`.',
    reaction:
      'Act on `traderWallet`, `type` and `solAmount`, and keep each trade once by its `id` and `slot`. Nothing is sent when its slot is rolled back: before you rely on it, see that `listTokenTrades` still lists it.',
  },
  'token.traded': {
    meaning: 'A token that the endpoint follows was traded.',
    data: 'The trade as `listTokenTrades` lists it. It was stored at commitment `confirmed`.',
    reaction:
      'As for `wallet.traded`. An endpoint that names both the wallet and the token, and both types, gets one event of each.',
  },
  'presale.opened': {
    meaning: 'A presale accepts deposits now.',
    data: presale,
    reaction: 'Deposit before `deadline`, within `perWalletCapLamports`.',
  },
  'presale.settled': {
    meaning: 'A presale has reached its minimum and was settled; allocations can be claimed.',
    data: presale,
    reaction: 'Read the allocation of your wallet with `getPresaleParticipation`.',
  },
  'presale.failed': {
    meaning: 'A presale has missed its minimum, and deposits were refunded.',
    data: presale,
    reaction: 'Check that `refundedLamports` of your participation equals your deposit.',
  },
  'prediction_round.opened': {
    meaning: 'A round accepts predictions until `locksAt`.',
    data: round,
    reaction: 'Check `getPredictionEligibility`, then submit with `createPrediction`.',
  },
  'prediction_round.locked': {
    meaning:
      'The round has locked for good: no prediction is accepted any more, and exact entries can be read.',
    data: round,
    reaction: 'Read the entries with `listRoundPredictions`.',
  },
  'prediction_round.settled': {
    meaning: 'The settlement price is known, standings and payouts are final.',
    data: round,
    reaction: 'Read `listPredictionStandings`, or your own prediction for its rank and payout.',
  },
  'prediction_round.voided': {
    meaning: 'The round was called off; `voidReason` is the reason. Nobody wins and nothing is paid out.',
    data: round,
    reaction: 'Drop your plans for it; your prediction is `voided` too.',
  },
  'prediction.submitted': {
    meaning: 'A prediction of your account was accepted.',
    data: 'The prediction as `getOwnedPrediction` returns it.',
    reaction: 'Nothing needs to be done; it informs your other systems.',
  },
  'fee_distribution.completed': {
    meaning: 'Fees of a token were paid out to one recipient, on chain.',
    data: 'One distribution as `listTokenFeeDistributions` lists it.',
    reaction: 'Book `amountLamports`; `transactionSignature` proves the payment.',
  },
  'fees.claimed': {
    meaning:
      'A transaction that `createFeeClaims` prepared for your account has landed, and its claims were paid.',
    data: 'The intent, the transaction and its claims, each with what the chain paid for it.',
    reaction:
      'Book `claimedLamports`; the payments are in `listTokenFeeDistributions` with the same `intentId`. It is sent once, about when `transaction_intent.confirmed` is; a fork that drops the block is reported by `transaction_intent.reverted`.',
  },
  'operation.succeeded': {
    meaning: 'Long-running work of your account has finished.',
    data: operation,
    reaction: 'Fetch `resultUrl` when it is not null.',
  },
  'operation.failed': {
    meaning: 'Long-running work of your account has failed.',
    data: `${operation} \`error\` is the problem that ended the operation.`,
    reaction: 'Branch on `error.code`, exactly as for an error response.',
  },
  'operation.cancelled': {
    meaning: 'Long-running work of your account was cancelled before it began.',
    data: operation,
    reaction: 'Start it again if you still need it.',
  },
  'transaction_intent.prepared': {
    meaning: 'A transaction waits for the signature of your wallet.',
    data: intent,
    reaction: 'Read the intent, sign its `serializedTransaction` and submit it before `expiresAt`.',
  },
  'transaction_intent.submitted': {
    meaning: 'A signed transaction of your account was accepted and is queued for broadcast.',
    data: intent,
    reaction: 'Wait for `confirmed` or `failed`: nothing has landed yet.',
  },
  'transaction_intent.confirmed': {
    meaning: 'The transaction has landed and is confirmed.',
    data: intent,
    reaction: 'Act on it; explorers find it by `transactionSignature`.',
  },
  'transaction_intent.failed': {
    meaning: 'A submitted transaction has failed, or did not land in time.',
    data: `${intent} \`error.code\` says why.`,
    reaction: 'Look the code up in the intent results, then have a fresh intent prepared.',
  },
  'transaction_intent.expired': {
    meaning: 'An intent was not signed and submitted in time.',
    data: intent,
    reaction: 'Have a fresh intent prepared if the transaction is still wanted.',
  },
  'transaction_intent.finalized': {
    meaning: 'The block of a transaction that landed is final: no fork can drop it any more.',
    data: `${intent} \`status\` says whether the transaction succeeded, \`landed\` what it did.`,
    reaction:
      'Book what `landed` shows. It comes when the cluster has finalised the block, seconds after `confirmed` or `failed`.',
  },
  'transaction_intent.reverted': {
    meaning: 'A fork dropped the block of a transaction that had landed: the chain does not have it now.',
    data: `${intent} \`status\` stays, \`finality\` is \`reverted\` and \`landed\` is null.`,
    reaction:
      'Take back what you booked. Do not send another one yet: the transaction may land again until the chain is above `lastValidBlockHeight`, and `finalized` follows if it does.',
  },
  'order.opened': {
    meaning: 'An order of your account waits for its price.',
    data: order,
    reaction:
      'Nothing needs to be done. It comes when the order was signed, and again when a trigger was taken back before anything was sent.',
  },
  'order.triggered': {
    meaning: 'A trade has crossed the price of an order of your account.',
    data: `${order} \`triggeredBy\` is the trade.`,
    reaction: 'Wait for `order.landed` or `order.failed`: nothing has landed yet.',
  },
  'order.landed': {
    meaning: 'The transaction of an order of your account has landed.',
    data: `${order} \`intentId\` names the intent that sent it.`,
    reaction: 'Book the swap; a fork that drops its block is reported by `transaction_intent.reverted`.',
  },
  'order.failed': {
    meaning: 'An order of your account was triggered, and did not land.',
    data: `${order} \`reason\` and \`refusal\` say why.`,
    reaction: 'Place another order when you still want the swap.',
  },
  'order.cancelled': {
    meaning: 'An order of your account was cancelled, or another one of its slot has landed.',
    data: order,
    reaction: 'Advance the nonce when nobody but you should be able to send what was signed.',
  },
  'order.expired': {
    meaning: 'The time of an order of your account has ended.',
    data: order,
    reaction: 'Place another order when you still want the swap.',
  },
  'order.voided': {
    meaning: 'The transaction of an order of your account can never land any more.',
    data: `${order} \`reason\` says why.`,
    reaction: 'Place another order when you still want the swap.',
  },
  'webhook_endpoint.failing': {
    meaning: 'Every attempt to one of your endpoints has failed for 20 minutes.',
    data: 'The endpoint as `getWebhookEndpoint` returns it, without `signingKeyIds` and `warnings`, and `failingSince`.',
    reaction:
      'Look at its latest deliveries with `listWebhookAttempts` and repair the receiver. Deliveries are retried meanwhile; after five days without a success the endpoint is disabled. The event comes once, until an attempt succeeds.',
  },
  'webhook_endpoint.disabled': {
    meaning: 'One of your endpoints was disabled and receives nothing until you enable it.',
    data: 'The endpoint as `getWebhookEndpoint` returns it, without `signingKeyIds` and `warnings`; `disabledReason` is the reason.',
    reaction:
      'Repair the receiver, enable the endpoint, and replay deliveries that ended as `endpoint_disabled`. This event reaches your other endpoints: have one at another address that selects `webhook_endpoint.*`.',
  },
  'webhook_endpoint.created': {
    meaning:
      'Your account has a new webhook endpoint. The other endpoints get it; the new one gets `webhook.ping`.',
    data: 'The endpoint as `getWebhookEndpoint` returns it, without `signingKeyIds` and `warnings`, and `byKeyId`, the key that created it.',
    reaction:
      'Compare it with what you have set up. An endpoint that nobody of yours created means that the key in `byKeyId` has leaked: revoke it with `revokeApiKey`, and delete the endpoint.',
  },
  'webhook_endpoint.changed': {
    meaning: 'An endpoint of your account was changed: its URL, description or filters, or it was enabled.',
    data: 'The endpoint as `getWebhookEndpoint` returns it, without `signingKeyIds` and `warnings`, `byKeyId`, the key that changed it, and `changes`, the names of the changed fields.',
    reaction: 'Check that the change is yours, `url` first of all: events go there from now on.',
  },
  'webhook_endpoint.secret_rotated': {
    meaning: 'The signing secret of an endpoint was replaced. The event contains no secret.',
    data: 'The endpoint as `getWebhookEndpoint` returns it, without `signingKeyIds` and `warnings`; `byKeyId` is the key that rotated it, and `previousSecretExpiresAt` says how long the old secret signs as well.',
    reaction:
      'If the rotation is not yours, revoke the key in `byKeyId` and rotate again. The old secret verifies the event until `previousSecretExpiresAt`, and the public key of the endpoint always does.',
  },
  'api_key.revoked': {
    meaning: 'An API key of your account was revoked, by a key of the account or by an operator.',
    data: 'Id and name of the key, when it was revoked, and the key that did it.',
    reaction: 'Check that the revocation is yours, and replace the key where it is still used.',
  },
  'webhook.ping': {
    meaning: 'An endpoint was created or enabled again. Only that endpoint gets it.',
    data: 'The id of the endpoint.',
    reaction: 'Verify the signature and respond with 204: this proves that your receiver has the secret.',
  },
};
