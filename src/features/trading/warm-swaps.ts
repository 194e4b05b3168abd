import { computeUnitLimitFor } from '../../chain/transactions/compute-budget.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

const SHAPES_MAX = 10_000;
/** Blockhashes change every second; older ones are not given out any more. */
const BLOCKHASHES_MAX = 32;
/** A simulation counts this long for further swaps of the same shape. */
const WARM_MS = 10_000;

/**
 * Two swaps of one shape run the same code with the same accounts. Their amounts matter only by the number
 * of segments.
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
  /** Whether a platform fee is paid, and one that opens an account which does not exist; unknown without the rent. */
  payment: 'none' | 'small' | 'opening' | 'unknown';
}

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

  /** Records a successful simulation. */
  note(shape: SwapShape, blockhash: string, unitsConsumed: number): void {
    this.#proven.set(blockhash, true);
    // A simulation without reported units does not count.
    if (unitsConsumed === 0 || shape.payment === 'unknown') return;
    const untilMs = this.#nowMs() + WARM_MS;
    const computeUnitLimit = computeUnitLimitFor(unitsConsumed);
    this.#limits.set(keyOf(shape), { computeUnitLimit, stretches: shape.stretches, untilMs });
  }

  /** The unit limit for a swap that needs no simulation; null when it needs one. */
  limitFor(shape: SwapShape, blockhash: string): number | null {
    if (this.#proven.get(blockhash) === undefined) return null;
    const known = this.#limits.get(keyOf(shape));
    if (known === undefined || known.untilMs <= this.#nowMs() || known.stretches < shape.stretches)
      return null;
    return known.computeUnitLimit;
  }
}

function keyOf(shape: SwapShape): string {
  const { wallet, poolAddress, side, mode, version, completesCurve, payment } = shape;
  return `${wallet} ${poolAddress} ${side} ${mode} ${version} ${completesCurve} ${payment}`;
}
