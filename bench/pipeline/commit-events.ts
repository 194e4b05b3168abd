import type { Database } from '../../src/db/client.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { EventName } from '../../src/shared/events/catalogue.ts';
import { epochMs } from '../cases/subscribers.ts';
import { finishAll } from '../measurement/finish-all.ts';
import type { PipelineEnvironment } from './environment.ts';

const outbox = createOutbox({ source: 'http://bench/api/v2', docsUrl: 'http://bench/docs' }, systemClock);
const EVENTS_PER_INSERT = 500;

export interface CommittedEvents {
  /** When each commit was acknowledged, by event id; milliseconds since the epoch. */
  atMs: Map<string, number>;
  /** Duration of each commit, most of it the disk's. */
  commitMs: number[];
}

/**
 * Open loop: an account event is due every `1000 / ratePerSecond` ms, however long the previous ones take, for one
 * account after the other.
 */
export async function commitAtRate(
  { sql, connection }: Pick<PipelineEnvironment, 'sql' | 'connection'>,
  accountIds: readonly string[],
  ratePerSecond: number,
  durationMs: number,
): Promise<CommittedEvents> {
  const committed: CommittedEvents = { atMs: new Map(), commitMs: [] };
  const commit = async (number: number) => {
    const startedAt = performance.now();
    const accountId = accountIds[number % accountIds.length] ?? null;
    const event = { name: 'operation.succeeded', subject: 'bench', accountId, data: { number } } as const;
    const id = await sql.begin((transaction) => outbox.append(transaction, event));
    committed.atMs.set(id, epochMs());
    committed.commitMs.push(performance.now() - startedAt);
    connection.publish(hints.outbox);
  };
  const total = Math.floor((durationMs * ratePerSecond) / 1000);
  const commits: Promise<void>[] = [];
  const startedAt = performance.now();
  while (commits.length < total) {
    const due = Math.min(total, 1 + Math.floor(((performance.now() - startedAt) * ratePerSecond) / 1000));
    while (commits.length < due) commits.push(commit(commits.length));
    await Bun.sleep(1);
  }
  await finishAll(commits);
  return committed;
}

/** Commits public events with few statements, without a hint. */
export async function commitBatch(
  sql: Database,
  count: number,
  name: EventName = 'launch.created',
): Promise<void> {
  for (let done = 0; done < count; done += EVENTS_PER_INSERT) {
    const rows = Array.from({ length: Math.min(EVENTS_PER_INSERT, count - done) }, (_, at) => {
      const { id, type, subject, body, createdAt } = outbox.compose({
        name,
        subject: 'bench',
        accountId: null,
        data: { number: done + at },
      });
      return { id, type, subject, body, created_at: createdAt };
    });
    await sql`insert into events ${sql(rows)}`;
  }
}
