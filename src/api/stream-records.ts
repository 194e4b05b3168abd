import type { Database } from '../db/client.ts';
import { findNewestBars, findStreamedBars } from '../features/market/find-streamed-bars.ts';
import { findNewestTrades, findStreamedTrades } from '../features/market/find-streamed-trades.ts';
import { findStatsOfTokens } from '../features/market/stats/find-token-stats.ts';
import { findOpenOperations, findStreamedOperations } from '../features/operations/find-operation.ts';
import { type OperationLinks, toOperation } from '../features/operations/record.ts';
import { findLiveOrders, findStreamedOrders } from '../features/orders/find-streamed-orders.ts';
import { toOrder } from '../features/orders/record.ts';
import { findOpenRounds, findStreamedRounds } from '../features/predictions/rounds/find-streamed-rounds.ts';
import { findStreamedPresales } from '../features/presales/find-presale.ts';
import { findEvents } from '../features/streams/log/find-events.ts';
import type { RecordSources } from '../features/streams/record-sources.ts';
import { findStreamedTokens, findVisibleMints } from '../features/tokens/find-streamed-tokens.ts';
import { findStreamedDeliveries } from '../features/webhooks/deliveries/find-delivery.ts';
import type { Clock } from '../shared/clock.ts';

/** Reads the records of stream messages from the features that own them. */
export function createRecordSources(db: Database, links: OperationLinks, clock: Clock): RecordSources {
  return {
    tokens: (mints) => findStreamedTokens(db, mints),
    visibleMints: (mints) => findVisibleMints(db, mints),
    trades: (refs) => findStreamedTrades(db, refs),
    newestTrades: (mints, position, limit) => findNewestTrades(db, mints, position, limit),
    bars: (refs) => findStreamedBars(db, refs),
    newestBars: (series) => findNewestBars(db, series),
    stats: (mints) => findStatsOfTokens(db, mints),
    events: (ids) => findEvents(db, ids),
    async operations(ids) {
      const rows = await findStreamedOperations(db, ids);
      return new Map(rows.map((row) => [row.id, toOperation(row, links, clock.now())]));
    },
    async openOperations(accountId, limit) {
      const rows = await findOpenOperations(db, accountId, limit);
      return rows.map((row) => toOperation(row, links, clock.now()));
    },
    async orders(ids) {
      const rows = await findStreamedOrders(db, ids);
      return new Map(rows.map((row) => [row.id, toOrder(row)]));
    },
    openOrders: async (accountId, limit) => (await findLiveOrders(db, accountId, limit)).map(toOrder),
    presales: (ids) => findStreamedPresales(db, ids),
    rounds: (ids) => findStreamedRounds(db, ids),
    openRounds: (mints, limit) => findOpenRounds(db, mints, limit),
    deliveries: (ids) => findStreamedDeliveries(db, ids),
  };
}
