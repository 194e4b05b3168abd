import { rawToDecimal } from '../../src/shared/decimal.ts';
import { wait } from '../../src/shared/loop.ts';
import type { ConfirmedTransaction, SolanaRpc } from '../solana-rpc.ts';
import { lamportsToSol, spotPriceInSol, TOKEN_DECIMALS } from './curve.ts';
import type { SentTrade } from './exchange.ts';
import type { Feed } from './feed.ts';

const POLL_MS = 150;
const DEADLINE_MS = 10_000;
/** More than one batch, with room for other transfers to the fee wallet. */
const LOOK_BACK = 200;

/**
 * Waits until the trades are confirmed and reports those that succeeded. Every trade pays the fee wallet, so one query
 * for that wallet finds all of them. False when one failed or was lost: the caller's balances are wrong then.
 */
export async function settleTrades(
  trades: readonly SentTrade[],
  feeWallet: string,
  rpc: SolanaRpc,
  feed: Feed,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + DEADLINE_MS;
  let waiting = [...trades];
  let allSucceeded = true;
  while (waiting.length > 0 && performance.now() < deadline) {
    signal.throwIfAborted();
    const recent = await rpc.recentTransactions(feeWallet, LOOK_BACK);
    const confirmed = new Map(recent.map((one) => [one.signature, one]));
    const landed = waiting.flatMap((trade) => {
      const found = confirmed.get(trade.signature);
      return found === undefined ? [] : [{ trade, found }];
    });
    const successes = landed.filter(({ found }) => found.err === null);
    if (successes.length < landed.length) allSucceeded = false;
    await Promise.all(successes.map(({ trade, found }) => reportTrade(trade, found, feed)));
    waiting = waiting.filter(({ signature }) => !confirmed.has(signature));
    if (waiting.length > 0) await wait(POLL_MS, signal);
  }
  return allSucceeded && waiting.length === 0;
}

/** `ingest.trade` (contract/ingest#stream), with exactly the amounts that the transaction moved. */
async function reportTrade(trade: SentTrade, found: ConfirmedTransaction, feed: Feed): Promise<void> {
  const { token, trader, side, quote, signature, tokenInstructionIndex } = trade;
  const { slot, transactionIndex, blockTime } = found;
  const message = {
    mintAddress: token.mint.publicKey.toBase58(),
    type: side,
    traderWallet: trader.publicKey.toBase58(),
    solAmount: lamportsToSol(quote.traderLamports),
    tokenAmount: rawToDecimal(quote.tokensRaw, TOKEN_DECIMALS),
    spotPriceInSol: spotPriceInSol(quote.after),
    liquidityInSol: lamportsToSol(quote.after.lamports),
    slot: String(slot),
    ...(transactionIndex === undefined ? {} : { transactionIndex }),
    outerIndex: tokenInstructionIndex,
    innerIndex: 0,
    blockTime: blockTime === null ? new Date().toISOString() : new Date(blockTime * 1000).toISOString(),
    transactionSignature: signature,
  };
  await feed.publish('trade', message, `trade:${signature}:${tokenInstructionIndex}`);
}
