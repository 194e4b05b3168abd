import { beforeAll, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import { EventLeases } from '../../relay/deliver/event-leases.ts';
import { markFannedOut } from '../../relay/deliver/mark-events.ts';
import { readDue } from '../../relay/endpoints/endpoint-backlogs.ts';
import { fanOutEvents } from '../../relay/fan-out/fan-out-events.ts';
import { repairMissingDeliveries } from '../../relay/maintenance/reconcile-deliveries.ts';
import { dropWithoutEvent, expireDeliveryLeases } from '../../relay/maintenance/sweep.ts';
import { recordResults } from '../../relay/results/record-attempts.ts';
import { claimDue } from '../../relay/retry/claim-deliveries.ts';
import { EventBodies } from '../../relay/retry/event-bodies.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { makePartitions } from '../../src/db/partitions.ts';
import {
  findPositionsOfNfts,
  findPositionsOfTokens,
  findTokensOfPools,
} from '../../src/features/fees/claimable/find-position-tokens.ts';
import { listClaimTokens, listNamedTokens } from '../../src/features/fees/claimable/list-claim-tokens.ts';
import { isClaimDue, settleClaims } from '../../src/features/fees/claims/settle-claims.ts';
import { findFeeState } from '../../src/features/fees/find-fee-state.ts';
import { listFeeDistributions } from '../../src/features/fees/list-fee-distributions.ts';
import { toDistribution } from '../../src/features/fees/record.ts';
import { createKeyLookup } from '../../src/features/identity/find-key.ts';
import { listOwnKeys } from '../../src/features/identity/list-own-keys.ts';
import { findNamedHashes, findSomeHashes, isImageKnown } from '../../src/features/images/find-image.ts';
import { recordImage } from '../../src/features/images/record-image.ts';
import { findTokenPool } from '../../src/features/launches/creator-transfer/find-token-pool.ts';
import { listLaunches } from '../../src/features/launches/list-launches.ts';
import { judgeWindow } from '../../src/features/market/candle-window.ts';
import { findHolderStats } from '../../src/features/market/find-holder-stats.ts';
import { findMarketSnapshot } from '../../src/features/market/find-market-snapshot.ts';
import { listCandles } from '../../src/features/market/list-candles.ts';
import { listFilteredTrades } from '../../src/features/market/list-filtered-trades.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { findOverview } from '../../src/features/market/overview/find-overview.ts';
import { storeOverview } from '../../src/features/market/overview/store-overview.ts';
import { findStatsOfTokens, findTokenStats } from '../../src/features/market/stats/find-token-stats.ts';
import { listPositions } from '../../src/features/market/traders/list-positions.ts';
import { listTopHolders } from '../../src/features/market/traders/list-top-holders.ts';
import { listTopTraders } from '../../src/features/market/traders/list-top-traders.ts';
import { listWalletTrades } from '../../src/features/market/traders/list-wallet-trades.ts';
import { findEqualExport } from '../../src/features/operations/audience/find-equal-export.ts';
import { findOperation } from '../../src/features/operations/find-operation.ts';
import { listOperations } from '../../src/features/operations/list-operations.ts';
import { findKeptFiles } from '../../src/features/operations/results/find-kept-files.ts';
import { deleteExpiredResults, findChunk } from '../../src/features/operations/results/rows.ts';
import { claimOperation } from '../../src/features/operations/runner/lease-rows.ts';
import { changeOrders } from '../../src/features/orders/change-orders.ts';
import { createOrderMoves } from '../../src/features/orders/move-orders.ts';
import {
  countLiveOrders,
  findOrder,
  findOtherInSlot,
  listOrders,
  listOrderTransactions,
  lockOrder,
  lockOrders,
  updateAdvanceIntent,
  updateSignatures,
} from '../../src/features/orders/order-rows.ts';
import { claimOrders } from '../../src/features/orders/sending/claim-orders.ts';
import { endSentOrders, expireOrders, isOrderEndDue } from '../../src/features/orders/sending/end-orders.ts';
import { readUnsentAge } from '../../src/features/orders/sending/read-unsent-age.ts';
import { voidMigratedOrders, voidSpentOrders } from '../../src/features/orders/sending/void-orders.ts';
import { claimDueSlots } from '../../src/features/orders/slots/due-slot-rows.ts';
import { createSlotDependents } from '../../src/features/orders/slots/settle-slot-intents.ts';
import {
  countOpenSlots,
  findOrderSlot,
  listOrderSlots,
  updateClosingIntent,
} from '../../src/features/orders/slots/slot-rows.ts';
import { findDueRounds } from '../../src/features/predictions/rounds/advance-round.ts';
import { findRound, findRoundMint } from '../../src/features/predictions/rounds/find-round.ts';
import { findSettlementPrice } from '../../src/features/predictions/rounds/find-settlement-price.ts';
import {
  findOpenRounds,
  findStreamedRounds,
} from '../../src/features/predictions/rounds/find-streamed-rounds.ts';
import { holdOpenRound } from '../../src/features/predictions/rounds/hold-open-round.ts';
import { listEntries } from '../../src/features/predictions/rounds/list-entries.ts';
import { listRounds } from '../../src/features/predictions/rounds/list-rounds.ts';
import { listStandings } from '../../src/features/predictions/rounds/list-standings.ts';
import { moveRound } from '../../src/features/predictions/rounds/move-round.ts';
import { findSettlingRounds } from '../../src/features/predictions/rounds/settle-round.ts';
import { findPrediction } from '../../src/features/predictions/submissions/find-prediction.ts';
import { insertPrediction } from '../../src/features/predictions/submissions/insert-prediction.ts';
import { listPredictions } from '../../src/features/predictions/submissions/list-predictions.ts';
import { readSubmissionFacts } from '../../src/features/predictions/submissions/read-submission-facts.ts';
import { advancePresales, findDuePresales } from '../../src/features/presales/advance-presales.ts';
import { requireParticipation } from '../../src/features/presales/find-participation.ts';
import { findPresale, findStreamedPresales } from '../../src/features/presales/find-presale.ts';
import { listPresales } from '../../src/features/presales/list-presales.ts';
import { recordMovements } from '../../src/features/presales/record-movements.ts';
import { findStakingPool } from '../../src/features/staking/find-staking-pool.ts';
import { listLeaderboard } from '../../src/features/staking/list-leaderboard.ts';
import { listOwnedPositions } from '../../src/features/staking/list-owned-positions.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { findTokens } from '../../src/features/tokens/find-tokens.ts';
import { isRankingDue } from '../../src/features/tokens/follow-rankings.ts';
import { listRankedTokens } from '../../src/features/tokens/list-ranked-tokens.ts';
import { listTokens } from '../../src/features/tokens/list-tokens.ts';
import { findDecayed, rankTokens } from '../../src/features/tokens/ranking-rows.ts';
import { searchTokens } from '../../src/features/tokens/search-tokens.ts';
import { type RankedSort, tokenSorts } from '../../src/features/tokens/token-filter.ts';
import { findFeeAccount } from '../../src/features/trading/fee-account-rows.ts';
import { findListedTokens } from '../../src/features/trading/find-listed-token.ts';
import { listSends } from '../../src/features/transaction-intents/landing-report/list-sends.ts';
import {
  readReport,
  readReportOfAll,
} from '../../src/features/transaction-intents/landing-report/read-report.ts';
import { listIntents } from '../../src/features/transaction-intents/list-intents.ts';
import { findDelivery } from '../../src/features/webhooks/deliveries/find-delivery.ts';
import { listAttempts } from '../../src/features/webhooks/deliveries/list-attempts.ts';
import { listDeliveries } from '../../src/features/webhooks/deliveries/list-deliveries.ts';
import {
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
} from '../../src/features/webhooks/deliveries/recover-deliveries.ts';
import { createDeliverySweep } from '../../src/features/webhooks/deliveries/sweep-deliveries.ts';
import { type EventPosition, listEvents } from '../../src/features/webhooks/events/list-events.ts';
import { MintRefresh } from '../../src/indexer/mint-refresh.ts';
import { storeFeeClaimables } from '../../src/indexer/store/fee-claimables.ts';
import { storeFeeDistributions } from '../../src/indexer/store/fee-distributions.ts';
import { storeMintFacts } from '../../src/indexer/store/mint-facts.ts';
import { storeStakingPositions } from '../../src/indexer/store/staking-positions.ts';
import { storeTokenCreators } from '../../src/indexer/store/token-creators.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { findIntent } from '../../src/intents/find-intent.ts';
import { claimLandings } from '../../src/intents/land/claim-landings.ts';
import { claimBroadcasts } from '../../src/intents/send/claim-broadcasts.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { publishBatch } from '../../src/outbox/publish.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { followedTypes } from '../../src/shared/events/catalogue.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { createTestDatabase } from '../support/database/database.ts';
import {
  ACCOUNT,
  ENDPOINT,
  fillTables,
  mintOf,
  presaleOf,
  SENT_INTENTS_MS,
  someMint,
} from '../support/database/filled-tables.ts';
import {
  bigTables,
  effortOf,
  genericEffortOf,
  pagesOf,
  recordingDatabase,
  type SentStatement,
  undone,
} from '../support/database/query-plans.ts';
import { claimableMessage, distributionMessage } from '../support/market/fees.ts';
import { numberedTrade } from '../support/market/market-arbitraries.ts';
import { movementOf, presaleContext } from '../support/market/presales.ts';
import { positionMessage } from '../support/market/staking.ts';
import { roundContext } from '../support/predictions/prediction-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { sharedNatsUrl } from '../support/servers/services.ts';
import { attemptResult } from '../support/webhooks/attempt-result.ts';

/** A page of 101, a window of 1,000 and a batch of endpoints are fine; a table is not. */
const ROWS_MAX = 1_500;

const manyMints = Array.from({ length: 100 }, (_, at) => mintOf(at));
const ORDER = '00000000-0000-0000-0000-000000000042';
let db: Database;
let sent: SentStatement[];
/** A broker without streams: it refuses every message. */
let connection: NatsConnection;
let big: ReadonlySet<string>;
/** Events of the last hours. Each has a delivery under the same id. */
let recentEvents: string[];
let laterEvents: EventPosition;
/** Three hours of a week's intents: 90 of 5,000. */
const reportRange = {
  from: new Date(SENT_INTENTS_MS + 3 * 86_400_000),
  to: new Date(SENT_INTENTS_MS + 3 * 86_400_000 + 3 * 3_600_000),
};
/** One of them. */
let sentIntent: string;

beforeAll(async () => {
  ({ db, sent } = recordingDatabase((await createTestDatabase()).url));
  connection = await connectBus(await sharedNatsUrl(), 'test');
  atEnd(() => connection.close());
  await fillTables(db);
  // What was filled in has no partitions yet. A vacuum of Postgres's own may hold a table meanwhile.
  await eventually('the partitions', async () => !(await makePartitions(db, null)).isBusy);
  await db`analyze`;
  big = await bigTables(db, 1_000);
  const newest = await db<{ id: string }[]>`select id from events order by id desc limit 50`;
  const [intent] = await db<{ id: string }[]>`
    select id from transaction_intents where kind = 'launch' order by id limit 1`;
  sentIntent = intent?.id ?? '';
  recentEvents = newest.map(({ id }) => id);
  laterEvents = (await listEvents(db, { accountId: ACCOUNT, types: eventTypes, limit: 100 })).last;
});

const orderMoves = createOrderMoves({
  outbox: createOutbox({ source: 'https://api.test', docsUrl: 'https://api.test/docs' }, systemClock),
  clock: systemClock,
});

const window = judgeWindow('1m', '2026-01-02T00:00:00Z', '2026-01-02T16:40:00Z');
const position = ['36000000', '0', '0', '0', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

/** Knows no account. */
const silentNode: ChainRpc = {
  ...createChainRpc('http://127.0.0.1:1'),
  name: 'silent',
  call: async () => ({ ok: true, value: { slot: 0n, accounts: new Map() } as never }),
};

const recovery = {
  endpointId: ENDPOINT,
  since: new Date(0),
  until: new Date(Date.now() + 86_400_000),
  afterId: null,
};
const leases = () => new EventLeases(db, crypto.randomUUID(), 1_000);
const eventTypes = { ofEveryone: ['t'], ofAccount: ['t'] };

const failedAttempt = (deliveryId: string) =>
  attemptResult({ deliveryId, endpointId: ENDPOINT, attemptNumber: 2 }, 500);

const rankedSorts = tokenSorts.filter((sort): sort is RankedSort => sort !== 'launchedAt');
const laterOf = (sort: RankedSort) =>
  [sort === 'lastTradeAt' ? new Date().toISOString() : '20', '9000'] as const;

/** Every hot read and claim, as the product runs it. */
const orderEnding = () => ({
  ...presaleContext(db, systemClock).context,
  db,
  metrics: { onOrdersEnded() {} },
});

const hot: Record<string, () => Promise<unknown>> = {
  getToken: () => findToken(db, someMint),
  'listTokens without filter': () => listTokens(db, { limit: 100 }),
  'listTokens, a later page': () => listTokens(db, { limit: 100, after: ['1000'] }),
  'listTokens by status': () => listTokens(db, { limit: 100, status: 'graduated' }),
  'listTokens by an empty status': () => listTokens(db, { limit: 100, status: 'failed' }),
  'listTokens by launch type': () => listTokens(db, { limit: 100, launchType: 'pre_raise' }),
  'listTokens by both': () => listTokens(db, { limit: 100, status: 'bonding', launchType: 'pre_raise' }),
  'listTokens of a creator': () => listTokens(db, { limit: 100, creatorWallet: 'w' }),
  'listTokens within bounds': () =>
    listTokens(db, { limit: 100, status: 'bonding', bounds: { marketCap: { min: '100000' } } }),
  'listTokens of mints': () =>
    findTokens(
      db,
      Array.from({ length: 100 }, (_, at) => mintOf(at)),
    ),
  ...Object.fromEntries(
    rankedSorts.flatMap((sort) => [
      [`listTokens by ${sort}`, () => listRankedTokens(db, { sort, limit: 100, bounds: {} })],
      [
        `listTokens by ${sort} and status, a later page`,
        () =>
          listRankedTokens(db, { sort, status: 'graduated', limit: 100, bounds: {}, after: laterOf(sort) }),
      ],
    ]),
  ),
  'listTokens by market cap, within bounds of it': () =>
    listRankedTokens(db, {
      sort: 'marketCap',
      limit: 100,
      bounds: { marketCap: { min: '5000', max: '9000' } },
    }),
  'listTokens by market cap, within other bounds': () =>
    listRankedTokens(db, { sort: 'marketCap', limit: 100, bounds: { trades1h: { min: '1000000' } } }),
  'listTokens by market cap of a launch type': () =>
    listRankedTokens(db, { sort: 'marketCap', launchType: 'pre_raise', limit: 100, bounds: {} }),
  'listTokens of a text': () => searchTokens(db, { text: 'c9f0f8', key: 'c9f0f8', limit: 100, bounds: {} }),
  'listTokens of a short text': () => searchTokens(db, { text: 'c9', key: 'c9', limit: 100, bounds: {} }),
  'rankings of tokens': () =>
    undone(db, (transaction) =>
      rankTokens(transaction, [someMint, mintOf(60)], new Date('2026-01-05T15:06:30Z')),
    ),
  'tokens whose windows moved': () =>
    undone(db, (transaction) => findDecayed(transaction, new Date(Date.now() + 60_000), 500)),
  'rankings that are due': () => db`select ${isRankingDue(db, new Date())}`,
  'trades, first page': () => listTrades(db, someMint, { limit: 100 }),
  'trades, a later page': () => listTrades(db, someMint, { limit: 100, after: position }),
  'trades of one transaction': () => listTrades(db, someMint, { limit: 50, signature: 'signature2' }),
  'trades of a wallet': () => listWalletTrades(db, someMint, { limit: 100, after: position }),
  'trades of a token by wallet and time': () =>
    listFilteredTrades(db, someMint, {
      limit: 100,
      filter: { traderWallet: someMint, from: window.from.toISOString(), to: window.to.toISOString() },
    }),
  'trades of a token by type': () =>
    listFilteredTrades(db, someMint, { limit: 100, after: position, filter: { type: 'sell' } }),
  'positions of a wallet': () => listPositions(db, someMint, { limit: 100 }),
  'top traders': () => listTopTraders(db, someMint),
  'top holders': () => listTopHolders(db, someMint).catch(() => null),
  'trades of a token with few': () => listTrades(db, mintOf(60), { limit: 100 }),
  'candles, the longest window': () => listCandles(db, someMint, window),
  'candles at the price of the pool': () => listCandles(db, someMint, window, 'spot'),
  'statistics of a token': () => findTokenStats(db, someMint),
  'statistics of many tokens': () =>
    findStatsOfTokens(
      db,
      Array.from({ length: 100 }, (_, at) => mintOf(at)),
    ),
  'overview of the platform': () => findOverview(db),
  'market snapshot': () => findMarketSnapshot(db, someMint),
  'holder statistics': () => findHolderStats(db, someMint),
  'deliveries, first page': () => listDeliveries(db, ENDPOINT, { limit: 100 }),
  'deliveries by status': () => listDeliveries(db, ENDPOINT, { limit: 100, status: 'pending' }),
  'deliveries of a type': () => listDeliveries(db, ENDPOINT, { limit: 100, eventType: 'rare' }),
  'deliveries of an event': () => listDeliveries(db, ENDPOINT, { limit: 100, eventId: recentEvents[0] }),
  'deliveries of a time': () =>
    listDeliveries(db, ENDPOINT, {
      limit: 100,
      createdAfter: new Date(Date.now() - 7_200_000),
      createdBefore: new Date(),
    }),
  'one delivery': () => findDelivery(db, recentEvents[0] ?? '', ACCOUNT),
  'own keys': () => listOwnKeys(db, ACCOUNT, { onlyKeyId: null, limit: 100 }),
  'API key': () => createKeyLookup(db, { nowMs: () => 0 }).find('0000000000000042'),
  'intent by id': () => findIntent(db, '00000000-0000-0000-0000-000000000042', ACCOUNT),
  'operation by id': () => findOperation(db, '00000000-0000-0000-0000-000000000042', ACCOUNT),
  'operations of an account': () => listOperations(db, ACCOUNT, { limit: 100 }),
  'operations by kind': () => listOperations(db, ACCOUNT, { limit: 100, kind: 'audience_export' }),
  'operations by status': () => listOperations(db, ACCOUNT, { limit: 100, status: 'queued' }),
  'an equal export': () => findEqualExport(db, ACCOUNT, { mintAddress: someMint, top: 5 }),
  'files of exports': () => findKeptFiles(db, ACCOUNT),
  'operations by an empty status': () => listOperations(db, ACCOUNT, { limit: 100, status: 'failed' }),
  'intents of an account': () => listIntents(db, ACCOUNT, { limit: 100 }),
  'intents, a later page': () =>
    listIntents(db, ACCOUNT, { limit: 100, after: ['00000000-0000-0000-0000-000000000800'] }),
  'intents by kind and status': () =>
    listIntents(db, ACCOUNT, { limit: 100, kind: 'swap', status: 'submitted' }),
  'intents by an empty status': () => listIntents(db, ACCOUNT, { limit: 100, status: 'failed' }),
  'fee account of a customer': () => findFeeAccount(db, ACCOUNT),
  'tradable tokens of a basket': () =>
    findListedTokens(
      db,
      Array.from({ length: 20 }, (_, at) => mintOf(at)),
    ),
  'sends of an intent': () => listSends(db, sentIntent, ACCOUNT),
  'landing report by route': () => readReport(db, ACCOUNT, reportRange, 'route'),
  'landing report by hour': () => readReport(db, ACCOUNT, reportRange, 'hour'),
  'landing report by address': () => readReport(db, ACCOUNT, reportRange, 'address'),
  'landing report of operators': () => readReportOfAll(db, reportRange, 'address'),
  'events, first page': () => listEvents(db, { accountId: ACCOUNT, types: eventTypes, limit: 100 }),
  'events, a later page': () =>
    listEvents(db, { accountId: ACCOUNT, types: eventTypes, limit: 100, after: laterEvents }),
  'events of a rare type': () =>
    listEvents(db, { accountId: ACCOUNT, types: { ofEveryone: ['rare'], ofAccount: [] }, limit: 100 }),
  'events of a subject': () =>
    listEvents(db, { accountId: ACCOUNT, types: eventTypes, subject: 'rare', limit: 100 }),
  'trades of a followed subject': () => {
    const types = { ofEveryone: [], ofAccount: [], ofFollowers: [...followedTypes] };
    return listEvents(db, { accountId: ACCOUNT, types, subject: 'rare', limit: 100 });
  },
  'events of a time': () =>
    listEvents(db, {
      accountId: ACCOUNT,
      types: eventTypes,
      from: new Date(Date.now() - 86_400_000),
      to: new Date(Date.now() - 80_000_000),
      limit: 100,
    }),
  attempts: () => listAttempts(db, recentEvents[0] ?? '', { accountId: ACCOUNT, scopes: [] }, { limit: 100 }),
  'operations due': () =>
    claimOperation(db, ['audience_export'], { leaseToken: ACCOUNT, leaseMs: 1_000, now: new Date() }),
  'operation result piece': () => findChunk(db, '00000000-0000-0000-0000-000000000042', 0),
  'operation results, expired': () => deleteExpiredResults(db, new Date(), 5),
  'deliveries to recover': () =>
    undone(db, (transaction) =>
      recoverFinished(transaction, { ...recovery, statuses: ['succeeded'], endedBefore: null }),
    ),
  'retrying deliveries to recover': () => undone(db, (transaction) => recoverRetrying(transaction, recovery)),
  'retrying deliveries that a recovery has made due': () =>
    undone(db, (transaction) =>
      isRetryBacklogged(transaction, { ...recovery, afterId: recentEvents[0] ?? null }),
    ),
  'events to recover': () => undone(db, (transaction) => recoverMissed(transaction, recovery)),
  'a backlog of an endpoint': () => undone(db, (transaction) => isBacklogged(transaction, ENDPOINT)),
  'outbox, unpublished': () => publishBatch(db, connection, 100),
  'event bodies': async () => new EventBodies(db).read(recentEvents),
  'events of an account to fan out': () =>
    leases().takeCommitted('account', { after: recentEvents[49] ?? '', limit: 100, except: [] }),
  'events that were announced': () => leases().takeAnnounced(recentEvents),
  'events that no relay took': () => leases().takeMissed(0, { limit: 100, except: recentEvents }),
  'events whose deliveries have rows': () => markFannedOut(db, recentEvents.slice(0, 10)),
  'marks without an event': () => dropWithoutEvent(db),
  'missing deliveries': () =>
    repairMissingDeliveries(db, null, { windowMs: 3_600_000, ageMs: 0, now: new Date() }),
  'fan-out': () => fanOutEvents(db, recentEvents.slice(0, 1), () => {}),
  'attempt results': () =>
    recordResults(db, presaleContext(db, systemClock).context.outbox, recentEvents.map(failedAttempt)),
  'leases that ended': () => expireDeliveryLeases(db),
  'deliveries to delete': () => createDeliverySweep()(db, new Date(), 8, 100),
  'order slots of an account': () => listOrderSlots(db, ACCOUNT, { limit: 100 }),
  'order slot': () => findOrderSlot(db, '00000000-0000-0000-0000-000000000042', ACCOUNT),
  'order slots, open': () => undone(db, (transaction) => countOpenSlots(transaction, ACCOUNT)),
  'order slot to close': () =>
    undone(db, (transaction) =>
      updateClosingIntent(transaction, {
        slotId: '00000000-0000-0000-0000-000000000042',
        accountId: ACCOUNT,
        intentId: '00000000-0000-0000-0000-000000000043',
        now: new Date(),
      }),
    ),
  'order slots due': () =>
    undone(db, (transaction) => claimDueSlots(transaction, new Date(), new Date(), 100)),
  'orders of an account': () => listOrders(db, ACCOUNT, { limit: 100 }),
  'orders of an account, of a token': () =>
    listOrders(db, ACCOUNT, { limit: 100, mint: 'mint42', status: 'open' }),
  order: () => findOrder(db, { orderId: ORDER, accountId: ACCOUNT }),
  'transactions of an order': () => listOrderTransactions(db, ORDER),
  'orders, not ended': () => undone(db, (transaction) => countLiveOrders(transaction, ACCOUNT, 'mint42')),
  'other order of a slot': () => undone(db, (transaction) => findOtherInSlot(transaction, ORDER, null)),
  'signatures of an order': () =>
    undone(db, (transaction) =>
      updateSignatures(transaction, [{ id: ORDER, sealed: new Uint8Array(1) }], new Date()),
    ),
  'order with an advance': () => undone(db, (transaction) => updateAdvanceIntent(transaction, ORDER, ORDER)),
  'order to sign or stop': () =>
    undone(db, (transaction) => lockOrder(transaction, { orderId: ORDER, accountId: ACCOUNT })),
  'change of an order': () =>
    undone(db, async (transaction) => {
      const orders = await lockOrders(transaction, [ORDER]);
      const changes = orders.map((order) => ({ order, to: 'cancelled', reason: 'requested' }) as const);
      await changeOrders(transaction, changes, presaleContext(db, systemClock).context);
    }),
  'orders to send': () => claimOrders(db, { now: new Date(), until: new Date(), limit: 64 }),
  'orders to end': () => db`select ${isOrderEndDue(db, new Date())} as due`,
  'orders of intents that ended': () => endSentOrders(orderEnding(), 200),
  'orders whose time is over': () => expireOrders(orderEnding(), 200),
  'orders of migrated tokens': () => voidMigratedOrders(orderEnding(), 200),
  'orders of slots': () => voidSpentOrders(orderEnding(), [ACCOUNT], { readings: [], nodes: 2 }),
  'orders and slots that end with intents': () =>
    undone(db, async (transaction) => {
      const context = { ...presaleContext(db, systemClock).context, metrics: { onOrdersEnded() {} } };
      const ended = ['order_slot_advance', 'order_slot_closure'].map((kind) => ({ id: ORDER, kind }));
      const dependents = createSlotDependents({ ...context, onStatusChanged() {} });
      await dependents.end(
        transaction,
        ended.map((intent) => ({ ...intent, status: 'confirmed' })),
      );
    }),
  'the oldest order that was not sent': () => readUnsentAge(db),
  'broadcasts due': () => claimBroadcasts(db, new Date(), nominalPace, 100),
  'landings due': () => claimLandings(db, new Date(), 100),
  'deliveries due': () =>
    claimDue(db, null, { batch: 100, leaseMs: 1_000, fullEndpointIds: [], room: () => 8 }),
  'next delivery due': () => readDue(db, 100),
  'staking pool': () => findStakingPool(db, someMint),
  'staking leaderboard': () => listLeaderboard(db, someMint),
  'owned positions': () => listOwnedPositions(db, someMint, 'wallet42'),
  'fee state': () => findFeeState(db, someMint, 'wallet42'),
  'fee distributions, first page': () => listFeeDistributions(db, someMint, { limit: 100 }),
  'fee distributions, a later page': () =>
    listFeeDistributions(db, someMint, { limit: 100, after: ['10000', '9223372036854775807'] }),
  'fee distributions of an account that claims': () =>
    listFeeDistributions(db, someMint, { limit: 100, accountId: ACCOUNT }),
  'claims that have ended': () => db`select ${isClaimDue(db)} as due`,
  // A minute after the tables were filled, claims would be announced here, and their events stored once more with their plans.
  'claims to settle': () => {
    const clock = { now: () => new Date(Date.now() - 3_600_000) };
    return settleClaims({ ...presaleContext(db, clock).context, db });
  },
  'tokens that a partner of all can claim from': () =>
    listClaimTokens(db, 'partner', { limit: 100, owned: manyMints }),
  'tokens that a creator can claim from, a later page': () =>
    listClaimTokens(db, 'w', { limit: 100, after: [mintOf(5_000)], owned: [] }),
  'named tokens to claim from': () => listNamedTokens(db, manyMints, { limit: 100 }),
  'positions of NFTs': () =>
    findPositionsOfNfts(
      db,
      manyMints.map((mint) => `nft${mint}`),
    ),
  'positions of tokens': () => findPositionsOfTokens(db, manyMints),
  'tokens of AMM pools': () =>
    findTokensOfPools(
      db,
      manyMints.map((mint) => `amm${mint}`),
    ),
  presale: () => findPresale(db, presaleOf(2)),
  'presales, first page': () => listPresales(db, { limit: 100 }),
  'presales, a later page': () => listPresales(db, { limit: 100, after: ['10000'] }),
  'presales by status': () => listPresales(db, { limit: 100, status: 'settled' }),
  'presales by a rare status': () => listPresales(db, { limit: 100, status: 'refunding' }),
  'presales of a token': () => listPresales(db, { limit: 100, mintAddress: mintOf(7) }),
  'streamed presales': () => findStreamedPresales(db, [presaleOf(2), presaleOf(3)]),
  'presale participation': () => requireParticipation(db, presaleOf(2), 'wallet42'),
  'presales due': () => findDuePresales(db, new Date(), 100),
  'presale transition': () => advancePresales({ ...presaleContext(db, systemClock).context, db }, 100),
  'presale movements': () =>
    undone(db, (transaction) =>
      recordMovements(transaction, systemClock, [
        movementOf(presaleOf(2), 'deposit', 'wallet42', 1n, new Date()),
        movementOf(presaleOf(2), 'deposit', 'nobody', 1n, new Date()),
      ]),
    ),
  'prediction rounds, first page': () => listRounds(db, someMint, { limit: 100 }),
  'prediction rounds, a later page': () => listRounds(db, someMint, { limit: 100, after: ['3000'] }),
  'prediction rounds by status': () => listRounds(db, someMint, { limit: 100, status: 'voided' }),
  'prediction rounds by a rare status': () => listRounds(db, someMint, { limit: 100, status: 'settling' }),
  'streamed rounds': () => findStreamedRounds(db, [presaleOf(2), presaleOf(3)]),
  'open rounds of tokens': () => findOpenRounds(db, [someMint, mintOf(7)], 100),
  'prediction round': () => findRound(db, someMint, presaleOf(3)),
  'predictions of a round': () =>
    listEntries(db, someMint, presaleOf(1), { limit: 100, after: [presaleOf(2_000)] }),
  'standings, first page': () => listStandings(db, someMint, presaleOf(1), { limit: 500 }),
  'standings, a later page': () => listStandings(db, someMint, presaleOf(1), { limit: 500, after: ['1500'] }),
  'own predictions': () => listPredictions(db, ACCOUNT, { limit: 100 }),
  'own predictions, a later page': () =>
    listPredictions(db, ACCOUNT, { limit: 100, after: ['00000000-0000-0000-0000-000000000800'] }),
  'own predictions by an empty status': () => listPredictions(db, ACCOUNT, { limit: 100, status: 'voided' }),
  'own predictions of a round': () => listPredictions(db, ACCOUNT, { limit: 100, roundId: presaleOf(1_100) }),
  launches: () => listLaunches(db, ACCOUNT, { limit: 100 }),
  'launches, a later page': () =>
    listLaunches(db, ACCOUNT, { limit: 100, after: ['00000000-0000-0000-0000-000000000800'] }),
  'launches by a rare status': () => listLaunches(db, ACCOUNT, { limit: 100, status: 'failed' }),
  'owned prediction': () => findPrediction(db, presaleOf(42), ACCOUNT),
  'rounds due': () => findDueRounds(db, new Date(), 100),
  'rounds to settle': () => findSettlingRounds({ ...roundContext(db, systemClock), db }, 100),
  'round transition': () =>
    undone(db, (transaction) => {
      const move = { roundId: presaleOf(2), from: 'scheduled', to: 'open', at: new Date() } as const;
      return moveRound(transaction, roundContext(db, systemClock).outbox, move);
    }),
  'settlement price': () => findSettlementPrice(db, someMint, new Date()),
  'prediction submission': () =>
    undone(db, async (transaction) => {
      await findRoundMint(transaction, presaleOf(3));
      await holdOpenRound(transaction, presaleOf(3), new Date());
      await readSubmissionFacts(transaction, presaleOf(3), 'wallet42', ACCOUNT);
      const prediction = { roundId: presaleOf(3), accountId: ACCOUNT, walletAddress: 'w', username: 'u' };
      const facts = { predictedPriceInSol: '1', evaluationSlot: 1n, balanceRaw: 1n, submittedAt: new Date() };
      await insertPrediction(transaction, { ...prediction, ...facts });
    }),
  'staking positions': () =>
    db.begin((transaction) =>
      storeStakingPositions(transaction, [
        positionMessage(someMint, 'wallet42', 1),
        positionMessage(someMint, 'nobody', 1),
      ]),
    ),
  'fee claims': () =>
    db.begin((transaction) => storeFeeClaimables(transaction, [claimableMessage(someMint, 'wallet42', 9)])),
  'upload and sweep of images': () =>
    undone(db, async (transaction) => {
      await isImageKnown(transaction, 'f'.repeat(64));
      await findNamedHashes(transaction, ['f'.repeat(64)]);
      await findSomeHashes(transaction, 10);
      await recordImage(transaction, {
        accountId: ACCOUNT,
        sourceHash: 'f'.repeat(64),
        hash: 'e'.repeat(64),
        contentType: 'image/png',
        width: 1,
        height: 1,
        byteLength: 1,
        createdAt: new Date(),
      });
    }),
  'fee payments': () =>
    undone(db, (transaction) =>
      storeFeeDistributions(transaction, presaleContext(db, systemClock).context.outbox, toDistribution, [
        distributionMessage(someMint, 1),
      ]),
    ),
  // Undone, because the statement that inserts a new trader is executed again.
  'trade ingest': () =>
    undone(db, (transaction) =>
      storeTrades(
        transaction,
        [numberedTrade(someMint, 1), numberedTrade(someMint, 1)],
        undefined,
        orderMoves,
      ),
    ),
  'trade ingest of many tokens': () =>
    undone(db, (transaction) =>
      storeTrades(
        transaction,
        manyMints.map((mint, at) => numberedTrade(mint, at)),
        undefined,
        orderMoves,
      ),
    ),
  'mints to ask': async () => {
    const walk = new MintRefresh({
      db,
      rpcs: [silentNode],
      chainHead: { current: () => null, pace: () => nominalPace },
      clock: systemClock,
      onTokensChanged: () => {},
    });
    // The second step looks for tokens that came since the first.
    await walk.step();
    await walk.step();
  },
  'mint facts': () =>
    undone(db, (transaction) => {
      const facts = Array.from({ length: 100 }, (_, at) => ({
        mintAddress: mintOf(at),
        decimals: 3,
        supplyRaw: 7n,
        slot: 1n,
      }));
      return storeMintFacts(transaction, facts, new Date());
    }),
  'creators of tokens': () =>
    undone(db, (transaction) => {
      const creators = Array.from({ length: 50 }, (_, at) => ({
        mintAddress: mintOf(at),
        poolAddress: mintOf(at),
        creatorWallet: mintOf(1),
        slot: 1n,
      }));
      return storeTokenCreators(
        transaction,
        presaleContext(db, systemClock).context.outbox,
        creators,
        new Date(),
      );
    }),
  'pool of a token': () => findTokenPool(db, someMint),
  'trade reversal': async () => {
    // After the stored ones, as nearly every trade that is reverted.
    const trade = numberedTrade(someMint, 1, { slot: 49_000_000n });
    const stored = await db.begin((transaction) => storeTrades(transaction, [trade], undefined, orderMoves));
    expect(stored.triggered).toBe(1);
    sent.length = 0;
    await db.begin((transaction) =>
      storeReversals(transaction, [{ tradeId: trade.id, slot: null }], new Date(), orderMoves),
    );
  },
};

/** Run by worker or relay, whose connections plan for the parameters where that is better. */
const background: ReadonlySet<string> = new Set([
  'rankings of tokens',
  'tokens whose windows moved',
  'rankings that are due',
  'operations due',
  'landing report of operators',
  'operation results, expired',
  'deliveries to recover',
  'retrying deliveries to recover',
  'retrying deliveries that a recovery has made due',
  'events to recover',
  'a backlog of an endpoint',
  'outbox, unpublished',
  'event bodies',
  'events of an account to fan out',
  'events that were announced',
  'events that no relay took',
  'events whose deliveries have rows',
  'marks without an event',
  'missing deliveries',
  'fan-out',
  'attempt results',
  'leases that ended',
  'deliveries to delete',
  'broadcasts due',
  'deliveries due',
  'next delivery due',
  'presales due',
  'presale transition',
  'presale movements',
  'rounds due',
  'rounds to settle',
  'round transition',
  'settlement price',
  'staking positions',
  'fee claims',
  'fee payments',
  'claims to settle',
  'trade ingest',
  'trade ingest of many tokens',
  'trade reversal',
  'mints to ask',
  'mint facts',
]);

/** Statements that walk a bounded part of an index, with the most rows that they may look at: with the newest trade. */
const walked: ReadonlyMap<string, number> = new Map([['trades of a token by type', 2_001]]);

test.each(Object.keys(hot))('%s reads by index, and no more rows than it needs', async (name) => {
  sent.length = 0;
  await hot[name]?.();
  const statements = sent.filter(({ text }) => /^\s*(select|with|insert|update|delete)\b/i.test(text));
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    for (const measure of background.has(name) ? [effortOf] : [effortOf, genericEffortOf]) {
      const { scanned, rowsMax } = await measure(db, statement);
      const wholeTables = scanned.filter((table) => big.has(table));
      const isCheap = wholeTables.length === 0 && rowsMax <= (walked.get(name) ?? ROWS_MAX);
      const what = { plan: measure.name, wholeTables, rowsMax, statement: statement.text };
      expect({ isCheap, ...what }).toMatchObject({ isCheap: true });
    }
  }
});

/**
 * Lists that merge what they read by status, where most statuses have no record, with the most pages that they may read.
 * A scan that does not end where a status ends reads 700 and 70.
 */
const merged: [name: string, pagesMax: number, list: () => Promise<unknown>][] = [
  ['intents', 150, () => listIntents(db, ACCOUNT, { limit: 5 })],
  ['predictions', 50, () => listPredictions(db, ACCOUNT, { limit: 5 })],
];

test.each(merged)(
  'a page of %s reads few pages of the index where statuses are empty',
  async (_, pagesMax, list) => {
    sent.length = 0;
    await list();
    // What explains them sends statements too.
    const statements = [...sent];
    expect(statements.length).toBe(1);
    for (const statement of statements) expect(await pagesOf(db, statement)).toBeLessThan(pagesMax);
  },
);

test('the overview of the platform is computed without trades, and finds the bars of a day by their hours', async () => {
  sent.length = 0;
  expect(await storeOverview(db, 0)).toBe(true);
  const totals = sent.filter(({ text }) => /^\s*with\b/i.test(text));
  expect(totals).toHaveLength(1);
  for (const statement of totals) {
    const { scanned } = await effortOf(db, statement);
    // Most of the few tokens here were traded within the day: a join reads all of them.
    expect(scanned.filter((table) => big.has(table) && table !== 'tokens')).toEqual([]);
    expect(statement.text).not.toContain('trades');
  }
});

test('a statement that no index serves is noticed', async () => {
  sent.length = 0;
  await db`select count(*) from trades where sol_amount = 7`;
  const [statement] = sent;
  if (statement === undefined) throw new Error('nothing was sent');
  const { scanned, rowsMax } = await effortOf(db, statement);
  const filled = [0, 10, 20, 30, 40].map((millions) => `trades_${millions}m`);
  expect(scanned).toEqual(expect.arrayContaining(filled));
  expect([...big]).toEqual(expect.arrayContaining(filled));
  expect(rowsMax).toBeGreaterThan(ROWS_MAX);
});
