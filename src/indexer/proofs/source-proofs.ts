import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Database } from '../../db/client.ts';
import { publishStored } from '../../shared/bus/publish.ts';
import { ingestSubject } from '../../shared/bus/topology.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';
import type { SourceProofMessage } from '../ingest/kinds/source-proof.ts';
import { type SteadyTime, steadyTime } from '../steady-time.ts';
import type { NodeTimes, ObservedHead } from './node-times.ts';

const FLUSH_MS = 250;
/** Time between two proofs of a pool. All pools together are proven at most some 1,000 times a second. */
const INTERVAL_MIN_MS = 1_000;
const INTERVAL_PER_POOL_MS = 1;
/** Pools in one statement and one message. */
const BATCH_MAX = 1_000;

export interface SourceProofsDependencies {
  db: Database;
  connection: NatsConnection;
  log: Logger;
  nodeTimes: Pick<NodeTimes, 'latest'>;
  time?: SteadyTime;
}

/**
 * Collects the proofs from readers of pools and publishes them after the pools' trades. A pool is proven when
 * every transaction that a node knew at an observed head is in the ingest stream. Proofs are only in memory:
 * after a crash the next reader proves the pool again.
 */
export class SourceProofs {
  readonly #dependencies: SourceProofsDependencies;
  readonly #time: SteadyTime;
  readonly #waiting = new Map<string, ObservedHead>();
  readonly #publishedAtMs = new Map<string, number>();

  constructor(dependencies: SourceProofsDependencies) {
    this.#dependencies = dependencies;
    this.#time = dependencies.time ?? steadyTime;
  }

  /** The newest observed position of the node. Called before the node lists the history of a pool. */
  observedHead(rpc: ChainRpc): ObservedHead | null {
    return this.#dependencies.nodeTimes.latest(rpc);
  }

  /** False while a proof of this pool would not be published. */
  isDue(poolAddress: string): boolean {
    const intervalMs = Math.max(INTERVAL_MIN_MS, this.#publishedAtMs.size * INTERVAL_PER_POOL_MS);
    return (
      this.#time.nowMs() - (this.#publishedAtMs.get(poolAddress) ?? Number.NEGATIVE_INFINITY) >= intervalMs
    );
  }

  /**
   * Records that all transactions of these pools up to `head` are in the ingest stream. The head must have
   * been observed at the node that was read, before the reading began.
   */
  provePools(poolAddresses: Iterable<string>, head: ObservedHead): void {
    for (const poolAddress of poolAddresses) {
      const known = this.#waiting.get(poolAddress);
      if (known === undefined || head.blockTime > known.blockTime) this.#waiting.set(poolAddress, head);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#dependencies;
    const idleMs = this.#time.timerMs(FLUSH_MS);
    await runLoop({ name: 'source-proofs', log, signal, idleMs, step: () => this.flush() });
  }

  /**
   * Publishes due proofs, one message for each head. True when there may be more. A failure loses nothing.
   */
  async flush(): Promise<boolean> {
    const due = [...this.#waiting].filter(([poolAddress]) => this.isDue(poolAddress));
    const byHead = Map.groupBy(due, ([, head]) => `${head.slot} ${head.blockTime.getTime()}`);
    for (const group of byHead.values()) {
      const pools = group.slice(0, BATCH_MAX);
      const [, head] = pools[0] ?? [];
      if (head !== undefined)
        await this.#publish(
          pools.map(([poolAddress]) => poolAddress),
          head,
        );
    }
    return [...byHead.values()].some((group) => group.length > BATCH_MAX);
  }

  async #publish(poolAddresses: readonly string[], head: ObservedHead): Promise<void> {
    const { db, connection } = this.#dependencies;
    const mintAddresses = await listProvableTokens(db, poolAddresses);
    if (mintAddresses.length > 0) await publishProof(connection, mintAddresses, head);
    for (const poolAddress of poolAddresses) {
      this.#publishedAtMs.set(poolAddress, this.#time.nowMs());
      // A later head may have come in the meantime.
      if (this.#waiting.get(poolAddress) === head) this.#waiting.delete(poolAddress);
    }
  }
}

const ACK_TIMEOUT_MS = 5_000;

/**
 * Publishes one `ingest.source_proof`. Throws when the broker did not store it. No later proof depends on it.
 */
export async function publishProof(
  connection: NatsConnection,
  mintAddresses: string[],
  { slot, blockTime }: ObservedHead,
): Promise<void> {
  const message: SourceProofMessage = {
    mintAddresses,
    through: blockTime.toISOString(),
    slot: slot.toString(),
  };
  await publishStored(jetstream(connection), ingestSubject('source_proof'), JSON.stringify(message), {
    timeout: ACK_TIMEOUT_MS,
  });
}

/**
 * The tokens whose whole market is in these pools. A curve proves nothing once its token has migrated,
 * because trading continues in another pool. The migration is stored before it counts as read, so no later
 * proof of the curve gets through. An AMM pool proves its token when the token's curve rests: the curve was
 * then read past its migration.
 */
export async function listProvableTokens(db: Database, poolAddresses: readonly string[]): Promise<string[]> {
  const rows = await db<{ mintAddress: string }[]>`
    select t.mint_address from tokens t left join token_pools p on p.pool_address = t.pool_address
    where t.pool_address = any(${poolAddresses as string[]})
      and not exists (select from token_pools a where a.curve_pool_address = t.pool_address)
      and (p.program in ('damm_v2', 'damm_v1') or (t.status <> 'graduated' and t.graduated_at is null))
    union
    select t.mint_address from token_pools a join token_pools c on c.pool_address = a.curve_pool_address
      join tokens t on t.pool_address = c.pool_address and t.mint_address = a.mint_address
    where a.pool_address = any(${poolAddresses as string[]}) and a.program in ('damm_v2', 'damm_v1') and c.rests_until is not null
    order by mint_address`;
  return rows.map(({ mintAddress }) => mintAddress);
}
