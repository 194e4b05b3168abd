import type { Transaction } from '../../db/client.ts';
import {
  chainPosition,
  type IndexedTrade,
  isEndPosition,
  type RevertedTrade,
  slotPrefix,
} from '../market/indexed-trade.ts';
import { marketPrice } from '../market/trade-price.ts';
import { lockTokens } from './write-locks.ts';

/**
 * Sets price, liquidity and collected SOL of tokens back to the values of their remaining trades. A source
 * reports the liquidity with all trades of a token or with none, so reverted trades without a reported liquidity change
 * only sums. `as_of` stays, because it is the time up to which the chain is known, and a reversal is knowledge
 * too. The caller holds the lock against writers of trades.
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
      await rewriteLiquidity(transaction, mint, ofMint);
    const graduatedAt = tokens.get(mint)?.graduatedAt ?? null;
    const onCurve = ofMint.filter(
      (trade) => trade.onCurve ?? (graduatedAt === null || trade.blockTime < graduatedAt),
    );
    await rewriteCollected(transaction, mint, graduatedAt, onCurve);
  }
}

const newestFirst = (transaction: Transaction) =>
  transaction`order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc limit 1`;

async function rewritePrice(transaction: Transaction, mint: string): Promise<void> {
  const [last] = await transaction<(IndexedTrade & { price: string })[]>`
    select slot, transaction_index, outer_index, inner_index, id, ${marketPrice(transaction, mint)} as price
    from trades
    where mint_address = ${mint} and ${marketPrice(transaction, mint)} > 0
    ${newestFirst(transaction)}`;
  await transaction`
    update token_markets set price_in_sol = ${last?.price ?? null},
      last_position = ${last === undefined ? '' : chainPosition(last)}
    where mint_address = ${mint}`;
}

/** Liquidity from a later transaction without a trade stays, unless its slot was rolled back too. */
async function rewriteLiquidity(
  transaction: Transaction,
  mint: string,
  reverted: readonly RevertedTrade[],
): Promise<void> {
  const [market] = await transaction<{ liquidityPosition: string }[]>`
    select liquidity_position from token_markets where mint_address = ${mint}`;
  const storedPosition = market?.liquidityPosition ?? '';
  const isRolledBack = reverted.some(({ slot }) => storedPosition.startsWith(slotPrefix(slot)));
  const [last] = await transaction<(IndexedTrade & { liquidityInSol: string })[]>`
    select slot, transaction_index, outer_index, inner_index, id, liquidity_in_sol from trades
    where mint_address = ${mint} and liquidity_in_sol is not null ${newestFirst(transaction)}`;
  const position = last === undefined ? '' : chainPosition(last);
  if (isEndPosition(storedPosition) && !isRolledBack && storedPosition > position) return;
  await transaction`
    update token_markets set liquidity_in_sol = ${last?.liquidityInSol ?? null}, liquidity_position = ${position}
    where mint_address = ${mint}`;
}

/** The reserve of the last curve trade, or the sum without the reverted trades (see `foldMarketChanges`). */
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
        and coalesce(on_curve, ${graduatedAt}::timestamptz is null or block_time < ${graduatedAt}::timestamptz)
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
