import { readLandedTransaction } from '../../chain/landed-transaction.ts';
import { getTransaction } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { transactionId } from '../../chain/transactions/transaction-id.ts';
import type { FollowedIntent } from './claim-landings.ts';
import type { LandingFacts } from './landing.ts';
import { landingFacts } from './landing-facts.ts';

const TIMEOUT_MS = 2_000;
/** A batch is claimed for a second. What has no turn by then is read at its next look. */
const TURNS_MS = 800;

/** Bounds the transactions that are read of all nodes together, so that submissions find them free. */
export interface FactBudget {
  /** Resolves with true when one may be read, and with false when that is not before `signal`. */
  takeUntil(signal: AbortSignal): Promise<boolean>;
}

/**
 * Reads transactions for one batch of landings, as far as the budget allows it within the time of the batch. A
 * node that fails is asked nothing more in this batch, so that a hanging node costs its timeout once.
 */
export class FactReader {
  readonly #rpcs: readonly ChainRpc[];
  readonly #budget: FactBudget | undefined;
  readonly #turns = AbortSignal.timeout(TURNS_MS);
  readonly #failed = new Set<ChainRpc>();

  constructor(rpcs: readonly ChainRpc[], budget: FactBudget | undefined) {
    this.#rpcs = rpcs;
    this.#budget = budget;
  }

  /**
   * The facts of a transaction in the block of `slot` on which `needed` nodes agree. Null when too few nodes
   * have it, `disputed` when the nodes that have it differ, `no_turn` when the budget did not let them be asked.
   */
  async read(
    intent: FollowedIntent,
    slot: bigint,
    needed: number,
  ): Promise<LandingFacts | 'disputed' | 'no_turn' | null> {
    const counts = new Map<string, number>();
    for (const rpc of this.#rpcs) {
      const facts = await this.#readAt(rpc, intent, slot);
      if (facts === 'no_turn') return facts;
      if (facts === null) continue;
      const text = comparable(facts);
      const count = (counts.get(text) ?? 0) + 1;
      if (count >= needed) return facts;
      counts.set(text, count);
    }
    return counts.size > 1 ? 'disputed' : null;
  }

  async #readAt(
    rpc: ChainRpc,
    intent: FollowedIntent,
    slot: bigint,
  ): Promise<LandingFacts | 'no_turn' | null> {
    if (this.#failed.has(rpc)) return null;
    const { signedTransaction, expectedSigner, quote, tipLamports } = intent;
    const signature = transactionId(signedTransaction);
    if (signature === null) return null;
    if (this.#budget !== undefined && !(await this.#budget.takeUntil(this.#turns))) return 'no_turn';
    // It may have failed while this one waited for its turn.
    if (this.#failed.has(rpc)) return null;
    const read = await getTransaction(rpc, signature, TIMEOUT_MS);
    if (!read.ok) this.#failed.add(rpc);
    const landed = read.ok && read.value !== null ? readLandedTransaction(read.value) : null;
    if (landed === null || landed.slot !== slot) return null;
    return landingFacts({ signedTransaction, expectedSigner, quote, tipLamports }, landed);
  }
}

/** Older nodes leave out where a transaction is in its block, what it used, and when: that is no difference. */
function comparable({ blockTime, indexInBlock, computeUnits, ...facts }: LandingFacts): string {
  return JSON.stringify(facts, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
