import type { Database } from '../../src/db/client.ts';
import { makePartitions } from '../../src/db/partitions.ts';
import { type IndexedTrade, tradeId } from '../../src/indexer/market/indexed-trade.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';

/** Partitions of trades that have rows; each spans ten million slots. */
const FILLED = 10;
const SLOTS = 10_000_000;
const FIRST_SLOT = 300_000_000;
/** The first slot above all rows. */
export const NEXT_SLOT = FIRST_SLOT + FILLED * SLOTS;
/** Age of the oldest trade. Each partition has the trades of 46 days. */
const TRADE_DAYS = 460;
/** With this retention the oldest partition alone is expired: its youngest trade is 414 days old. */
export const OLDEST_PARTITION_DAYS = 412;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Weeks of the other tables that have rows. */
const WEEKS = 10;
/** The other tables have a tenth of the rows of trades, and several pages at least. */
const OTHERS_SHARE = 10;
const OTHERS_MIN = 100;
const TRADES_PER_TOKEN = 1_000;
const TOKENS = { least: 10, most: 100_000 };
const SIGNATURE_DIGITS = 88;
const MINT_DIGITS = 44;
export const PUBLIC_EVENT = 'com.launchwire.launch.created.v1';

export const FILLED_TABLES = [
  'tokens',
  'token_markets',
  'trades',
  'events',
  'webhook_attempts',
  'intent_sends',
];

/** Rows of each table beside trades. */
export function otherRowsOf(trades: number): number {
  return Math.max(OTHERS_MIN, Math.ceil(trades / OTHERS_SHARE));
}

/** Number of tokens among which `trades` trades are divided. */
export function tokensOf(trades: number): number {
  return Math.min(TOKENS.most, Math.max(TOKENS.least, Math.floor(trades / TRADES_PER_TOKEN)));
}

export function mintOf(number: number): string {
  return String(number).replaceAll('0', 'A').padStart(MINT_DIGITS, 'B');
}

export function signatureOf(number: number): string {
  return String(number).replaceAll('0', 'A').padStart(SIGNATURE_DIGITS, 'Z');
}

/** Slot of trade `number` among `trades`. */
export function slotOf(number: number, trades: number): number {
  return FIRST_SLOT + Math.floor((number * FILLED * SLOTS) / trades);
}

/** UUIDv7 of row `number` among `rows`, which are spread over the last weeks. */
export function weeklyId(number: number, rows: number, nowMs: number): string {
  const atMs = nowMs - WEEKS * WEEK_MS + Math.floor((number * WEEKS * WEEK_MS) / rows);
  const hex = `${atMs.toString(16).padStart(12, '0')}70008000${number.toString(16).padStart(12, '0')}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A trade that is newer than every stored one, of one of the first ten tokens. */
export function newTrade(number: number): IndexedTrade {
  const transactionSignature = signatureOf(number).replace(/^Z/, 'Y');
  const amount = (text: string) => normaliseDecimal(text);
  return {
    id: tradeId(transactionSignature, 2, 0),
    mintAddress: mintOf(number % TOKENS.least),
    type: 'buy',
    traderWallet: mintOf(number % TOKENS.least),
    solAmount: amount('1.5'),
    tokenAmount: amount('3'),
    pricePerTokenInSol: amount('0.5'),
    spotPriceInSol: amount('0.5'),
    liquidityInSol: amount('40'),
    onCurve: true,
    slot: BigInt(NEXT_SLOT + number),
    transactionIndex: 0,
    outerIndex: 2,
    innerIndex: 0,
    blockTime: new Date(),
    transactionSignature,
  };
}

/**
 * Fills ten partitions of every partitioned table, with few statements and without triggers: `trades` rows of trades, a
 * tenth of them in each other table. Partitions are made as the product makes them.
 */
export async function fillPartitions(sql: Database, trades: number, nowMs: number): Promise<void> {
  const tokens = tokensOf(trades);
  await makeAllPartitions(sql, nowMs);
  // Foreign keys and the log of streams are no part of what is measured, and would take hours.
  await sql`set session_replication_role = replica`;
  await sql`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
      created_at, updated_at)
    select lpad(replace(number::text, '0', 'A'), ${MINT_DIGITS}, 'B'), 'creator', 'Benchmark', 'BENCH', 6, 1000000000,
      'dbc', 'bonding', now(), now()
    from generate_series(0, ${tokens - 1}::int) as number`;
  await sql`insert into token_markets (mint_address, as_of) select mint_address, to_timestamp(0) from tokens`;
  await storeTrades(sql, trades, tokens, nowMs);
  await storeWeekly(sql, otherRowsOf(trades), nowMs);
  await sql`set session_replication_role = origin`;
}

async function makeAllPartitions(sql: Database, nowMs: number): Promise<void> {
  for (let at = 0; at <= FILLED; at += 1) await makePartitions(sql, BigInt(FIRST_SLOT + at * SLOTS));
  // The weeks of the past are made for rows that were stored without a partition.
  const ids = Array.from({ length: WEEKS + 1 }, (_, week) => weeklyId(week, WEEKS, nowMs));
  await sql`set session_replication_role = replica`;
  await sql`
    insert into events (id, type, subject, body, created_at) select id, 'x', 'x', '{}', now()
    from unnest(${ids}::uuid[]) as id`;
  await sql`
    insert into webhook_attempts (delivery_id, attempt_number, started_at) select id, 1, now()
    from unnest(${ids}::uuid[]) as id`;
  await sql`
    insert into intent_sends (intent_id, target, send_count, taken_count) select id, 'x', 0, 0
    from unnest(${ids}::uuid[]) as id`;
  await sql`set session_replication_role = origin`;
  await makePartitions(sql, null);
  await sql`delete from events`;
  await sql`delete from webhook_attempts`;
  await sql`delete from intent_sends`;
}

async function storeTrades(sql: Database, trades: number, tokens: number, nowMs: number): Promise<void> {
  await sql`
    insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol,
      spot_price_in_sol, liquidity_in_sol, on_curve, slot, transaction_index, outer_index, inner_index, block_time,
      transaction_signature)
    select md5(number::text)::uuid, lpad(replace((number % ${tokens}::int8)::text, '0', 'A'), ${MINT_DIGITS}, 'B'), 'buy',
      lpad(replace((number % 9973)::text, '0', 'A'), ${MINT_DIGITS}, 'C'), 1.5, 3, 0.5, 0.5, 40, true,
      ${FIRST_SLOT}::int8 + number * ${FILLED * SLOTS}::int8 / ${trades}::int8, 0, 2, 0,
      to_timestamp(${nowMs / 1000 - TRADE_DAYS * 86_400}::float8 + number * ${(TRADE_DAYS * 86_400) / trades}::float8),
      lpad(replace(number::text, '0', 'A'), ${SIGNATURE_DIGITS}, 'Z')
    from generate_series(0, ${trades - 1}::int8) as number`;
}

async function storeWeekly(sql: Database, rows: number, nowMs: number): Promise<void> {
  const ids = sql`(
    select number, (lpad(to_hex(${nowMs - WEEKS * WEEK_MS}::int8 + number * ${WEEKS * WEEK_MS}::int8 / ${rows}::int8), 12, '0')
      || '70008000' || lpad(to_hex(number), 12, '0'))::uuid as id
    from generate_series(0, ${rows - 1}::int8) as number) as made`;
  // The size of a body of the product.
  await sql`
    insert into events (id, type, subject, body, created_at, recorded_in)
    select id, ${PUBLIC_EVENT}, lpad(number::text, 44, 'S'), '{"text":"' || repeat('x', 690) || '"}', now(), (number + 1)::text::xid8
    from ${ids}`;
  await sql`truncate events_to_publish, events_to_fan_out`;
  await sql`
    insert into webhook_attempts (delivery_id, attempt_number, started_at, finished_at, succeeded, response_status,
      resolved_address, redirect_count, first_byte_ms, total_ms, response_body)
    select id, 1, now(), now(), true, 200, '192.0.2.1', 0, 20, 21, 'ok'::bytea from ${ids}`;
  await sql`
    insert into intent_sends (intent_id, target, first_sent_at, last_sent_at, first_slot, send_count, taken_count, answer)
    select id, 'primary', now(), now(), 1, 2, 2, 'accepted' from ${ids}`;
}
