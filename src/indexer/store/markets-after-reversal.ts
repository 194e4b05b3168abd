import type { Transaction } from '../../db/client.ts';
import { chainPosition, type IndexedTrade, type RevertedTrade } from '../market/indexed-trade.ts';
import { lockTokens } from './write-locks.ts';

/**
 * Sets price, liquidity and collected SOL of tokens back to what their remaining trades say. A source reports the
 * liquidity with all trades of a token or with none, so reverted trades without it change sums only. `as_of` stays:
 * it says how far the chain is known, and a reversal is knowledge as well. The caller keeps writers of trades out.
 */
export async function rewriteMarkets(
  transaction: Transaction,
  reverted: readonly RevertedTrade[],
): Promise<void> {
  const mints = [...new Set(reverted.map(({ mintAddress }) => mintAddress))].sort();
  const tokens = await lockTokens(transaction, mints);
  for (const mint of mints) {
    const ofMint = reverted.filter(({ mintAddress }) => mintAddress === mint);
    await rewritePrice(transaction, mint);
    if (ofMint.some(({ liquidityInSol }) => liquidityInSol !== null))
      await rewriteLiquidity(transaction, mint);
    const graduatedAt = tokens.get(mint) ?? null;
    const onCurve = ofMint.filter(({ blockTime }) => graduatedAt === null || blockTime < graduatedAt);
    await rewriteCollected(transaction, mint, graduatedAt, onCurve);
  }
}

const newestFirst = (transaction: Transaction) =>
  transaction`order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc limit 1`;

async function rewritePrice(transaction: Transaction, mint: string): Promise<void> {
  const [last] = await transaction<(IndexedTrade & { price: string })[]>`
    select slot, transaction_index, outer_index, inner_index, id,
      coalesce(spot_price_in_sol, price_per_token_in_sol) as price
    from trades
    where mint_address = ${mint} and coalesce(spot_price_in_sol, price_per_token_in_sol) > 0
    ${newestFirst(transaction)}`;
  await transaction`
    update token_markets set price_in_sol = ${last?.price ?? null},
      last_position = ${last === undefined ? '' : chainPosition(last)}
    where mint_address = ${mint}`;
}

async function rewriteLiquidity(transaction: Transaction, mint: string): Promise<void> {
  await transaction`
    update token_markets set liquidity_in_sol = coalesce((
      select liquidity_in_sol from trades
      where mint_address = ${mint} and liquidity_in_sol is not null
        and coalesce(spot_price_in_sol, price_per_token_in_sol) > 0
      ${newestFirst(transaction)}), 0)
    where mint_address = ${mint}`;
}

/** The reserve that the last curve trade reports, or the sum without the reverted trades (see `foldMarketChanges`). */
async function rewriteCollected(
  transaction: Transaction,
  mint: string,
  graduatedAt: Date | null,
  onCurve: readonly RevertedTrade[],
): Promise<void> {
  if (onCurve.some(({ liquidityInSol }) => liquidityInSol !== null)) {
    const [last] = await transaction<(IndexedTrade & { liquidityInSol: string })[]>`
      select slot, transaction_index, outer_index, inner_index, id, liquidity_in_sol from trades
      where mint_address = ${mint} and liquidity_in_sol is not null
        ${graduatedAt === null ? transaction`` : transaction`and block_time < ${graduatedAt}`}
      ${newestFirst(transaction)}`;
    await transaction`
      update token_markets set sol_collected_in_sol = ${last?.liquidityInSol ?? '0'},
        collected_position = ${last === undefined ? '' : chainPosition(last)}
      where mint_address = ${mint}`;
  }
  for (const { type, solAmount } of onCurve.filter(({ liquidityInSol }) => liquidityInSol === null)) {
    const change =
      type === 'buy' ? transaction`- ${solAmount}::numeric` : transaction`+ ${solAmount}::numeric`;
    await transaction`
      update token_markets set sol_collected_in_sol = sol_collected_in_sol ${change} where mint_address = ${mint}`;
  }
}
