import { jetstreamManager } from '@nats-io/jetstream';
import type { Database } from '../../src/db/client.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { readConsumer } from '../../src/shared/bus/durable-consumers.ts';
import { consumers } from '../../src/shared/bus/topology.ts';
import { openWork } from './read-open-work.ts';

/** What is left to do after this time, in words; null when everything has come to rest. */
export async function isAtRest(sql: Database, natsUrl: string, since: Date): Promise<string | null> {
  const open = await openWork(sql);
  if (open.length > 0) return `${open.length} open, such as ${open[0]}`;
  const waiting = await waitingFacts(natsUrl);
  if (waiting > 0) return `${waiting} facts wait for ingest`;
  const unproven = await unprovenTokens(sql, since);
  if (unproven > 0) return `${unproven} tokens are not proven to be read`;
  const [due] = await sql<{ count: number }[]>`
    select count(*)::int as count from holder_counting
    where snapshot_slot is not null and next_snapshot_at <= now()`;
  return due === undefined || due.count === 0 ? null : `${due.count} tokens wait for their holders`;
}

/** Has the holders of every token counted anew from the accounts on chain. */
export async function makeSnapshotsDue(sql: Database): Promise<void> {
  await sql`update holder_counting set next_snapshot_at = now()`;
}

async function waitingFacts(natsUrl: string): Promise<number> {
  const connection = await connectBus(natsUrl, 'faults-rest');
  try {
    const manager = await jetstreamManager(connection);
    const { num_pending, num_ack_pending } = await readConsumer(manager, consumers.ingest);
    return num_pending + num_ack_pending;
  } finally {
    await connection.close();
  }
}

/**
 * Tokens with a pool whose source is not proven to be read since. A pool in which nothing but a claim of fees happened is
 * proven without being walked.
 */
async function unprovenTokens(sql: Database, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(distinct pool.mint_address)::int as count
    from token_pools as pool left join source_proofs as proof using (mint_address)
    where pool.unusable_reason is null and proof.through is distinct from greatest(proof.through, ${since})`;
  return row?.count ?? 0;
}
