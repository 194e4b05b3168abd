import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../db/client.ts';
import { lookUps } from '../../shared/bus/managers.ts';
import { INGEST_STREAM } from '../../shared/bus/topology.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, wait } from '../../shared/loop.ts';
import { type SteadyTime, steadyTime } from '../../shared/steady-time.ts';
import type { NodeSet } from '../pool-history/node-backoff.ts';
import { readIngestPosition } from '../store/ingest-position.ts';
import { BatchEnds } from './batch-ends.ts';
import { judgeLandings, LANDINGS_MAX } from './final-landings.ts';
import { takeBack } from './rolled-back-pool.ts';
import type { NotedBatch } from './unfinal-batch-rows.ts';

/** A block is final some 13 s after its confirmation. */
const IDLE_MS = 5_000;
/** A worker that was stopped or cut off for as long may still publish a trade of a batch that was taken back. */
const LATE_MAX_MS = 600_000;
/** Workers record their position once a second; after an outage a later round of comparisons waits again. */
const APPLIED_TRIES = 20;
const APPLIED_PAUSE_MS = 250;

export interface FinalityDependencies {
  db: Database;
  connection: NatsConnection;
  nodes: NodeSet;
  clock: Clock;
  log: Logger;
  /** Called after cursors were moved back: the state that readers hold of these pools is no longer true. */
  onRolledBack(): void;
  time?: SteadyTime;
}

/**
 * Compares confirmed transactions with the final chain. A rollback of a confirmed block requires that a third
 * of the stake contradicts itself. If it happens, the block's trades are taken back, and the transactions
 * that landed instead are read.
 */
export class FinalityWatch {
  readonly ends: BatchEnds;
  readonly #dependencies: FinalityDependencies;

  constructor(dependencies: FinalityDependencies) {
    this.#dependencies = dependencies;
    this.ends = new BatchEnds(dependencies.db);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { log, time = steadyTime } = this.#dependencies;
    let isLoaded = false;
    await runLoop({
      name: 'finality',
      log,
      signal,
      idleMs: time.timerMs(IDLE_MS),
      step: async () => {
        if (!isLoaded) await this.ends.load();
        isLoaded = true;
        return this.#compare(signal);
      },
    });
  }

  /** True when there may be more to compare now. */
  async #compare(signal: AbortSignal): Promise<boolean> {
    const { nodes } = this.#dependencies;
    const asked = this.ends.oldest(LANDINGS_MAX);
    if (asked.length === 0) return false;
    const verdicts = await judgeLandings(nodes, asked);
    const having = (verdict: (typeof verdicts)[number]) =>
      new Set(asked.filter((_, at) => verdicts[at] === verdict));
    const final = having('final');
    await this.ends.remove(final);
    this.ends.postpone(having('unknown'));
    await this.#takeBack(having('elsewhere'), signal);
    return final.size === LANDINGS_MAX;
  }

  async #takeBack(gone: ReadonlySet<NotedBatch>, signal: AbortSignal): Promise<void> {
    if (gone.size === 0) return;
    this.ends.postpone(gone);
    if (!(await this.#isIngestApplied(signal))) return;
    const { db, connection, nodes, clock, log, onRolledBack } = this.#dependencies;
    let hasMoved = false;
    for (const end of gone) {
      const now = clock.now();
      const trades = await takeBack({ db, connection, nodes, now: () => now }, end);
      const { takenBackAt } = end;
      if (takenBackAt === null || trades > 0) {
        hasMoved = true;
        await this.ends.takenBack(end, takenBackAt ?? now);
        const { poolAddress, signature, slot } = end;
        log.error({ poolAddress, signature, slot: slot.toString(), trades }, 'indexer.rolled_back');
      } else if (now.getTime() - takenBackAt.getTime() > LATE_MAX_MS) await this.ends.remove(new Set([end]));
    }
    if (hasMoved) onRolledBack();
  }

  /** Whether the trades that were published until now are stored: only stored trades can be taken back. */
  async #isIngestApplied(signal: AbortSignal): Promise<boolean> {
    const { db, connection } = this.#dependencies;
    const { created, state } = await (await lookUps(connection)).streams.info(INGEST_STREAM);
    for (let tries = 0; tries < APPLIED_TRIES && !signal.aborted; tries += 1) {
      const { stream, through } = await readIngestPosition(db);
      if (stream === created && through >= BigInt(state.last_seq)) return true;
      await wait(APPLIED_PAUSE_MS, signal);
    }
    return false;
  }
}
