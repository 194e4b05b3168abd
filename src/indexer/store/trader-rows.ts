import { arrayText } from '../../db/array-text.ts';
import type { Transaction } from '../../db/client.ts';
import { type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import { chainPosition } from '../market/indexed-trade.ts';
import { pairKey, type Trader, type TraderBase, type TraderKey, type TraderTrade } from '../market/trader.ts';

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

/** A trade of a pair as a row, with the columns of `traderTradeColumns`. */
export type TraderTradeRow = Omit<TraderTrade, 'solAmount' | 'tokenAmount'> & {
  solAmount: string;
  tokenAmount: string;
};

/** SQL: the columns of a TraderTrade, from `trades t`. */
export function traderTradeColumns(transaction: Transaction) {
  return transaction`
    t.id, t.mint_address, t.trader_wallet, t.type, t.sol_amount, t.token_amount, t.slot, t.transaction_index, t.outer_index,
    t.inner_index, t.block_time`;
}

export function toTraderTrade<Row extends TraderTradeRow>(row: Row) {
  return {
    ...row,
    solAmount: normaliseDecimal(row.solAmount),
    tokenAmount: normaliseDecimal(row.tokenAmount),
  };
}

/** The columns of `trades` that a chain position names. An empty position comes before every trade. */
export function positionColumns(position: string) {
  const [
    slot = '0',
    transactionIndex = '-1',
    outerIndex = '-1',
    innerIndex = '-1',
    id = '00000000-0000-0000-0000-000000000000',
  ] = position === '' ? [] : position.split(':');
  return { slot, transactionIndex, outerIndex, innerIndex, id };
}

/** The stored rows of some pairs by `pairKey`, and the queued pairs of their tokens. */
export interface StoredTraders {
  traders: ReadonlyMap<string, Trader>;
  /**
   * Pairs that wait to be computed again, because their rows may lack trades, with the slots from which they
   * are read.
   */
  queued: ReadonlyMap<string, bigint>;
}

/** Reads pairs, whose tokens the caller has locked. The last statement nearly always finds nothing. */
export async function readTraders(
  transaction: Transaction,
  pairs: readonly TraderKey[],
): Promise<StoredTraders> {
  const { mints, wallets } = columnsOf([...new Map(pairs.map((pair) => [pairKey(pair), pair])).values()]);
  const distinctMints = [...new Set(mints)];
  const [traders, queued] = await Promise.all([
    transaction<TraderRow[]>`
      select ${traderColumns(transaction)}
      from unnest(${arrayText(mints)}::text[], ${arrayText(wallets)}::text[]) as p (mint_address, trader_wallet)
      join token_traders t on t.trader_wallet = p.trader_wallet and t.mint_address = p.mint_address`,
    transaction<(TraderKey & { fromSlot: bigint })[]>`
      select mint_address, trader_wallet, from_slot from trader_recounts where mint_address = any(${arrayText(distinctMints)}::text[])`,
  ]);
  return {
    traders: new Map(traders.map((row) => [pairKey(row), toTrader(row)])),
    queued: new Map(queued.map((pair) => [pairKey(pair), pair.fromSlot])),
  };
}

/**
 * Stores each pair as it is here. `isKnown` says which have a row: under the lock of their token that cannot change,
 * and an insertion alone costs a third less than one that first looks for a conflict.
 */
export async function storeTraders(
  transaction: Transaction,
  traders: readonly Trader[],
  isKnown: (pair: TraderKey) => boolean,
): Promise<void> {
  const known = traders.filter(isKnown);
  const added = known.length === 0 ? traders : traders.filter((trader) => !isKnown(trader));
  await Promise.all([insertTraders(transaction, added), updateTraders(transaction, known)]);
}

/** SQL: traders as rows, with the columns in the order of `token_traders`. */
function rowsOf(transaction: Transaction, traders: readonly Trader[]) {
  const column = (key: keyof Trader) => arrayText(traders.map((trader) => trader[key]));
  return transaction`
    select mint, wallet, buys, sells, bought, bought_sol, sold, sold_sol, sold_cost, uncovered, uncovered_sol,
      sold_sol - uncovered_sol - sold_cost as realised, first_at, first_slot, last_at, buy_at, sell_at, position
    from unnest(
      ${column('mintAddress')}::text[], ${column('traderWallet')}::text[], ${column('buyCount')}::int4[],
      ${column('sellCount')}::int4[], ${column('boughtToken')}::numeric[], ${column('boughtInSol')}::numeric[],
      ${column('soldToken')}::numeric[], ${column('soldInSol')}::numeric[], ${column('soldCostInSol')}::numeric[],
      ${column('uncoveredToken')}::numeric[], ${column('uncoveredInSol')}::numeric[], ${column('firstTradeAt')}::timestamptz[],
      ${column('firstSlot')}::int8[], ${column('lastTradeAt')}::timestamptz[], ${column('lastBuyAt')}::timestamptz[],
      ${column('lastSellAt')}::timestamptz[], ${column('lastPosition')}::text[]) as given (mint, wallet, buys, sells, bought,
        bought_sol, sold, sold_sol, sold_cost, uncovered, uncovered_sol, first_at, first_slot, last_at, buy_at, sell_at, position)`;
}

/**
 * Stores pairs without a row that have this one trade each. The rows are those of `foldTrade`, and take half
 * the arrays. Tokens that are sold without having been bought are uncovered as a whole.
 */
export async function insertFirstTrades(
  transaction: Transaction,
  trades: readonly TraderTrade[],
): Promise<void> {
  if (trades.length === 0) return;
  const column = (key: keyof TraderTrade) => arrayText(trades.map((trade) => trade[key]));
  await transaction`
    insert into token_traders (mint_address, trader_wallet, buy_count, sell_count, bought_token, bought_in_sol, sold_token,
      sold_in_sol, sold_cost_in_sol, uncovered_token, uncovered_in_sol, realised_in_sol, first_trade_at, first_slot,
      last_trade_at, last_buy_at, last_sell_at, last_position)
    select mint, wallet, buys, 1 - buys, bought_token, bought_sol, sold_token, sold_sol, 0, sold_token, sold_sol, 0, at, slot, at,
      case buys when 1 then at end, case buys when 0 then at end, position
    from unnest(${column('mintAddress')}::text[], ${column('traderWallet')}::text[],
      ${arrayText(trades.map(({ type }) => (type === 'buy' ? 1 : 0)))}::int4[], ${column('tokenAmount')}::numeric[],
      ${column('solAmount')}::numeric[], ${column('blockTime')}::timestamptz[], ${column('slot')}::int8[],
      ${arrayText(trades.map(chainPosition))}::text[]) as given (mint, wallet, buys, token, sol, at, slot, position)
    cross join lateral (
      select case buys when 1 then token else 0 end as bought_token, case buys when 1 then sol else 0 end as bought_sol,
        case buys when 0 then token else 0 end as sold_token, case buys when 0 then sol else 0 end as sold_sol) as amounts`;
}

async function insertTraders(transaction: Transaction, traders: readonly Trader[]): Promise<void> {
  if (traders.length === 0) return;
  await transaction`
    insert into token_traders (mint_address, trader_wallet, buy_count, sell_count, bought_token, bought_in_sol, sold_token,
      sold_in_sol, sold_cost_in_sol, uncovered_token, uncovered_in_sol, realised_in_sol, first_trade_at, first_slot,
      last_trade_at, last_buy_at, last_sell_at, last_position)
    ${rowsOf(transaction, traders)}`;
}

async function updateTraders(transaction: Transaction, traders: readonly Trader[]): Promise<void> {
  if (traders.length === 0) return;
  await transaction`
    update token_traders t set
      buy_count = new.buys, sell_count = new.sells, bought_token = new.bought, bought_in_sol = new.bought_sol,
      sold_token = new.sold, sold_in_sol = new.sold_sol, sold_cost_in_sol = new.sold_cost, uncovered_token = new.uncovered,
      uncovered_in_sol = new.uncovered_sol, realised_in_sol = new.realised, first_trade_at = new.first_at,
      first_slot = new.first_slot, last_trade_at = new.last_at, last_buy_at = new.buy_at, last_sell_at = new.sell_at,
      last_position = new.position
    from (${rowsOf(transaction, traders)}) as new
    where t.trader_wallet = new.wallet and t.mint_address = new.mint`;
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

/** Reads the bases of pairs by `pairKey`. */
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
      pairKey({ mintAddress, traderWallet }),
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
