import type { Database } from '../../src/db/client.ts';
import type { Candle } from '../../src/indexer/market/fold-candles.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { type DecimalString, normaliseDecimal } from '../../src/shared/decimal.ts';
import type { DatabaseFacts, DeliveryFact, EventFact, IntentFact, LogFact, MarketFact } from './facts.ts';
import { openWork } from './read-open-work.ts';

const PING = 'build.service.webhook.ping.v1';

/** Copies what the product deletes from the log of streams, after twenty minutes, so that the judge has the whole log. */
export async function keepDeletedLog(sql: Database): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`create table deleted_stream_log (like stream_log)`;
    await transaction`
      create function keep_deleted_log() returns trigger language plpgsql security definer as $$
      begin
        insert into public.deleted_stream_log select old.*;
        return null;
      end $$`;
    await transaction`
      create trigger keep_deleted_log after delete on stream_log for each row execute function keep_deleted_log()`;
  });
}

/** Reads everything that the judge compares, in one snapshot. The log is kept since `keepDeletedLog`. */
export async function readDatabase(sql: Database): Promise<DatabaseFacts> {
  return sql.begin('isolation level repeatable read read only', async (snapshot) => {
    const reading = snapshot as unknown as Database;
    return {
      intents: await readIntents(reading),
      log: await readLog(reading),
      events: await reading<EventFact[]>`
        select id, type, subject, account_id, only_endpoint_id, created_at from events`,
      endpoints: await reading<DatabaseFacts['endpoints'][number][]>`
        select id, account_id, event_types, subjects, event_scopes, created_at from webhook_endpoints`,
      deliveries: await readDeliveries(reading),
      trades: await readTrades(reading),
      candles: await readCandles(reading),
      markets: await reading<MarketFact[]>`
        select m.mint_address as mint, t.decimals, m.price_in_sol, m.sol_collected_in_sol, m.holder_count
        from token_markets m join tokens t using (mint_address)`,
      open: await openWork(reading),
    };
  });
}

async function readIntents(sql: Database): Promise<IntentFact[]> {
  const rows = await sql<
    (Omit<IntentFact, 'signature'> & { signed: Uint8Array | null; signatureOffset: number })[]
  >`
    select intent.id, intent.account_id, intent.status, intent.error_code, intent.mint_address,
      intent.quote ->> 'inputRaw' as input_raw, intent.signed_transaction as signed, intent.signature_offset,
      landing.finality, coalesce(landing.landed_at > intent.expires_at, false) as landed_late
    from transaction_intents as intent left join intent_landings as landing on landing.intent_id = intent.id`;
  return rows.map(({ signed, signatureOffset, ...row }) => ({
    ...row,
    signature: signed === null ? null : encodeBase58(signed.subarray(signatureOffset, signatureOffset + 64)),
  }));
}

async function readLog(sql: Database): Promise<LogFact[]> {
  return sql<LogFact[]>`
    select log.id, log.kind, log.ref, log.account_id, coalesce(event.type = ${PING}, false) as is_ping
    from (table stream_log union all table deleted_stream_log) as log
      left join events as event on log.kind = 'event' and event.id = log.ref
    where log.kind in ('trade', 'trade_reverted', 'event') order by log.id`;
}

async function readDeliveries(sql: Database): Promise<DeliveryFact[]> {
  return sql<DeliveryFact[]>`
    select delivery.endpoint_id, delivery.event_id, delivery.status, delivery.attempt_count,
      jsonb_build_object('count', count(attempt.delivery_id), 'lastNumber', coalesce(max(attempt.attempt_number), 0),
        'hasSuccess', coalesce(bool_or(attempt.succeeded), false)) as attempts
    from webhook_deliveries as delivery left join webhook_attempts as attempt on attempt.delivery_id = delivery.id
    group by delivery.id`;
}

async function readTrades(sql: Database): Promise<IndexedTrade[]> {
  const rows = await sql<IndexedTrade[]>`
    select id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol,
      spot_price_in_sol, liquidity_in_sol, on_curve, slot, transaction_index, outer_index, inner_index, block_time,
      transaction_signature
    from trades`;
  return rows.map((row) => ({
    ...row,
    ...normalised(row, ['solAmount', 'tokenAmount', 'pricePerTokenInSol', 'spotPriceInSol']),
  }));
}

async function readCandles(sql: Database): Promise<Candle[]> {
  const rows = await sql<Candle[]>`
    select mint_address, interval, open_time, open, high, low, close, volume_in_sol, volume_in_token, trade_count,
      open_position, close_position, spot_open, spot_high, spot_low, spot_close, spot_open_position,
      spot_close_position, paid_open_position, paid_close_position, market_high, market_low, buy_count, buy_volume_in_sol, buy_volume_in_token
    from candles`;
  const decimals = [
    'open',
    'high',
    'low',
    'close',
    'volumeInSol',
    'volumeInToken',
    'buyVolumeInSol',
    'buyVolumeInToken',
  ] as const;
  const spots = ['spotOpen', 'spotHigh', 'spotLow', 'spotClose', 'marketHigh', 'marketLow'] as const;
  return rows.map((row) => ({ ...row, ...normalised(row, [...decimals, ...spots]) }));
}

/** Postgres keeps trailing zeros that a computed decimal does not have. */
function normalised<Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  const entries = names.map((name) => {
    const value = row[name] as DecimalString | null;
    return [name, value === null ? null : normaliseDecimal(value)];
  });
  return Object.fromEntries(entries) as Pick<Row, Name>;
}
