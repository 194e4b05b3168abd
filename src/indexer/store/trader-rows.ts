import type { Transaction } from '../../db/client.ts';
import { type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import { sameKey, type Trader, type TraderBase, type TraderKey } from '../market/trader.ts';

const amounts = [
  'boughtToken',
  'boughtInSol',
  'soldToken',
  'soldInSol',
  'soldCostInSol',
  'uncoveredToken',
  'uncoveredInSol',
] as const;
type Amount = (typeof amounts)[number];
type TraderRow = Omit<Trader, Amount> & Record<Amount, string>;

/** SQL: the columns of a Trader, from `token_traders t`. */
function traderColumns(transaction: Transaction) {
  return transaction`
    t.mint_address, t.trader_wallet, t.buy_count, t.sell_count, t.bought_token, t.bought_in_sol, t.sold_token, t.sold_in_sol,
    t.sold_cost_in_sol, t.uncovered_token, t.uncovered_in_sol, t.first_trade_at, t.first_slot, t.last_trade_at, t.last_buy_at,
    t.last_sell_at, t.last_position`;
}

function toTrader(row: TraderRow): Trader {
  const { boughtToken, boughtInSol, soldToken, soldInSol, soldCostInSol, uncoveredToken, uncoveredInSol } =
    row;
  return {
    ...row,
    boughtToken: normaliseDecimal(boughtToken),
    boughtInSol: normaliseDecimal(boughtInSol),
    soldToken: normaliseDecimal(soldToken),
    soldInSol: normaliseDecimal(soldInSol),
    soldCostInSol: normaliseDecimal(soldCostInSol),
    uncoveredToken: normaliseDecimal(uncoveredToken),
    uncoveredInSol: normaliseDecimal(uncoveredInSol),
  };
}

/** What is stored of some pairs and their tokens. */
export interface StoredTraders {
  traders: ReadonlyMap<string, Trader>;
  /** Pairs that will be computed again: their rows may lack trades. */
  queued: ReadonlySet<string>;
  /** Tokens with older trades that are not folded yet, with the position up to which they are. */
  unfolded: ReadonlyMap<string, string>;
}

/** Reads pairs, whose tokens the caller has locked. */
export async function readTraders(
  transaction: Transaction,
  pairs: readonly TraderKey[],
): Promise<StoredTraders> {
  const distinct = [...new Map(pairs.map((pair) => [sameKey(pair), pair])).values()];
  // The key comes apart from the columns of the row, which has none when the pair is new.
  const rows = await transaction<
    ({ at: number; isQueued: boolean; unfoldedFrom: string | null } & (TraderRow | { mintAddress: null }))[]
  >`
    select p.at::int4 as at, r.mint_address is not null as is_queued, b.through as unfolded_from, ${traderColumns(transaction)}
    from unnest(${distinct.map(({ mintAddress }) => mintAddress)}::text[],
      ${distinct.map(({ traderWallet }) => traderWallet)}::text[]) with ordinality as p (mint_address, trader_wallet, at)
    left join token_traders t using (mint_address, trader_wallet)
    left join trader_recounts r using (mint_address, trader_wallet)
    left join trader_backfills b using (mint_address)
    where t.mint_address is not null or r.mint_address is not null or b.mint_address is not null`;
  const traders = new Map<string, Trader>();
  const queued = new Set<string>();
  const unfolded = new Map<string, string>();
  for (const { at, isQueued, unfoldedFrom, ...row } of rows) {
    const pair = distinct[at - 1];
    if (pair === undefined) continue;
    if (isQueued) queued.add(sameKey(pair));
    if (unfoldedFrom !== null) unfolded.set(pair.mintAddress, unfoldedFrom);
    if (row.mintAddress !== null) traders.set(sameKey(pair), toTrader(row));
  }
  return { traders, queued, unfolded };
}

/** Stores each pair as it is here. */
export async function storeTraders(transaction: Transaction, traders: readonly Trader[]): Promise<void> {
  if (traders.length === 0) return;
  const column = <Key extends keyof Trader>(key: Key) => traders.map((trader) => trader[key]);
  const times = (key: 'firstTradeAt' | 'lastTradeAt' | 'lastBuyAt' | 'lastSellAt') =>
    column(key).map((time) => time?.toISOString() ?? null);
  await transaction`
    insert into token_traders as t (mint_address, trader_wallet, buy_count, sell_count, bought_token, bought_in_sol,
      sold_token, sold_in_sol, sold_cost_in_sol, uncovered_token, uncovered_in_sol, realised_in_sol, first_trade_at,
      first_slot, last_trade_at, last_buy_at, last_sell_at, last_position)
    select mint, wallet, buys, sells, bought, bought_sol, sold, sold_sol, sold_cost, uncovered, uncovered_sol,
      sold_sol - uncovered_sol - sold_cost, first_at, first_slot, last_at, buy_at, sell_at, position
    from unnest(
      ${column('mintAddress')}::text[], ${column('traderWallet')}::text[], ${column('buyCount')}::int4[],
      ${column('sellCount')}::int4[], ${column('boughtToken')}::numeric[], ${column('boughtInSol')}::numeric[],
      ${column('soldToken')}::numeric[], ${column('soldInSol')}::numeric[], ${column('soldCostInSol')}::numeric[],
      ${column('uncoveredToken')}::numeric[], ${column('uncoveredInSol')}::numeric[], ${times('firstTradeAt')}::timestamptz[],
      ${column('firstSlot').map(String)}::int8[], ${times('lastTradeAt')}::timestamptz[], ${times('lastBuyAt')}::timestamptz[],
      ${times('lastSellAt')}::timestamptz[], ${column('lastPosition')}::text[]) as new (mint, wallet, buys, sells, bought,
        bought_sol, sold, sold_sol, sold_cost, uncovered, uncovered_sol, first_at, first_slot, last_at, buy_at, sell_at, position)
    on conflict (trader_wallet, mint_address) do update set
      buy_count = excluded.buy_count, sell_count = excluded.sell_count,
      bought_token = excluded.bought_token, bought_in_sol = excluded.bought_in_sol,
      sold_token = excluded.sold_token, sold_in_sol = excluded.sold_in_sol, sold_cost_in_sol = excluded.sold_cost_in_sol,
      uncovered_token = excluded.uncovered_token, uncovered_in_sol = excluded.uncovered_in_sol,
      realised_in_sol = excluded.realised_in_sol, first_trade_at = excluded.first_trade_at,
      first_slot = excluded.first_slot, last_trade_at = excluded.last_trade_at, last_buy_at = excluded.last_buy_at,
      last_sell_at = excluded.last_sell_at, last_position = excluded.last_position`;
}

/** Deletes pairs without trades. */
export async function deleteTraders(transaction: Transaction, pairs: readonly TraderKey[]): Promise<void> {
  if (pairs.length === 0) return;
  const { mints, wallets } = columnsOf(pairs);
  await transaction`
    delete from token_traders t using unnest(${mints}::text[], ${wallets}::text[]) as p (mint_address, trader_wallet)
    where t.mint_address = p.mint_address and t.trader_wallet = p.trader_wallet`;
}

export function columnsOf(pairs: readonly TraderKey[]): { mints: string[]; wallets: string[] } {
  return {
    mints: pairs.map(({ mintAddress }) => mintAddress),
    wallets: pairs.map(({ traderWallet }) => traderWallet),
  };
}

interface StoredState extends Record<Amount, DecimalString> {
  buyCount: number;
  sellCount: number;
  firstTradeAt: string;
  firstSlot: string;
  lastTradeAt: string;
  lastBuyAt: string | null;
  lastSellAt: string | null;
  lastPosition: string;
}

/** Reads the bases of pairs by `sameKey`. */
export async function readBases(
  transaction: Transaction,
  pairs: readonly TraderKey[],
): Promise<ReadonlyMap<string, TraderBase>> {
  const { mints, wallets } = columnsOf(pairs);
  const rows = await transaction<(TraderKey & { through: string; state: StoredState | null })[]>`
    select mint_address, trader_wallet, through, state from trader_bases
    join unnest(${mints}::text[], ${wallets}::text[]) as p (mint_address, trader_wallet) using (mint_address, trader_wallet)`;
  return new Map(
    rows.map(({ mintAddress, traderWallet, through, state }) => [
      sameKey({ mintAddress, traderWallet }),
      { through, state: state && readState({ mintAddress, traderWallet }, state) },
    ]),
  );
}

function readState(key: TraderKey, state: StoredState): Trader {
  return {
    ...state,
    ...key,
    firstTradeAt: new Date(state.firstTradeAt),
    firstSlot: BigInt(state.firstSlot),
    lastTradeAt: new Date(state.lastTradeAt),
    lastBuyAt: state.lastBuyAt === null ? null : new Date(state.lastBuyAt),
    lastSellAt: state.lastSellAt === null ? null : new Date(state.lastSellAt),
  };
}

export async function storeBases(
  transaction: Transaction,
  bases: readonly (TraderKey & { base: TraderBase })[],
): Promise<void> {
  if (bases.length === 0) return;
  const { mints, wallets } = columnsOf(bases);
  const states = bases.map(
    ({ base: { state } }) => state && JSON.stringify({ ...state, firstSlot: state.firstSlot.toString() }),
  );
  await transaction`
    insert into trader_bases (mint_address, trader_wallet, through, state)
    select mint, wallet, through, state::jsonb
    from unnest(${mints}::text[], ${wallets}::text[], ${bases.map(({ base }) => base.through)}::text[], ${states}::text[])
      as b (mint, wallet, through, state)
    on conflict (trader_wallet, mint_address) do update set through = excluded.through, state = excluded.state`;
}

export async function deleteBases(transaction: Transaction, pairs: readonly TraderKey[]): Promise<void> {
  if (pairs.length === 0) return;
  const { mints, wallets } = columnsOf(pairs);
  await transaction`
    delete from trader_bases b using unnest(${mints}::text[], ${wallets}::text[]) as p (mint_address, trader_wallet)
    where b.mint_address = p.mint_address and b.trader_wallet = p.trader_wallet`;
}
