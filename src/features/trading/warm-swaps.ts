import { computeUnitLimitFor } from '../../chain/transactions/compute-budget.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

const SHAPES_MAX = 10_000;
/** Blockhashes change every second; older ones are not given out any more. */
const BLOCKHASHES_MAX = 32;
/** A simulation counts this long for further swaps of the same shape. */
const WARM_MS = 10_000;

/**
 * Everything on which the work of a swap depends: two swaps of one shape run the same code with the same accounts, and
 * open the same ones. Their amounts matter only by the number of segments. Every field but `stretches` is part of the key.
 */
export interface SwapShape {
  wallet: string;
  poolAddress: string;
  side: 'buy' | 'sell';
  mode: string;
  version: string;
  completesCurve: boolean;
  /** As in `Quote`. A swap through more segments than the simulated one takes more units. */
  stretches: number;
  /** The wallet's accounts for wrapped SOL and for the token, before the swap. */
  wrapped: AccountBefore;
  token: AccountBefore;
  platformFee: PaidAccount;
  tip: PaidAccount;
}

/** `open`, or the lamports on an address where an account has to be opened: opening takes other steps over some. */
export type AccountBefore = 'open' | `${bigint} lamports`;

/** Who is paid, and whether the payment is enough to open an account that does not exist. */
export type PaidAccount = 'none' | `${string} ${'small' | 'opening'}`;

interface MeasuredSwap {
  computeUnitLimit: number;
  stretches: number;
  untilMs: number;
}

/**
 * Recently simulated shapes of swaps. Another swap of such a shape needs no simulation: its amounts are
 * computed exactly, and its units are known. A blockhash counts only when some simulation has used it, so no
 * untested node is believed.
 */
export class WarmSwaps {
  readonly #limits = new BoundedMap<string, MeasuredSwap>(SHAPES_MAX);
  readonly #proven = new BoundedMap<string, true>(BLOCKHASHES_MAX);
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Records a successful simulation. Without a shape, or without reported units, it counts for the blockhash alone. */
  note(shape: SwapShape | null, blockhash: string, unitsConsumed: number): void {
    this.#proven.set(blockhash, true);
    if (shape === null || unitsConsumed === 0) return;
    const untilMs = this.#nowMs() + WARM_MS;
    const computeUnitLimit = computeUnitLimitFor(unitsConsumed);
    this.#limits.set(keyOf(shape), { computeUnitLimit, stretches: shape.stretches, untilMs });
  }

  /** The unit limit for a swap that needs no simulation; null when it needs one, as every swap without a shape does. */
  limitFor(shape: SwapShape | null, blockhash: string): number | null {
    if (shape === null || this.#proven.get(blockhash) === undefined) return null;
    const known = this.#limits.get(keyOf(shape));
    if (known === undefined || known.untilMs <= this.#nowMs() || known.stretches < shape.stretches)
      return null;
    return known.computeUnitLimit;
  }
}

/** `stretches` is no part of it: the measurement of a swap also serves one that passes through no more segments. */
function keyOf(shape: SwapShape): string {
  const { stretches: _, wallet, poolAddress, side, mode, version, completesCurve, ...more } = shape;
  const { wrapped, token, platformFee, tip, ...rest } = more;
  // A new field has to become a part of the key, or this does not compile.
  rest satisfies Record<string, never>;
  return `${wallet} ${poolAddress} ${side} ${mode} ${version} ${completesCurve} ${wrapped} ${token} ${platformFee} ${tip}`;
}
