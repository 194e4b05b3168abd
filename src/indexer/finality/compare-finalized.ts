import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';
import { type SteadyTime, steadyTime } from '../../shared/steady-time.ts';
import type { NodeSet } from '../pool-history/node-backoff.ts';
import { type BatchEnd, BatchEnds } from './batch-ends.ts';
import { judgeLandings, LANDINGS_MAX } from './final-landings.ts';
import { takeBack } from './rolled-back-pool.ts';

/** A block is final some 13 s after its confirmation. */
const IDLE_MS = 5_000;

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
  readonly ends = new BatchEnds();
  readonly #dependencies: FinalityDependencies;

  constructor(dependencies: FinalityDependencies) {
    this.#dependencies = dependencies;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { log, time = steadyTime, db } = this.#dependencies;
    let isLoaded = false;
    await runLoop({
      name: 'finality',
      log,
      signal,
      idleMs: time.timerMs(IDLE_MS),
      step: async () => {
        if (!isLoaded) await this.ends.load(db);
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
    this.ends.remove(final);
    const gone = having('elsewhere');
    await this.#takeBack(gone);
    this.ends.postpone(having('unknown'));
    return final.size === LANDINGS_MAX;
  }

  async #takeBack(gone: ReadonlySet<BatchEnd>): Promise<void> {
    if (gone.size === 0) return;
    const { db, connection, nodes, clock, log, onRolledBack } = this.#dependencies;
    for (const end of gone) {
      const trades = await takeBack({ db, connection, nodes, now: () => clock.now() }, end);
      log.error({ ...end, slot: end.slot.toString(), trades }, 'indexer.rolled_back');
    }
    this.ends.remove(gone);
    onRolledBack();
  }
}
