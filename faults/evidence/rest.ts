import { jetstreamManager } from '@nats-io/jetstream';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { readConsumer } from '../../src/shared/bus/durable-consumers.ts';
import { consumers } from '../../src/shared/bus/topology.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { openWork } from './read-open-work.ts';

/** What is left to do, in words; null when everything has come to rest. */
export async function isAtRest(
  sql: Database,
  { natsUrl, rpcUrl }: Pick<Deployment['direct'], 'natsUrl' | 'rpcUrl'>,
): Promise<string | null> {
  const open = await openWork(sql);
  if (open.length > 0) return `${open.length} open, such as ${open[0]}`;
  const waiting = await waitingFacts(natsUrl);
  if (waiting > 0) return `${waiting} facts wait for ingest`;
  const unread = await unreadPools(sql, rpcUrl);
  if (unread > 0) return `${unread} pools have transactions that were not read`;
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

/** Pools whose newest transaction is not the one at which their cursor stands. */
async function unreadPools(sql: Database, rpcUrl: string): Promise<number> {
  const rpc = new SolanaRpc(rpcUrl);
  const pools = await sql<{ pool: string; newest: string | null }[]>`
    select read.pool_address as pool, last_signature as newest from indexer_cursors as read
    where not exists (
      select from token_pools as pool where pool.pool_address = read.pool_address and pool.rests_until > now())`;
  let unread = 0;
  for (const { pool, newest } of pools) {
    const [last] = await rpc.call<{ signature: string }[]>('getSignaturesForAddress', [
      pool,
      { limit: 1, commitment: 'confirmed' },
    ]);
    if (last !== undefined && last.signature !== newest) unread += 1;
  }
  return unread;
}
