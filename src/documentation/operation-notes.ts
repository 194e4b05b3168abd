import type { ResponseHeader } from './openapi/headers.ts';

export interface OperationNote {
  /** Markdown; what a caller should know beyond the summary. */
  text: string;
  /** Response headers beyond those of every operation. */
  headers?: readonly ResponseHeader[];
  /** A request body as a caller may send it. */
  body?: Readonly<Record<string, unknown>>;
}

/** What to know about each operation (contract/endpoints#operations), by operation id. */
export const operationNotes: Readonly<Record<string, OperationNote>> = {
  getSolanaManifest: {
    text: 'Check `cluster` and `genesisHash` before you sign anything: a transaction for another chain never lands. `limits` are the numbers of this contract.',
  },
  getApiIdentity: {
    text: 'The cheapest way to test a key: it tells the account, the pinned wallet and the scopes.',
  },
  listTokens: {
    text: 'Tokens launched while you page appear on a fresh first page, so pages never repeat or skip a token.',
  },
  getToken: { text: '`marketCapInSol` is the exact product of `currentPriceInSol` and `totalSupply`.' },
  listWalletHoldings: {
    text: 'Balances come from the chain, under both token programs, and are at most 2 seconds old. Only tokens of this service, most valuable first, at most 500.',
  },
  getTokenMarketSnapshot: {
    text: 'An unknown price is null, never `0`. `liquidityInSol` is the quote side of the pool without unclaimed fees.',
  },
  listTokenCandles: {
    text: 'Oldest first, without holes: a bucket without trades repeats the previous close. A window holds the buckets that open in it, `from` included and `to` not; at most 1,000. The last candle may still be open (`closed: false`), and late trades may revise closed ones: fold `listTokenTrades` and you get exactly these bars.',
  },
  listTokenTrades: {
    text: 'Newest first. `solAmount` is what the trader paid or received, fees counted; `pricePerTokenInSol` is that divided by `tokenAmount`.',
  },
  getTokenHolderStats: { text: '`slot` and `asOf` say when holders were counted, `provenance` says how.' },
  getTokenSupplyComposition: {
    text: 'One slot of the chain. Buckets add up to `totalSupply`; percentages are cut after six digits. `available: false` says why in `unavailableReason` (`not_launched`, `chain_unavailable`). When something could not be read, `reads` is `partial`, `unreadBuckets` names what is missing, and `free_float` is left out.',
  },
  getStakingPool: {
    text: 'The pool as last observed on chain, at `slot`. Amounts are in base units of the token; rewards are spread evenly over each second.',
  },
  listStakingLeaderboard: {
    text: 'The 100 largest stakers, each with all positions added up. Equal stakes share a rank and the next rank counts them (1, 2, 2, 4); among them the older stake comes first. `shareBps` is the part of all staked tokens, cut to whole basis points, so shares add up to at most 10,000.',
  },
  listOwnedStakingPositions: {
    text: "Positions of the key's pinned wallet in this token's pool that hold a stake or unclaimed rewards, oldest first.",
  },
  getTokenFeeState: {
    text: "`claimableLamports` is what the key's pinned wallet can claim, as last observed. A token whose fees were never observed answers zeros with `slot` `0` and the time of its creation.",
  },
  listTokenFeeDistributions: { text: 'Newest first; every distribution names the transaction that paid it.' },
  listPresales: {
    text: 'In the order of creation, newest first. Drafts and presales of hidden tokens are not listed.',
  },
  getPresale: {
    text: 'A draft is not public: its id answers 404. `active` accepts deposits until `deadline` or until `totalDepositedLamports` reaches `maxCapLamports`; in `settling`, deposits made in time and seen late still count, for a few seconds. `creatorCommitmentLamports` is not part of the total.',
  },
  getPresaleParticipation: {
    text: "What the key's pinned wallet deposited, got back and was allotted. `allocationRaw` (base units of the token, in proportion to the deposit, rounded down) is null until the presale is settled.",
  },
  listPredictionRounds: {
    text: 'Rounds of one token, newest first. A token without a prediction allocation answers 404. `participantCount` is at most a second old.',
  },
  getPredictionRound: { text: 'Predictions are accepted while `status` is `open` and `locksAt` lies ahead.' },
  listRoundPredictions: {
    text: 'An aggregate (`visibility: "aggregate"`) until the lock of the round is stored, exact entries page by page after it. A round that was voided before its lock stays an aggregate. Cursors exist for exact entries only.',
  },
  listPredictionStandings: {
    text: 'At most 500, best first; equal `distancePpm` rank by earlier submission. Refused before the lock, empty until the round is settled. `payoutLamports` is absent where nothing was won.',
  },
  getPredictionEligibility: {
    text: 'Judges every requirement for the pinned wallet, also while the round is closed, so all reasons come at once. The balance is the finalized one, read from the chain for this answer: `evaluationSlot` is its slot.',
  },
  getOwnedPrediction: {
    text: '`rank`, `distancePpm` and `payoutLamports` are null until the round is settled; `payoutLamports` stays null when nothing was won.',
  },
  createPrediction: {
    text: 'One prediction a wallet a round, and it never changes. The finalized balance counts. All requirements are judged together: one failure is the `code`, what does not exist before states before content, and the rest are in `causes`; `prediction_balance_unavailable` is the code only when nothing else fails. A round with `requiresDelegatedIntent` also needs an intent that the wallet has signed for this very price; the newest one counts, once.',
    body: {
      roundId: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
      walletAddress: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
      predictedPriceInSol: '0.000000031',
    },
    headers: ['Location'],
  },
  getOperation: {
    text: 'Poll until `succeeded`, `failed` or `cancelled`, waiting `Retry-After` seconds between requests, or subscribe to `operation.*` events. `progress.total` may change while it is still being found out. A `resultUrl` of this service needs no key and works for an hour: whoever has it can fetch the file, so keep it to yourself, and ask again for a fresh one. Files are kept for 7 days; then `resultUrl` is null. An `audience_export` is CSV (`wallet_address,balance_raw,slot`), all holders as of one slot, largest balance first; a `delivery_replay` reports its counts as JSON.',
    headers: ['Retry-After'],
  },
  getTransactionIntent: {
    text: 'Sign exactly the bytes of `serializedTransaction` with `expectedSigner`, and send `version` back in `If-Match`. While `submitted`, wait `Retry-After` seconds between requests.',
    headers: ['ETag', 'Retry-After'],
  },
  submitTransactionIntent: {
    text: 'A 202 means that the signed transaction is stored and will be broadcast until it lands or its blockhash expires; it does not mean that it landed. If the connection breaks, send the same request with the same `Idempotency-Key`, then poll the intent until `confirmed`, `failed` or `expired`. An expired intent needs a fresh one: a signature cannot be reused.',
    body: { signedTransaction: 'AQAB…', version: 1 },
    headers: ['Location', 'ETag', 'Retry-After'],
  },
  createWebhookEndpoint: {
    text: 'The answer is the only place that shows `secret`; store it before anything else. The new endpoint gets one `webhook.ping`. Without `eventTypes` it gets every event.',
    body: {
      url: 'https://bot.example/launchwire',
      description: 'trading bot',
      eventTypes: ['build.service.launch.*', 'build.service.transaction_intent.confirmed.v1'],
    },
    headers: ['Location', 'ETag'],
  },
  listWebhookEndpoints: { text: 'All endpoints of the account, at most 20. Secrets are never shown here.' },
  getWebhookEndpoint: { text: 'Its `ETag` is what changes to it need in `If-Match`.', headers: ['ETag'] },
  updateWebhookEndpoint: {
    text: 'Send only what changes. Setting `status` to `enabled` brings a disabled endpoint back and sends it a `webhook.ping`.',
    body: { status: 'enabled' },
    headers: ['ETag'],
  },
  deleteWebhookEndpoint: { text: 'Open deliveries end as `dead_letter` with `endpoint_deleted`.' },
  rotateWebhookSecret: {
    text: 'Shows the new `secret` once. Until `previousSecretExpiresAt` deliveries carry a signature of each secret, so both verify while you deploy.',
    body: { previousSecretTtlSeconds: 86_400 },
    headers: ['ETag'],
  },
  listWebhookDeliveries: {
    text: 'What was sent, how often, and why it failed. `status=dead_letter` lists what needs your attention.',
  },
  replayWebhookDelivery: {
    text: 'Sends the same bytes with the same `webhook-id` again, with the whole retry schedule. At most 10 times a delivery.',
    headers: ['Location'],
  },
};
