import { LookupFailure } from './query.ts';

/** On whose behalf a name is looked up; no endpoint while it is being created. */
export interface LookupOwner {
  accountId: string;
  endpointId: string | null;
}

export interface LookupLimits {
  /** Look-ups in flight in this process. */
  total: number;
  perAccount: number;
  perEndpoint: number;
  waiting: number;
  /** Longest wait for a turn. */
  turnMs: number;
}

interface Waiter {
  owner: LookupOwner;
  admit(): void;
}

/**
 * Who may look up now. Zones that never answer hold their look-ups for the whole deadline, so an account and an
 * endpoint have shares: one that uses up its share waits, all others go on.
 */
export class LookupTurns {
  readonly #limits: LookupLimits;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #total = 0;

  constructor(limits: LookupLimits) {
    this.#limits = limits;
  }

  /** Waits for a turn; call the returned function once, when the look-up has ended. Rejects with LookupFailure. */
  take(owner: LookupOwner): Promise<() => void> {
    if (this.#hasRoom(owner)) return Promise.resolve(this.#hold(owner));
    const { waiting, turnMs } = this.#limits;
    if (this.#waiting.size >= waiting)
      return Promise.reject(new LookupFailure('no_turn', `${waiting} look-ups are waiting already`));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        owner,
        admit: () => {
          clearTimeout(timer);
          resolve(this.#hold(owner));
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(new LookupFailure('no_turn', `too many look-ups in flight, no turn within ${turnMs} ms`));
      }, turnMs);
      this.#waiting.add(waiter);
    });
  }

  #hasRoom(owner: LookupOwner): boolean {
    const { total, perAccount, perEndpoint } = this.#limits;
    const { accountId, endpointId } = owner;
    return (
      this.#total < total &&
      this.#heldBy(accountKey(accountId)) < perAccount &&
      (endpointId === null || this.#heldBy(endpointKey(endpointId)) < perEndpoint)
    );
  }

  #hold(owner: LookupOwner): () => void {
    this.#add(owner, 1);
    return () => {
      this.#add(owner, -1);
      for (const waiter of this.#waiting) {
        if (!this.#hasRoom(waiter.owner)) continue;
        this.#waiting.delete(waiter);
        waiter.admit();
        return;
      }
    };
  }

  #heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  #add(owner: LookupOwner, count: number): void {
    this.#total += count;
    const { accountId, endpointId } = owner;
    for (const key of [accountKey(accountId), ...(endpointId === null ? [] : [endpointKey(endpointId)])]) {
      const held = this.#heldBy(key) + count;
      if (held === 0) this.#held.delete(key);
      else this.#held.set(key, held);
    }
  }
}

const accountKey = (accountId: string) => `account ${accountId}`;
const endpointKey = (endpointId: string) => `endpoint ${endpointId}`;
