import type { Logger } from '../../shared/log.ts';
import type { DecodedTransaction, SkipReason } from '../decode/decoded-transaction.ts';
import type { UnusablePoolReason } from '../store/token-pools.ts';

/** Facts that the indexer could not use: a sign of a program upgrade, or of a pool that it cannot index. */
export const unusedKinds = ['unknown_event', 'skipped_swap', 'skipped_event', 'unusable_pool'] as const;
export type UnusedKind = (typeof unusedKinds)[number];

/** Called for each fact. An unknown event has no reason, because a program may have any number of them. */
export type OnUnused = (kind: UnusedKind, reason: string) => void;

/**
 * Counts the facts that the indexer could not use, by kind and reason. For transactions it logs an error at
 * the first of a kind, then at 10, 100 and so on, so that an upgrade that changes every swap is seen and does
 * not flood the log.
 */
export class UndecodedCounts {
  readonly #totals = new Map<string, number>();
  readonly #log: Logger;
  readonly #onUnused: OnUnused;

  constructor(log: Logger, onUnused: OnUnused) {
    this.#log = log;
    this.#onUnused = onUnused;
  }

  record(poolAddress: string, signature: string, decoded: DecodedTransaction): void {
    const where = { poolAddress, signature };
    for (const [discriminator, count] of decoded.unknownEvents)
      for (let at = 0; at < count; at += 1) this.#add('unknown_event', discriminator, where);
    for (const reason of decoded.skippedSwaps) this.#add('skipped_swap', reason, where);
    for (const { eventName, reason } of decoded.skippedEvents)
      this.#add('skipped_event', reason, { ...where, eventName });
  }

  /** The caller logs it. */
  recordUnusablePool(reason: UnusablePoolReason): void {
    this.#count('unusable_pool', reason);
  }

  #add(kind: UnusedKind, what: SkipReason | string, where: object): void {
    const total = this.#count(kind, what);
    const isRound = /^10*$/.test(total.toString());
    if (isRound) this.#log.error({ kind: `${kind} ${what}`, total, ...where }, 'indexer.undecoded');
  }

  /** Returns the total since the start of the process. */
  #count(kind: UnusedKind, what: string): number {
    const key = `${kind} ${what}`;
    const total = (this.#totals.get(key) ?? 0) + 1;
    this.#totals.set(key, total);
    this.#onUnused(kind, kind === 'unknown_event' ? '' : what);
    return total;
  }
}
