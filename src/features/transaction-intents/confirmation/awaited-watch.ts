import type { SignatureWakeUps } from '../../../chain/streams/signature-wake-ups.ts';
import type { Logger } from '../../../shared/log.ts';
import type { ConfirmContext } from './confirm-submitted.ts';
import { confirmWoken } from './confirm-woken.ts';
import type { WatchedIntent } from './finish-confirmed.ts';
import { listEnded, listNewlyAwaited } from './list-awaited-intents.ts';
import { WokenReads } from './woken-reads.ts';

/** Of one statement. */
const LIST_MAX = 256;
/** What was submitted before it is left to polls. */
const RECENT_MS = 30_000;
/** A row may become visible this long after one with a later time: commits take their time, and clocks differ. */
const OVERLAP_MS = 2_000;
/** How long a subscription may outlive an intent that another worker or a poll has ended. */
const ENDED_CHECK_MS = 1_000;

export interface AwaitedWatchDependencies {
  context: ConfirmContext;
  wakeUps: SignatureWakeUps;
  log: Logger;
  signal: AbortSignal;
}

/** Keeps the subscriptions of one worker in step with the submitted intents, and reads what a notification names. */
export class AwaitedWatch {
  readonly #dependencies: AwaitedWatchDependencies;
  readonly #reads: WokenReads;
  readonly #bySignature = new Map<string, WatchedIntent>();
  /** Rows that were listed, by when they were queued: the next list overlaps. */
  readonly #listed = new Map<string, number>();
  #newestMs = 0;
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

  /** Subscribes to what was submitted since the last time; true when there is more. Now and then ends what is over. */
  async refresh(): Promise<boolean> {
    const { context, wakeUps } = this.#dependencies;
    if (performance.now() - this.#checkedAtMs >= ENDED_CHECK_MS) await this.#dropEnded();
    const nowMs = context.clock.now().getTime();
    const sinceMs = Math.max(Math.min(this.#newestMs, nowMs) - OVERLAP_MS, nowMs - RECENT_MS);
    for (const [intentId, queuedAtMs] of this.#listed)
      if (queuedAtMs <= sinceMs) this.#listed.delete(intentId);
    const rows = await listNewlyAwaited(context.db, new Date(sinceMs), [...this.#listed.keys()], LIST_MAX);
    for (const { queuedAt, ...intent } of rows) {
      const { intentId, signature } = intent;
      this.#listed.set(intentId, queuedAt.getTime());
      this.#newestMs = Math.max(this.#newestMs, queuedAt.getTime());
      this.#bySignature.set(signature, intent);
      const given = wakeUps.want(signature);
      if (given !== null) this.#bySignature.delete(given);
    }
    return rows.length === LIST_MAX;
  }

  /** A node says that the transaction is confirmed. */
  onNotification(signature: string): void {
    const intent = this.#bySignature.get(signature);
    if (intent !== undefined) this.#reads.add(intent);
  }

  /** Resolves when nothing is read any more. */
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
