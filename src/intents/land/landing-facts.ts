import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import type { LandedTransaction } from '../../chain/landed-transaction.ts';
import { wholeTokenPrice } from '../../chain/pools/spot-price.ts';
import { readTransaction, type TransactionView } from '../../chain/transaction-reader.ts';
import { transactionId } from '../../chain/transactions/transaction-id.ts';
import type { IntentQuote } from '../../db/values/transaction-intents.ts';
import { encodeAddress } from '../../shared/address.ts';
import type { LandingFacts } from './landing.ts';

const KEY_BYTES = 32;
const SOL_DECIMALS = 9;
const BASIS_POINTS = 10_000n;
/** The largest int4 of Postgres. */
const BPS_MAX = 2n ** 31n - 1n;

/** An intent as its landing is judged. */
export interface LandedIntent {
  signedTransaction: Uint8Array;
  expectedSigner: string;
  quote: IntentQuote | null;
  tipLamports: bigint | null;
}

/** What the wallet paid and got in a swap. */
type SwapFacts = Pick<LandingFacts, 'inputRaw' | 'outputRaw' | 'priceInSol' | 'quoteDifferenceBps'>;

const noSwap: SwapFacts = { inputRaw: null, outputRaw: null, priceInSol: null, quoteDifferenceBps: null };

/**
 * The facts of a landing. Accounts come from the signed bytes, balances from the node. Null when the node
 * reports another transaction.
 */
export function landingFacts(intent: LandedIntent, landed: LandedTransaction): LandingFacts | null {
  const { signedTransaction, expectedSigner, quote, tipLamports } = intent;
  const view = readTransaction(signedTransaction);
  if (view === null || transactionId(signedTransaction) !== landed.signature) return null;
  const looked = view.lookups.reduce((sum, one) => sum + one.writableCount + one.readonlyCount, 0);
  if (landed.lamportsChanges.length !== view.keyCount + looked) return null;
  const wallet = keysOf(signedTransaction, view).indexOf(expectedSigner);
  const changed = tokenChanges(landed, expectedSigner);
  return {
    succeeded: !landed.failed,
    blockTime: landed.blockTime,
    indexInBlock: landed.indexInBlock,
    feeLamports: landed.feeLamports,
    computeUnits: landed.computeUnits,
    // A transaction that failed has paid nothing but its fee.
    paidTipLamports: landed.failed && tipLamports !== null ? 0n : tipLamports,
    changes: {
      lamports: String(landed.lamportsChanges[wallet] ?? 0n),
      tokens: [...changed].map(([mintAddress, change]) => ({ mintAddress, changeRaw: String(change) })),
    },
    ...(quote === null || landed.failed ? noSwap : swapFacts(intent, quote, view, landed)),
  };
}

/** Changes of the wallet's tokens by mint, without those that are zero. */
function tokenChanges({ tokenAccounts }: LandedTransaction, owner: string): Map<string, bigint> {
  const changes = new Map<string, bigint>();
  for (const { mintAddress, ownerAddress, beforeRaw, afterRaw } of tokenAccounts) {
    if (ownerAddress !== owner) continue;
    const change = (afterRaw ?? 0n) - (beforeRaw ?? 0n);
    changes.set(mintAddress, (changes.get(mintAddress) ?? 0n) + change);
  }
  for (const [mint, change] of changes) if (change === 0n) changes.delete(mint);
  return changes;
}

function swapFacts(
  intent: LandedIntent,
  quote: IntentQuote,
  view: TransactionView,
  landed: LandedTransaction,
): SwapFacts {
  const isBuy = quote.side === 'buy';
  const mint = isBuy ? quote.outputMint : quote.inputMint;
  const tokenRaw = tokenChanges(landed, intent.expectedSigner).get(mint) ?? 0n;
  const decimals = landed.tokenAccounts.find(({ mintAddress }) => mintAddress === mint)?.decimals;
  const solRaw = solChange(intent, view, landed);
  const [inRaw, outRaw] = isBuy ? [-solRaw, tokenRaw] : [-tokenRaw, solRaw];
  if (mint === WRAPPED_SOL_MINT || decimals === undefined || inRaw <= 0n || outRaw <= 0n) return noSwap;
  const [numerator, denominator] = isBuy ? [inRaw, outRaw] : [outRaw, inRaw];
  return {
    inputRaw: String(inRaw),
    outputRaw: String(outRaw),
    priceInSol: wholeTokenPrice({ numerator, denominator }, decimals, SOL_DECIMALS),
    quoteDifferenceBps: differenceBps(quote, inRaw, outRaw),
  };
}

/**
 * Lamports that the wallet got for its tokens; negative when it paid. Rent only moves between the wallet and its
 * token accounts. The fee of the transaction and the tip are no part of the swap.
 */
function solChange(intent: LandedIntent, view: TransactionView, landed: LandedTransaction): bigint {
  const { expectedSigner, signedTransaction, tipLamports } = intent;
  const wallet = keysOf(signedTransaction, view).indexOf(expectedSigner);
  let change = landed.lamportsChanges[wallet] ?? 0n;
  for (const { ownerAddress, lamportsChange } of landed.tokenAccounts)
    if (ownerAddress === expectedSigner) change += lamportsChange;
  return change + (tipLamports ?? 0n) + (wallet === 0 ? landed.feeLamports : 0n);
}

/** How much better than quoted, in basis points of the quoted amount, cut off towards zero. */
function differenceBps(quote: IntentQuote, inRaw: bigint, outRaw: bigint): number | null {
  const [quoted, gained] =
    quote.mode === 'exact-in'
      ? [BigInt(quote.outputRaw), outRaw - BigInt(quote.outputRaw)]
      : [BigInt(quote.inputRaw), BigInt(quote.inputRaw) - inRaw];
  if (quoted === 0n) return null;
  const bps = (gained * BASIS_POINTS) / quoted;
  return Number(bps > BPS_MAX ? BPS_MAX : bps < -BPS_MAX ? -BPS_MAX : bps);
}

function keysOf(bytes: Uint8Array, { keysOffset, keyCount }: TransactionView): string[] {
  return Array.from({ length: keyCount }, (_, at) => {
    const start = keysOffset + at * KEY_BYTES;
    return encodeAddress(bytes.subarray(start, start + KEY_BYTES));
  });
}
