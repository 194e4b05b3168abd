import type { Commitment } from '../commitment.ts';
import type { LedgerChange, LedgerListener } from '../ledger-listener.ts';
import type { RpcContext } from '../rpc-context.ts';
import type { Subscription } from './subscription.ts';

const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];
/** A jump over more slots than this announces only the newest ones; transactions are never left out. */
const SLOTS_ANNOUNCED_MAX = 200n;

/** Sends one result of a subscription to its reader. */
export type Notify = (result: unknown) => void;

/**
 * The subscriptions of one node. Changes wait in a queue until the node's view of the chain has passed them at every
 * commitment. Each commitment has its own place in that queue, so no change is reported early or twice.
 */
export class SubscriptionHub implements LedgerListener {
  readonly #contextOf: () => RpcContext;
  readonly #entries = new Map<Subscription, Notify>();
  readonly #places: Record<Commitment, { next: number; slot: bigint }>;
  #queue: LedgerChange[] = [];
  /** How many changes have left the queue. */
  #dropped = 0;

  constructor(contextOf: () => RpcContext) {
    this.#contextOf = contextOf;
    const { view } = contextOf();
    const place = (commitment: Commitment) => ({ next: 0, slot: view.slotAt(commitment) });
    this.#places = {
      processed: place('processed'),
      confirmed: place('confirmed'),
      finalized: place('finalized'),
    };
  }

  add(subscription: Subscription, notify: Notify): void {
    this.#entries.set(subscription, notify);
  }

  /** Sends a subscription that was added what it reports at its start. */
  start(subscription: Subscription): void {
    const notify = this.#entries.get(subscription);
    if (notify === undefined) return;
    this.#send(subscription, notify, subscription.onStart?.(this.#contextOf()) ?? []);
  }

  remove(subscription: Subscription): void {
    this.#entries.delete(subscription);
  }

  changed(change: LedgerChange): void {
    this.#queue.push(change);
    this.#advance('processed', this.#contextOf());
  }

  /** Changes of dropped blocks are no longer reported where they have not been. */
  forked(parentSlot: bigint): void {
    const kept = this.#queue.findLastIndex(({ slot }) => slot <= parentSlot) + 1;
    this.#queue.splice(kept);
    for (const commitment of COMMITMENTS) {
      const place = this.#places[commitment];
      place.next = Math.min(place.next, this.#dropped + kept);
    }
  }

  slotEntered(): void {
    const context = this.#contextOf();
    for (const commitment of COMMITMENTS) this.#advance(commitment, context);
    const done = this.#places.finalized.next - this.#dropped;
    this.#queue.splice(0, done);
    this.#dropped += done;
  }

  /** Moves one commitment to the end of the node's view. */
  #advance(commitment: Commitment, context: RpcContext): void {
    const place = this.#places[commitment];
    const reached = context.view.slotAt(commitment);
    const changes: LedgerChange[] = [];
    for (;;) {
      const change = this.#queue[place.next - this.#dropped];
      if (change === undefined || change.slot > reached) break;
      changes.push(change);
      place.next += 1;
    }
    const slots = slotsAfter(place.slot, reached).filter((slot) => !context.ledger.skipped.has(slot));
    if (reached > place.slot) place.slot = reached;
    if (changes.length === 0 && slots.length === 0) return;
    const accountsBySlot = groupAccounts(changes);
    for (const [subscription, notify] of this.#entries) {
      if (subscription.commitment !== commitment) continue;
      const results: unknown[] = [];
      for (const change of changes) results.push(...(subscription.onChange?.(change, context) ?? []));
      for (const [slot, accounts] of accountsBySlot)
        results.push(...(subscription.onAccounts?.(accounts, slot, context) ?? []));
      for (const slot of slots) results.push(...(subscription.onSlot?.(slot, context) ?? []));
      this.#send(subscription, notify, results);
    }
  }

  #send(subscription: Subscription, notify: Notify, results: readonly unknown[]): void {
    for (const result of results) notify(result);
    if (subscription.isDone?.() === true) this.#entries.delete(subscription);
  }
}

function slotsAfter(known: bigint, reached: bigint): bigint[] {
  const first = reached - known > SLOTS_ANNOUNCED_MAX ? reached - SLOTS_ANNOUNCED_MAX : known;
  const slots: bigint[] = [];
  for (let slot = first + 1n; slot <= reached; slot += 1n) slots.push(slot);
  return slots;
}

function groupAccounts(changes: readonly LedgerChange[]): Map<bigint, Set<string>> {
  const bySlot = new Map<bigint, Set<string>>();
  for (const { slot, accounts } of changes) {
    const group = bySlot.get(slot) ?? new Set<string>();
    for (const address of accounts) group.add(address);
    bySlot.set(slot, group);
  }
  return bySlot;
}
