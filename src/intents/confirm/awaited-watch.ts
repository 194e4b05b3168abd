import type { SignatureWakeUps } from '../../chain/streams/signature-wake-ups.ts';
import type { Logger } from '../../shared/log.ts';
import type { ConfirmContext } from './confirm-submitted.ts';
import { confirmWoken } from './confirm-woken.ts';
import {
  listAwaited,
  listEnded,
  listNewlyAwaited,
  type QueuedIntent,
  type WatchedIntent,
} from './list-awaited-intents.ts';
import { WokenReads } from './woken-reads.ts';

/** Intents that one statement lists. */
const LIST_MAX = 256;
/** Interval of the search for submissions without a hint. */
const UNHINTED_MS = 2_000;
/** Polls alone confirm older submissions. */
const RECENT_MS = 30_000;
/**
 * A row may become visible this long after a row with a later time, because commits take time and clocks
 * differ.
 */
const OVERLAP_MS = 2_000;
/** How long a subscription may stay open after another worker or a poll has ended its intent. */
const ENDED_CHECK_MS = 1_000;

export interface AwaitedWatchDependencies {
  context: ConfirmContext;
  wakeUps: SignatureWakeUps;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Keeps the subscriptions of one worker in step with the submitted intents, and reads the transactions that
 * notifications name.
 */
export class AwaitedWatch {
  readonly #dependencies: AwaitedWatchDependencies;
  readonly #reads: WokenReads;
  readonly #bySignature = new Map<string, WatchedIntent>();
  /** Listed rows, with the time at which they were queued: the next list overlaps. */
  readonly #listed = new Map<string, number>();
  /** Changed intents that were not listed since. */
  readonly #hinted = new Set<string>();
  #newestMs = 0;
  #soughtAtMs = Number.NEGATIVE_INFINITY;
  #checkedAtMs = performance.now();

  constructor(dependencies: AwaitedWatchDependencies) {
    this.#dependencies = dependencies;
    const { context, wakeUps, log, signal } = dependencies;
    this.#reads = new WokenReads({
      confirm: (intents) => confirmWoken(context, intents),
      onLanded: ({ signature }) => this.#landed(signature),
      onUnproven: ({ signature }) => wakeUps.unproven(signature),
      log,
      signal,
    });
  }

  /** Takes the ids of changed intents and operations. True when one of them may be new here. */
  onChanged(ids: readonly string[]): boolean {
    for (const id of ids) if (!this.#listed.has(id)) this.#hinted.add(id);
    return this.#hinted.size > 0;
  }

  /**
   * Subscribes to the submissions since the last call; true when there are more. Now and then it ends the
   * subscriptions of intents that have ended.
   */
  async refresh(): Promise<boolean> {
    const { context } = this.#dependencies;
    if (performance.now() - this.#checkedAtMs >= ENDED_CHECK_MS) await this.#dropEnded();
    if (performance.now() - this.#soughtAtMs >= UNHINTED_MS) return this.#seek();
    const ids = [...this.#hinted].slice(0, LIST_MAX);
    for (const id of ids) this.#hinted.delete(id);
    if (ids.length > 0) this.#watch(await listAwaited(context.db, ids));
    return this.#hinted.size > 0;
  }

  /** Finds submissions by their time whose hint came too early or was lost. */
  async #seek(): Promise<boolean> {
    const { context } = this.#dependencies;
    const startedAtMs = performance.now();
    const nowMs = context.clock.now().getTime();
    const sinceMs = Math.max(Math.min(this.#newestMs, nowMs) - OVERLAP_MS, nowMs - RECENT_MS);
    for (const [intentId, queuedAtMs] of this.#listed)
      if (queuedAtMs <= sinceMs) this.#listed.delete(intentId);
    const rows = await listNewlyAwaited(context.db, new Date(sinceMs), [...this.#listed.keys()], LIST_MAX);
    this.#watch(rows);
    if (rows.length < LIST_MAX) this.#soughtAtMs = startedAtMs;
    return rows.length === LIST_MAX || this.#hinted.size > 0;
  }

  #watch(queued: readonly QueuedIntent[]): void {
    const { wakeUps } = this.#dependencies;
    for (const { queuedAt, ...intent } of queued) {
      const { intentId, signature } = intent;
      this.#hinted.delete(intentId);
      this.#listed.set(intentId, queuedAt.getTime());
      this.#newestMs = Math.max(this.#newestMs, queuedAt.getTime());
      this.#bySignature.set(signature, intent);
      const given = wakeUps.want(signature);
      if (given !== null) this.#bySignature.delete(given);
    }
  }

  /** A node says that the transaction is confirmed. */
  onNotification(signature: string): void {
    const intent = this.#bySignature.get(signature);
    if (intent !== undefined) this.#reads.add(intent);
  }

  /** Resolves when no read is running any more. */
  finish(): Promise<void> {
    return this.#reads.finish();
  }

  async #dropEnded(): Promise<void> {
    const { context, wakeUps } = this.#dependencies;
    this.#checkedAtMs = performance.now();
    if (this.#bySignature.size === 0) return;
    const signatures = new Map(
      [...this.#bySignature].map(([signature, { intentId }]) => [intentId, signature]),
    );
    for (const { intentId, hasLanded } of await listEnded(context.db, [...signatures.keys()])) {
      const signature = signatures.get(intentId) ?? '';
      if (hasLanded) this.#landed(signature);
      else {
        this.#bySignature.delete(signature);
        wakeUps.drop(signature);
      }
    }
  }

  #landed(signature: string): void {
    this.#bySignature.delete(signature);
    this.#dependencies.wakeUps.landed(signature);
  }
}
