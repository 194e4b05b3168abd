import { STATUSES_MAX } from '../../chain/rpc/transaction-calls.ts';
import type { Logger } from '../../shared/log.ts';
import { wait } from '../../shared/loop.ts';
import { RunningWork } from '../../shared/running-work.ts';
import type { WokenOutcome } from './confirm-woken.ts';
import type { WatchedIntent } from './list-awaited-intents.ts';

/** Notifications of one block arrive together: those within this time of a read go into the next one. */
const GATHER_MS = 8;
/** Reads that wait for a node. A hanging node delays others only when there are this many. */
const READS_MAX = 4;
/**
 * Pauses before a transaction is read again: one address may lead to several nodes, which see a transaction
 * at different times.
 */
const READ_AGAIN_MS: readonly number[] = [25, 75, 150];

export interface WokenReadsDependencies {
  /** Reads the statuses of up to `STATUSES_MAX` intents, and ends those that landed. */
  confirm(intents: readonly WatchedIntent[]): Promise<WokenOutcome>;
  onLanded(intent: WatchedIntent): void;
  /** Called when nodes have responded several times and none has the transaction. */
  onUnproven(intent: WatchedIntent): void;
  log: Logger;
  signal: AbortSignal;
}

interface Woken {
  intent: WatchedIntent;
  /** How often it has been read for this notification. */
  reads: number;
}

/**
 * Reads the intents of notifications: the first at once, those of the next milliseconds together. A
 * transaction that no node knows is read again a few times.
 */
export class WokenReads {
  readonly #dependencies: WokenReadsDependencies;
  readonly #woken = new Map<string, Woken>();
  readonly #running = new RunningWork();
  #reading = 0;
  #isScheduled = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #failures = 0;

  constructor(dependencies: WokenReadsDependencies) {
    this.#dependencies = dependencies;
  }

  add(intent: WatchedIntent): void {
    this.#add({ intent, reads: 0 });
  }

  /** Resolves when no read is running any more; after the signal has aborted, none begins. */
  finish(): Promise<void> {
    return this.#running.ended();
  }

  #add(woken: Woken): void {
    this.#woken.set(woken.intent.intentId, woken);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#reading >= READS_MAX || this.#woken.size === 0) return;
    this.#isScheduled = true;
    const { signal } = this.#dependencies;
    const pauseMs = this.#readAtMs + GATHER_MS - performance.now();
    // Not before the next turn of the event loop, so that notifications in the socket join the read.
    const due = pauseMs > 0 ? wait(pauseMs, signal) : new Promise<void>((resolve) => setImmediate(resolve));
    this.#running.add(
      due.then(() => {
        this.#isScheduled = false;
        if (!signal.aborted) this.#running.add(this.#read());
      }),
    );
  }

  async #read(): Promise<void> {
    const { confirm, log } = this.#dependencies;
    this.#readAtMs = performance.now();
    this.#reading += 1;
    const batch = [...this.#woken.values()].slice(0, STATUSES_MAX);
    for (const { intent } of batch) this.#woken.delete(intent.intentId);
    this.#schedule();
    try {
      this.#settle(batch, await confirm(batch.map(({ intent }) => intent)));
      this.#failures = 0;
    } catch (err) {
      // Polls will find the transaction.
      this.#failures += 1;
      log[this.#failures === 1 ? 'error' : 'debug']({ err }, 'confirmation.wake_up_failed');
    } finally {
      this.#reading -= 1;
      this.#schedule();
    }
  }

  #settle(batch: readonly Woken[], { landed, doubtful, unknown, isAnswered }: WokenOutcome): void {
    const readsOf = new Map(batch.map(({ intent, reads }) => [intent.intentId, reads + 1]));
    for (const intent of landed) this.#dependencies.onLanded(intent);
    for (const intent of [...doubtful, ...unknown]) {
      const reads = readsOf.get(intent.intentId) ?? 0;
      const pauseMs = READ_AGAIN_MS[reads - 1];
      if (pauseMs !== undefined) this.#running.add(this.#again({ intent, reads }, pauseMs));
      else if (isAnswered && !doubtful.includes(intent)) this.#dependencies.onUnproven(intent);
    }
  }

  async #again(woken: Woken, pauseMs: number): Promise<void> {
    const { signal } = this.#dependencies;
    await wait(pauseMs, signal);
    if (!signal.aborted && !this.#woken.has(woken.intent.intentId)) this.#add(woken);
  }
}
