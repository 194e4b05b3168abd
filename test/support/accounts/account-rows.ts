import type { Database } from '../../../src/db/client.ts';

/** The condition on a table's rows that belong to an account, itself or by a wallet of its keys. `$1` is the
 * account. */
interface Owned {
  by: 'account' | 'wallet';
  where: string;
}

const ofAccount = (where: string): Owned => ({ by: 'account', where });
const ofWallet = (column: string): Owned => ({
  by: 'wallet',
  where: `${column} in (select wallet_address from api_keys where account_id = $1)`,
});
const OPERATIONS = '(select id from operations where account_id = $1)';
const INTENTS = '(select id from transaction_intents where account_id = $1)';
const ENDPOINTS = '(select id from webhook_endpoints where account_id = $1)';
const MINTS = '(select mint_address from launches where account_id = $1)';
const byAccount = ofAccount('account_id = $1');
const byOperation = ofAccount(`operation_id in ${OPERATIONS}`);

/** Why a table has no row of an account. */
type Shared = string;
const MARKET = 'what the chain shows of tokens, pools and trades';
const UPKEEP = 'how far the processes have come';
const STAFF = 'of the operator';

/** Every table of the schema, with the condition on an account's rows or the reason why it has none. */
export const tableOwners: Readonly<Record<string, Owned | Shared>> = {
  accounts: ofAccount('id = $1'),
  api_key_uses: ofAccount('key_id in (select id from api_keys where account_id = $1)'),
  api_keys: byAccount,
  candles: MARKET,
  database_histories: UPKEEP,
  event_leases: ofAccount('event_id in (select id from events where account_id = $1)'),
  event_order: UPKEEP,
  events: byAccount,
  events_to_fan_out: ofAccount('event_id in (select id from events where account_id = $1)'),
  events_to_publish: ofAccount('event_id in (select id from events where account_id = $1)'),
  fee_claimables: ofWallet('wallet_address'),
  fee_claim_intents: byAccount,
  fee_claims: MARKET,
  fee_distributions: 'whom the fees of a token went to is the same for every key',
  fee_pools: MARKET,
  fee_positions: MARKET,
  fee_states: MARKET,
  fee_totals: MARKET,
  holder_accounts: MARKET,
  holder_counting: MARKET,
  holder_stats: MARKET,
  idempotency_records: byAccount,
  images: byAccount,
  indexer_cursors: UPKEEP,
  ingest_position: UPKEEP,
  intent_broadcasts: ofAccount(`intent_id in ${INTENTS}`),
  intent_landings: ofAccount(`intent_id in ${INTENTS}`),
  intent_messages: ofAccount(`intent_id in ${INTENTS}`),
  intent_sends: ofAccount(`intent_id in ${INTENTS}`),
  launches: byAccount,
  liquidity_locks: MARKET,
  operation_holders: byOperation,
  operation_result_chunks: byOperation,
  operation_results: byOperation,
  operation_token_accounts: byOperation,
  operations: byAccount,
  order_slots: byAccount,
  order_transactions: ofAccount('order_id in (select id from orders where account_id = $1)'),
  orders: byAccount,
  platform_fee_accounts: byAccount,
  prediction_intents: byAccount,
  prediction_rounds: 'rounds are public',
  predictions: byAccount,
  presale_movements: ofWallet('wallet_address'),
  presale_participations: ofWallet('wallet_address'),
  presales: 'presales are public',
  ranking_progress: UPKEEP,
  relay_members: UPKEEP,
  reverted_trades: MARKET,
  secret_keys: STAFF,
  worker_keys: STAFF,
  service_keys: STAFF,
  service_responses: 'of service keys, which act for no account',
  source_proofs: UPKEEP,
  staking_pools: MARKET,
  staking_positions: ofWallet('wallet_address'),
  staking_sums: MARKET,
  staking_totals: ofWallet('wallet_address'),
  stream_followers: byAccount,
  stream_log: byAccount,
  stream_progress: UPKEEP,
  token_names: MARKET,
  token_rankings: MARKET,
  token_markets: MARKET,
  market_overview: MARKET,
  token_pools: MARKET,
  token_traders: MARKET,
  tokens: ofAccount(`mint_address in ${MINTS}`),
  trade_floor: UPKEEP,
  trade_followers: UPKEEP,
  followed_trades: UPKEEP,
  unfinal_batches: UPKEEP,
  endpoint_subjects:
    'wallets and mints that endpoints follow: no operation reads them but through the endpoint',
  trader_bases: MARKET,
  trader_recounts: UPKEEP,
  trades: MARKET,
  transaction_intents: byAccount,
  wallets: ofWallet('address'),
  webhook_attempts: ofAccount(
    `delivery_id in (select id from webhook_deliveries where endpoint_id in ${ENDPOINTS})`,
  ),
  webhook_deliveries: ofAccount(`endpoint_id in ${ENDPOINTS}`),
  webhook_endpoints: byAccount,
};

/** The tables with rows of accounts. */
export const ownedTables: readonly [name: string, owned: Owned][] = Object.entries(tableOwners).flatMap(
  ([name, owned]) => (typeof owned === 'string' ? [] : [[name, owned] as [string, Owned]]),
);

/** Tables of a database, without partitions and the list of migrations. */
export async function tablesOf(db: Database): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`;
  return rows.map(({ name }) => name);
}

/** Every row that belongs to an account, as JSON by its table, in a fixed order. */
export async function accountRows(
  db: Database,
  accountId: string,
  by?: Owned['by'],
): Promise<Record<string, string[]>> {
  const parts = ownedTables
    .filter(([, owned]) => by === undefined || owned.by === by)
    .map(
      ([name, { where }]) =>
        `select '${name}' as name, to_jsonb(t)::text as row from ${name} t where ${where}`,
    );
  const tables = await db.unsafe<{ name: string; rows: string[] }[]>(
    `select name, array_agg(row order by row) as rows from (${parts.join(' union all ')}) r group by name order by name`,
    [accountId],
  );
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
}

const TELLTALES = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|mark[0-9a-f]{16}|[1-9A-HJ-NP-Za-km-z]{32,88}/g;

/** Ids, addresses, signatures and marks in rows or in a response. */
export function telltalesIn(text: string): Set<string> {
  return new Set(text.match(TELLTALES) ?? []);
}
