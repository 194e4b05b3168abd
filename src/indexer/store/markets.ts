import type { Queryable, Transaction } from '../../db/client.ts';
import type { DecimalString } from '../../shared/decimal.ts';
import type { MarketChange } from '../market/market-change.ts';

/**
 * Applies market changes. The price moves forward in chain order only, and sums count every trade once. Every
 * token has a market row from its insertion on.
 */
export async function mergeMarketChanges(
  transaction: Transaction,
  changes: readonly MarketChange[],
): Promise<void> {
  const column = <Key extends keyof MarketChange>(key: Key) => changes.map((change) => change[key]);
  const isNewer = transaction`c.position > m.last_position collate "C"`;
  const isNewerLiquidity = transaction`c.liquidity_position > m.liquidity_position collate "C"`;
  const isNewerReserve = transaction`c.collected_position > m.collected_position collate "C"`;
  await transaction`
    update token_markets m set
      price_in_sol = case when ${isNewer} then c.price else m.price_in_sol end,
      last_position = case when ${isNewer} then c.position else m.last_position end,
      liquidity_in_sol = case when ${isNewerLiquidity} then c.liquidity else m.liquidity_in_sol end,
      liquidity_position = case when ${isNewerLiquidity} then c.liquidity_position else m.liquidity_position end,
      sol_collected_in_sol = case when ${isNewerReserve} then c.collected
        else m.sol_collected_in_sol + c.sol_bought - c.sol_sold end,
      collected_position = case when ${isNewerReserve} then c.collected_position else m.collected_position end,
      as_of = greatest(m.as_of, c.as_of)
    from unnest(
      ${column('mintAddress')}::text[], ${column('position')}::text[], ${column('price')}::numeric[],
      ${column('liquidityPosition')}::text[], ${column('liquidity')}::numeric[], ${column('collectedPosition')}::text[],
      ${column('collected')}::numeric[],
      ${column('solBought')}::numeric[], ${column('solSold')}::numeric[],
      ${column('asOf').map((time) => time.toISOString())}::timestamptz[]
    ) as c (mint_address, position, price, liquidity_position, liquidity, collected_position, collected, sol_bought, sol_sold,
      as_of)
    where m.mint_address = c.mint_address`;
}

/**
 * SOL in a token's pool after a transaction that may have moved it without a trade. Null when it is unknown
 * from then on.
 */
export interface LiquidityUpdate {
  mintAddress: string;
  liquidityInSol: DecimalString | null;
  position: string;
}

/** Returns true when it is newer than the stored one. */
export async function storeLiquidity(
  db: Queryable,
  { mintAddress, liquidityInSol, position }: LiquidityUpdate,
): Promise<boolean> {
  const stored = await db`
    update token_markets set liquidity_in_sol = ${liquidityInSol}, liquidity_position = ${position}
    where mint_address = ${mintAddress} and liquidity_position < ${position} collate "C"`;
  return stored.count === 1;
}
