import { readLandedTransaction } from '../../../chain/landed-transaction.ts';
import { getTransaction } from '../../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';
import { transactionId } from '../transaction-id.ts';
import type { FollowedIntent } from './claim-landings.ts';
import type { LandingFacts } from './landing.ts';
import { landingFacts } from './landing-facts.ts';

const TIMEOUT_MS = 2_000;

/**
 * Reads transactions for one batch of landings. A node that fails is asked nothing more in this batch, so that
 * a hanging node costs its timeout once.
 */
export class FactReader {
  readonly #rpcs: readonly ChainRpc[];
  readonly #failed = new Set<ChainRpc>();

  constructor(rpcs: readonly ChainRpc[]) {
    this.#rpcs = rpcs;
  }

  /**
   * The facts of a transaction in the block of `slot` on which `needed` nodes agree. Null when too few nodes
   * have it, `disputed` when the nodes that have it differ.
   */
  async read(
    intent: FollowedIntent,
    slot: bigint,
    needed: number,
  ): Promise<LandingFacts | 'disputed' | null> {
    const counts = new Map<string, number>();
    for (const rpc of this.#rpcs) {
      const facts = await this.#readAt(rpc, intent, slot);
      if (facts === null) continue;
      const text = comparable(facts);
      const count = (counts.get(text) ?? 0) + 1;
      if (count >= needed) return facts;
      counts.set(text, count);
    }
    return counts.size > 1 ? 'disputed' : null;
  }

  async #readAt(rpc: ChainRpc, intent: FollowedIntent, slot: bigint): Promise<LandingFacts | null> {
    if (this.#failed.has(rpc)) return null;
    const { signedTransaction, expectedSigner, quote, tipLamports } = intent;
    const signature = transactionId(signedTransaction);
    if (signature === null) return null;
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
