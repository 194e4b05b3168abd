import { computeUnitLimitFor } from '../../chain/transactions/compute-budget.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

const SHAPES_MAX = 10_000;
/** Blockhashes change every second; older ones are not given out any more. */
const BLOCKHASHES_MAX = 32;
/** A simulation holds this long for further swaps of the same shape. */
const WARM_MS = 10_000;

/** Two swaps of one shape run through the same code with the same accounts. Of the amounts, only the stretches count. */
export interface SwapShape {
  wallet: string;
  poolAddress: string;
  side: 'buy' | 'sell';
  mode: string;
  version: string;
  completesCurve: boolean;
  /** See `Quote`. One that moves through more than the simulated one takes more units. */
  stretches: number;
}

interface MeasuredSwap {
  computeUnitLimit: number;
  stretches: number;
  untilMs: number;
}

/**
 * Swaps of a shape that was simulated a moment ago need no simulation of their own: their amounts are computed exactly, and
 * their units are known. A blockhash counts only when a simulation has used it, whoever's it was: so no node is believed
 * that nobody has tried.
 */
export class WarmSwaps {
  readonly #limits = new BoundedMap<string, MeasuredSwap>(SHAPES_MAX);
  readonly #proven = new BoundedMap<string, true>(BLOCKHASHES_MAX);
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** A simulation succeeded. */
  note(shape: SwapShape, blockhash: string, unitsConsumed: number): void {
    this.#proven.set(blockhash, true);
    // A node that does not report the units warms nothing.
    if (unitsConsumed === 0) return;
    const untilMs = this.#nowMs() + WARM_MS;
    const computeUnitLimit = computeUnitLimitFor(unitsConsumed);
    this.#limits.set(keyOf(shape), { computeUnitLimit, stretches: shape.stretches, untilMs });
  }

  /** The limit for a swap that need not be simulated, or null. */
  limitFor(shape: SwapShape, blockhash: string): number | null {
    if (this.#proven.get(blockhash) === undefined) return null;
    const known = this.#limits.get(keyOf(shape));
    if (known === undefined || known.untilMs <= this.#nowMs() || known.stretches < shape.stretches)
      return null;
    return known.computeUnitLimit;
  }
}

function keyOf({ wallet, poolAddress, side, mode, version, completesCurve }: SwapShape): string {
  return `${wallet} ${poolAddress} ${side} ${mode} ${version} ${completesCurve}`;
}
