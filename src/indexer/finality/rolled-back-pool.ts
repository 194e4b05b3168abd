import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { FORK_SPAN_SLOTS } from '../../chain/final-chain.ts';
import type { Database } from '../../db/client.ts';
import { publishStored } from '../../shared/bus/publish.ts';
import { ingestSubject } from '../../shared/bus/topology.ts';
import type { NodeSet } from '../pool-history/node-backoff.ts';
import { judgeLandings, LANDINGS_MAX } from './final-landings.ts';
import type { NotedBatch } from './unfinal-batch-rows.ts';

const ACK_TIMEOUT_MS = 5_000;

interface StoredTrade {
  signature: string;
  slot: bigint;
  outerIndex: number;
  innerIndex: number;
}

export interface RolledBackDependencies {
  db: Database;
  connection: NatsConnection;
  nodes: NodeSet;
  now(): Date;
}

/**
 * Takes back the trades of a pool in blocks that were rolled back, and moves its cursor to before these
 * blocks. It may be repeated: after a crash the cursor is unchanged, so the next comparison finds the same. The
 * second time the cursor moves only when there were trades to take back. Returns the number of trades taken back.
 */
export async function takeBack(
  dependencies: RolledBackDependencies,
  { poolAddress, slot, takenBackAt }: NotedBatch,
): Promise<number> {
  const { db, connection } = dependencies;
  const trades = await storedAround(db, poolAddress, slot);
  const gone = await goneOf(dependencies, trades);
  for (const trade of gone) {
    const { signature: transactionSignature, outerIndex, innerIndex } = trade;
    const message = { transactionSignature, outerIndex, innerIndex, slot: trade.slot.toString() };
    await publishStored(jetstream(connection), ingestSubject('trade_reverted'), JSON.stringify(message), {
      timeout: ACK_TIMEOUT_MS,
    });
  }
  if (gone.length === 0 && takenBackAt !== null) return 0;
  let firstGone = slot;
  for (const trade of gone) if (trade.slot < firstGone) firstGone = trade.slot;
  await rewind(dependencies, poolAddress, firstGone);
  return gone.length;
}

/** Trades of the pool's token that the same rollback may affect. */
async function storedAround(db: Database, poolAddress: string, slot: bigint): Promise<StoredTrade[]> {
  return db<StoredTrade[]>`
    select t.transaction_signature as signature, t.slot, t.outer_index, t.inner_index
    from trades t where t.mint_address in (
        select mint_address from tokens where pool_address = ${poolAddress}
        union select mint_address from token_pools where pool_address = ${poolAddress})
      and t.slot between ${slot - FORK_SPAN_SLOTS} and ${slot + FORK_SPAN_SLOTS}
    order by t.slot`;
}

async function goneOf(
  { nodes }: RolledBackDependencies,
  trades: readonly StoredTrade[],
): Promise<StoredTrade[]> {
  const gone: StoredTrade[] = [];
  for (let from = 0; from < trades.length; from += LANDINGS_MAX) {
    const asked = trades.slice(from, from + LANDINGS_MAX);
    const verdicts = await judgeLandings(nodes, asked);
    gone.push(...asked.filter((_, at) => verdicts[at] === 'elsewhere'));
  }
  return gone;
}

/**
 * Moves the cursor of the pool to its newest trade before this slot. Without one, the pool is read from its
 * beginning.
 */
async function rewind(
  { db, now }: RolledBackDependencies,
  poolAddress: string,
  before: bigint,
): Promise<void> {
  await db.begin(async (transaction) => {
    const [trade] = await transaction<{ signature: string; slot: bigint }[]>`
      select t.transaction_signature as signature, t.slot
      from trades t join tokens using (mint_address) left join token_pools p on p.pool_address = ${poolAddress}
      where (tokens.pool_address = ${poolAddress} or p.mint_address = t.mint_address) and t.slot < ${before}
        and t.on_curve = (coalesce(p.program, 'dbc') = 'dbc')
      order by t.slot desc, t.transaction_index desc limit 1`;
    if (trade === undefined) {
      await transaction`delete from indexer_cursors where pool_address = ${poolAddress}`;
      return;
    }
    await transaction`
      update indexer_cursors set last_signature = ${trade.signature}, last_slot = ${trade.slot}, updated_at = ${now()}
      where pool_address = ${poolAddress} and last_slot >= ${before}`;
  });
}
