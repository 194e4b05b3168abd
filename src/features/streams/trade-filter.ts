import { type TradeType, tradeTypes } from '../../db/values/trades.ts';
import { isAddress } from '../../shared/address.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import { suggestedName } from '../../shared/known-names.ts';

/** Wallets that all topics of a stream may name (contract/streams#limits). */
export const WALLETS_MAX = 100;

/** Which trades of a topic are sent (contract/streams#filters). Every condition has to hold. */
export interface TradeFilter {
  /** The least SOL of a trade, in lamports; 0 for any. */
  minimumLamports: bigint;
  side: TradeType | null;
  /** Any of these wallets; empty for all. */
  wallets: readonly string[];
}

const MIN_SOL = /^(0|[1-9][0-9]{0,9})(\.[0-9]{1,9})?$/;
const CONDITIONS = ['minSol', 'side', 'wallet'] as const;
const LAMPORT_DIGITS = 9;

/**
 * A filter of `name=value` parts and its one spelling, or what is wrong with them.
 * @param parts what follows the first semicolon of a topic
 */
export function parseFilter(
  parts: readonly string[],
): { filter: TradeFilter; text: string } | { mistake: string } {
  let minSol: string | null = null;
  let side: TradeType | null = null;
  const wallets = new Set<string>();
  for (const part of parts) {
    const at = part.indexOf('=');
    const [name, value] = [part.slice(0, at), part.slice(at + 1)];
    if (name === 'minSol') {
      if (minSol !== null) return { mistake: 'minSol stands twice' };
      if (!MIN_SOL.test(value) || !/[1-9]/.test(value))
        return { mistake: 'minSol is a decimal above 0 with at most 9 fraction digits' };
      minSol = normaliseDecimal(value);
    } else if (name === 'side') {
      if (side !== null) return { mistake: 'side stands twice' };
      side = tradeTypes.find((type) => type === value) ?? null;
      if (side === null) return { mistake: `side is one of ${tradeTypes.join(', ')}` };
    } else if (name === 'wallet') {
      if (!isAddress(value)) return { mistake: 'wallet is an address; repeat it for several' };
      wallets.add(value);
    } else
      return {
        mistake: `a filter has minSol, side and wallet, each as name=value${suggestedName(name, CONDITIONS)}`,
      };
  }
  const sorted = [...wallets].sort();
  const text = [
    ...(minSol === null ? [] : [`minSol=${minSol}`]),
    ...(side === null ? [] : [`side=${side}`]),
    ...sorted.map((wallet) => `wallet=${wallet}`),
  ].join(';');
  const minimumLamports = minSol === null ? 0n : wholeLamports(minSol);
  return { filter: { minimumLamports, side, wallets: sorted }, text };
}

/**
 * Whole lamports of a decimal amount of SOL. Minimums are whole, so an amount reaches one exactly if its
 * whole lamports do.
 */
export function wholeLamports(sol: string): bigint {
  const [whole = '0', fraction = ''] = sol.split('.');
  return BigInt(whole + fraction.slice(0, LAMPORT_DIGITS).padEnd(LAMPORT_DIGITS, '0'));
}
