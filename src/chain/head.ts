import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';
import { type Cluster, clusterOf } from './cluster.ts';
import { believedPosition, readPosition } from './node-trust/believed-position.ts';
import { type ChainPosition, FRESH_MS } from './node-trust/position-history.ts';
import { getGenesisHash } from './rpc/position-calls.ts';
import { probeQuarantined } from './rpc/send-transaction.ts';
import type { ChainRpc } from './rpc.ts';

/** Proofs of trades read the block times of positions of this age (indexer/proofs/node-times.ts). */
const POLL_MS = 500;
const TIMEOUT_MS = 2_000;

/** The newest confirmed position that this process believes. */
export interface ChainHead extends ChainPosition {
  /** The time of the reading. Each consumer decides which age is too old. */
  observedAt: Date;
}

export interface ChainHeadSource {
  /** Makes no request. Null until a node has responded once. */
  current(): ChainHead | null;
  /** The chain that the nodes serve. Null until a node has responded once. */
  identity(): { genesisHash: string; cluster: Cluster } | null;
  /** Polls every node until the signal aborts. A slow node never delays the others. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Keeps the chain head of one process, so that no request waits for an RPC. A node's reading is believed as
 * far as its own history or a second node corroborates it. Quarantined nodes are probed now and then.
 *
 * @param pollMs between two readings of a node
 */
export function createChainHead(
  rpcs: readonly ChainRpc[],
  clock: Clock,
  log: Logger,
  pollMs = POLL_MS,
): ChainHeadSource {
  const readings = new Map<ChainRpc, ChainHead>();
  const doubted = new Set<ChainRpc>();
  let genesisHash: string | null = null;

  async function poll(rpc: ChainRpc): Promise<void> {
    if (rpc.quarantine.isActive) {
      // Readings of a quarantined node do not count.
      rpc.positions.record(null, clock.now());
      return probeQuarantined(rpc, { clock, log });
    }
    const position = await readPosition(rpc, TIMEOUT_MS, clock);
    if (!position.ok) throw new Error(`${rpc.name}: ${position.failure.message}`);
    const now = clock.now();
    const believed = believedPosition(rpc, position.value, rpcs, now);
    if (believed !== null) readings.set(rpc, { ...believed, observedAt: now });
    logDoubt(rpc, position.value);
    if (genesisHash !== null) return;
    const genesis = await getGenesisHash(rpc, TIMEOUT_MS);
    if (genesis.ok) genesisHash = genesis.value;
  }

  /** Logs once when readings of a node begin to be ignored, and once when they are believed again. */
  function logDoubt(rpc: ChainRpc, { slot, blockHeight }: ChainPosition): void {
    const { isDoubted } = rpc.positions;
    if (isDoubted === doubted.has(rpc)) return;
    if (isDoubted) doubted.add(rpc);
    else doubted.delete(rpc);
    const facts = { node: rpc.name, slot: String(slot), blockHeight: String(blockHeight) };
    log.warn(facts, isDoubted ? 'chain.position_ignored' : 'chain.position_believed');
  }

  /** Builds no lists: each submission calls this. */
  function current(): ChainHead | null {
    const now = clock.now();
    let newest: ChainHead | null = null;
    readings.forEach((reading, rpc) => {
      // Readings from before a quarantine do not count.
      if (!rpc.quarantine.isActive) newest = newest === null ? reading : newerHead(newest, reading, now);
    });
    return newest;
  }

  return {
    current,
    identity: () => (genesisHash === null ? null : { genesisHash, cluster: clusterOf(genesisHash) }),
    async run(signal) {
      const loops = rpcs.map((rpc) =>
        runLoop({
          name: `chain-head ${rpc.name}`,
          log,
          signal,
          idleMs: pollMs,
          step: () => poll(rpc).then(() => false),
        }),
      );
      await Promise.all(loops);
    },
  };
}

/**
 * The higher of two fresh readings, so that a lagging node is outvoted. A fresh reading wins over a stale
 * one. The later of two stale readings wins.
 */
export function newerHead(best: ChainHead, other: ChainHead, now: Date): ChainHead {
  const isBestFresh = isFresh(best, now);
  if (isBestFresh !== isFresh(other, now)) return isBestFresh ? best : other;
  const isNewer = isBestFresh ? other.blockHeight > best.blockHeight : other.observedAt > best.observedAt;
  return isNewer ? other : best;
}

/** True while the reading is recent enough to describe the chain now. */
export function isFresh({ observedAt }: ChainHead, now: Date): boolean {
  return now.getTime() - observedAt.getTime() <= FRESH_MS;
}

/** The head's slot while its reading is fresh, else null. */
export function freshSlot(source: Pick<ChainHeadSource, 'current'>, clock: Clock): bigint | null {
  const head = source.current();
  return head !== null && isFresh(head, clock.now()) ? head.slot : null;
}
