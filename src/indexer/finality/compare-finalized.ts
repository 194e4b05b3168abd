import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { FORK_SPAN_SLOTS } from '../../chain/final-chain.ts';
import type { Database } from '../../db/client.ts';
import { publishStored } from '../../shared/bus/publish.ts';
import { ingestSubject } from '../../shared/bus/topology.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';
import type { NodeSet } from '../pool-history/node-set.ts';
import type { PoolShards } from '../pool-history/pool-shards.ts';
import { type SteadyTime, steadyTime } from '../steady-time.ts';
import { BatchEnds } from './batch-ends.ts';
import { judgeLandings, LANDINGS_MAX } from './final-landings.ts';
import type { RecordedBatch } from './unfinal-batch-rows.ts';

/**
 * Pause between two comparisons. Each asks for the oldest batches until nodes show that they are final.
 * Nobody waits for that.
 */
const IDLE_MS = 5_000;
/**
 * A trade of a batch that was taken back may still be applied for this time, or be published by a worker that
 * was stopped.
 */
const LATE_MAX_MS = 600_000;

const ACK_TIMEOUT_MS = 5_000;

export interface FinalityDependencies {
  db: Database;
  connection: NatsConnection;
  nodes: NodeSet;
  clock: Clock;
  log: Logger;
  /** Called after cursors were moved back: the state that readers hold of these pools is no longer true. */
  onRolledBack(): void;
  /** The batches of these pools are compared. */
  shards: PoolShards;
  time?: SteadyTime;
}

/**
 * Compares confirmed transactions with the final chain. A rollback of a confirmed block is rare, because
 * validators have to contradict their votes. If it happens, the block's trades are taken back, and the
 * transactions that landed instead are read.
 */
export class FinalityWatch {
  readonly ends: BatchEnds;
  readonly #dependencies: FinalityDependencies;

  constructor(dependencies: FinalityDependencies) {
    this.#dependencies = dependencies;
    this.ends = new BatchEnds(dependencies.db);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { log, shards, time = steadyTime } = this.#dependencies;
    let isLoaded = false;
    let comparing: Promise<unknown> = Promise.resolve();
    // Another worker compares the batches of pools that were given to it, so no comparison of them may go on here.
    const stopListening = shards.listen(async () => {
      isLoaded = false;
      await comparing;
    });
    const step = async () => {
      if (!isLoaded) {
        isLoaded = true;
        await this.ends.load(shards);
      }
      return this.#compare();
    };
    await runLoop({
      name: 'finality',
      log,
      signal,
      idleMs: time.timerMs(IDLE_MS),
      step() {
        const compared = step();
        comparing = compared.catch(() => {
          isLoaded = false;
        });
        return compared;
      },
    });
    stopListening();
  }

  /** True when there may be more to compare now. */
  async #compare(): Promise<boolean> {
    const { nodes } = this.#dependencies;
    const ends = this.ends.oldest(LANDINGS_MAX);
    if (ends.length === 0) return false;
    const verdicts = await judgeLandings(nodes, ends);
    const withVerdict = (verdict: (typeof verdicts)[number]) =>
      new Set(ends.filter((_, at) => verdicts[at] === verdict));
    const final = withVerdict('final');
    await this.ends.remove(final);
    this.ends.postpone(withVerdict('unknown'));
    await this.#takeBack(withVerdict('elsewhere'));
    return final.size === LANDINGS_MAX;
  }

  async #takeBack(rolledBack: ReadonlySet<RecordedBatch>): Promise<void> {
    if (rolledBack.size === 0) return;
    this.ends.postpone(rolledBack);
    const { db, connection, nodes, clock, log, onRolledBack } = this.#dependencies;
    let hasMoved = false;
    for (const end of rolledBack) {
      const now = clock.now();
      const trades = await takeBack({ db, connection, nodes, now: () => now }, end);
      const { takenBackAt } = end;
      if (takenBackAt === null || trades > 0) {
        hasMoved = true;
        await this.ends.markTakenBack(end, takenBackAt ?? now);
        const { poolAddress, signature, slot } = end;
        log.error({ poolAddress, signature, slot: slot.toString(), trades }, 'indexer.rolled_back');
      } else if (now.getTime() - takenBackAt.getTime() > LATE_MAX_MS) await this.ends.remove(new Set([end]));
    }
    if (hasMoved) onRolledBack();
  }
}

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
  { poolAddress, slot, takenBackAt }: RecordedBatch,
): Promise<number> {
  const { db, connection } = dependencies;
  const trades = await readTradesAround(db, poolAddress, slot);
  const rolledBack = await findRolledBack(dependencies, trades);
  for (const trade of rolledBack) {
    const { signature: transactionSignature, outerIndex, innerIndex } = trade;
    const message = { transactionSignature, outerIndex, innerIndex, slot: trade.slot.toString() };
    await publishStored(jetstream(connection), ingestSubject('trade_reverted'), JSON.stringify(message), {
      timeout: ACK_TIMEOUT_MS,
    });
  }
  if (rolledBack.length === 0 && takenBackAt !== null) return 0;
  let firstSlot = slot;
  for (const trade of rolledBack) if (trade.slot < firstSlot) firstSlot = trade.slot;
  await rewind(dependencies, poolAddress, firstSlot);
  return rolledBack.length;
}

/** Trades of the pool's token that the same rollback may affect. */
async function readTradesAround(db: Database, poolAddress: string, slot: bigint): Promise<StoredTrade[]> {
  return db<StoredTrade[]>`
    select t.transaction_signature as signature, t.slot, t.outer_index, t.inner_index
    from trades t where t.mint_address in (
        select mint_address from tokens where pool_address = ${poolAddress}
        union select mint_address from token_pools where pool_address = ${poolAddress})
      and t.slot between ${slot - FORK_SPAN_SLOTS} and ${slot + FORK_SPAN_SLOTS}
    order by t.slot`;
}

async function findRolledBack(
  { nodes }: RolledBackDependencies,
  trades: readonly StoredTrade[],
): Promise<StoredTrade[]> {
  const rolledBack: StoredTrade[] = [];
  for (let from = 0; from < trades.length; from += LANDINGS_MAX) {
    const page = trades.slice(from, from + LANDINGS_MAX);
    const verdicts = await judgeLandings(nodes, page);
    rolledBack.push(...page.filter((_, at) => verdicts[at] === 'elsewhere'));
  }
  return rolledBack;
}

/**
 * Moves the cursor of the pool to its newest trade before this slot. If there is none, the pool is read from
 * its beginning.
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
