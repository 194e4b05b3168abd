import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';
import type { NodeSet } from '../pool-history/node-backoff.ts';
import { type SteadyTime, steadyTime } from '../steady-time.ts';
import { BatchEnds } from './batch-ends.ts';
import { judgeLandings, LANDINGS_MAX } from './final-landings.ts';
import { takeBack } from './rolled-back-pool.ts';
import type { NotedBatch } from './unfinal-batch-rows.ts';

/** Between two looks. A batch is asked for at each of them until nodes show that it is final; nobody waits for that. */
const IDLE_MS = 5_000;
/** For as long, a trade of a batch that was taken back may still be applied, or be published by a worker that was stopped. */
const LATE_MAX_MS = 600_000;

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
 * Compares confirmed transactions with the final chain. A rollback of a confirmed block is rare, because validators have
 * to contradict their votes. If it happens, the block's trades are taken back, and the transactions that landed instead are
 * read.
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
        return this.#compare();
      },
    });
  }

  /** True when there may be more to compare now. */
  async #compare(): Promise<boolean> {
    const { nodes } = this.#dependencies;
    const asked = this.ends.oldest(LANDINGS_MAX);
    if (asked.length === 0) return false;
    const verdicts = await judgeLandings(nodes, asked);
    const having = (verdict: (typeof verdicts)[number]) =>
      new Set(asked.filter((_, at) => verdicts[at] === verdict));
    const final = having('final');
    await this.ends.remove(final);
    this.ends.postpone(having('unknown'));
    await this.#takeBack(having('elsewhere'));
    return final.size === LANDINGS_MAX;
  }

  async #takeBack(gone: ReadonlySet<NotedBatch>): Promise<void> {
    if (gone.size === 0) return;
    this.ends.postpone(gone);
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
}
