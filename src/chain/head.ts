import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';
import { type Cluster, clusterOf } from './cluster.ts';
import { believedPosition, readPosition } from './node-trust/believed-position.ts';
import { type ChainPosition, FRESH_MS } from './node-trust/position-history.ts';
import { type ChainPace, mostIn } from './pace/chain-pace.ts';
import { paceOf } from './pace/measured-pace.ts';
import { getGenesisHash, getSampledPace } from './rpc/position-calls.ts';
import { probeQuarantined } from './rpc/send-transaction.ts';
import type { ChainRpc } from './rpc.ts';

/** Proofs of trades read the block times of positions of this age (indexer/proofs/node-times.ts). */
const POLL_MS = 500;
const TIMEOUT_MS = 2_000;
/** The length of a node's sample of its own pace. */
const SAMPLE_EVERY_MS = 60_000;

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
  /** The pace of the chain. Makes no request. */
  pace(): ChainPace;
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
  const sampledAtMs = new Map<ChainRpc, number>();
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
    await sample(rpc);
    if (genesisHash !== null) return;
    const genesis = await getGenesisHash(rpc, TIMEOUT_MS);
    if (genesis.ok) genesisHash = genesis.value;
  }

  /** A process that began a moment ago has not read positions for long enough to know the pace. */
  async function sample(rpc: ChainRpc): Promise<void> {
    const nowMs = clock.now().getTime();
    if (nowMs - (sampledAtMs.get(rpc) ?? Number.NEGATIVE_INFINITY) < SAMPLE_EVERY_MS) return;
    sampledAtMs.set(rpc, nowMs);
    const sampled = await getSampledPace(rpc, TIMEOUT_MS);
    if (sampled.ok && sampled.value !== null) rpc.positions.recordSample(sampled.value, clock.now());
  }

  /** Logs once when readings of a node begin to be ignored, and once when they are believed again. */
  function logDoubt(rpc: ChainRpc, { slot, blockHeight }: ChainPosition): void {
    const { doubt } = rpc.positions;
    if ((doubt !== null) === doubted.has(rpc)) return;
    const facts = { node: rpc.name, slot: String(slot), blockHeight: String(blockHeight) };
    if (doubt === null) {
      doubted.delete(rpc);
      log.warn(facts, 'chain.position_believed');
    } else {
      doubted.add(rpc);
      log.warn({ ...facts, reason: doubt }, 'chain.position_ignored');
    }
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
    pace: () => paceOf(rpcs),
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

/** The slot of the believed head, and how fast slots come. */
export interface PacedSlot {
  slot: bigint;
  slotsPerSecond: number;
}

/** The parts of the head by which a slot from a node is judged. */
export type PacedHead = Pick<ChainHeadSource, 'current' | 'pace'>;

/** The head's slot while its reading is fresh, else null. */
export function freshSlot(source: Pick<ChainHeadSource, 'current'>, clock: Clock): bigint | null {
  const head = source.current();
  return head !== null && isFresh(head, clock.now()) ? head.slot : null;
}

/** The same with the pace. */
export function freshPacedSlot(source: PacedHead, clock: Clock): PacedSlot | null {
  const slot = freshSlot(source, clock);
  return slot === null ? null : { slot, slotsPerSecond: source.pace().slotsPerSecond };
}

/** A node may be ahead of the newest head of a process, which reads it now and then, by the slots of this time. */
const AHEAD_MAX_MS = 40_000;

/** The highest slot that a node can report beside this head. Null while no head is known. */
export function highestSlot(source: PacedHead): bigint | null {
  const head = source.current();
  return head === null ? null : head.slot + mostIn(AHEAD_MAX_MS, source.pace().slotsPerSecond);
}
