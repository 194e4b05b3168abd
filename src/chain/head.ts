import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';
import { getGenesisHash, getPosition } from './calls.ts';
import { type Cluster, clusterOf } from './cluster.ts';
import type { ChainRpc } from './rpc.ts';

const POLL_MS = 500;
const TIMEOUT_MS = 2_000;
/** A reading older than this yields to any other node's, and no longer closes a blockhash window. */
const FRESH_MS = 10_000;

/** The newest confirmed position any node told this process. */
export interface ChainHead {
  slot: bigint;
  blockHeight: bigint;
  /** When it was read: a consumer decides how old is too old. */
  observedAt: Date;
}

export interface ChainHeadSource {
  /** Known without a request; null until a node has answered once. */
  current(): ChainHead | null;
  /** The chain behind the nodes; null until a node has answered once. */
  identity(): { genesisHash: string; cluster: Cluster } | null;
  /** Polls every node until the signal aborts; one slow node never delays the others. */
  run(signal: AbortSignal): Promise<void>;
}

/** Keeps the chain head of one process, so that no request waits for an RPC. */
export function createChainHead(rpcs: readonly ChainRpc[], clock: Clock, log: Logger): ChainHeadSource {
  const readings = new Map<ChainRpc, ChainHead>();
  let genesisHash: string | null = null;

  async function poll(rpc: ChainRpc): Promise<void> {
    const position = await getPosition(rpc, TIMEOUT_MS);
    if (!position.ok) throw new Error(`${rpc.name}: ${position.failure.message}`);
    readings.set(rpc, { ...position.value, observedAt: clock.now() });
    if (genesisHash !== null) return;
    const genesis = await getGenesisHash(rpc, TIMEOUT_MS);
    if (genesis.ok) genesisHash = genesis.value;
  }

  return {
    current: () => newestHead([...readings.values()], clock.now()),
    identity: () => (genesisHash === null ? null : { genesisHash, cluster: clusterOf(genesisHash) }),
    async run(signal) {
      const loops = rpcs.map((rpc) =>
        runLoop({
          name: `chain-head ${rpc.name}`,
          log,
          signal,
          idleMs: POLL_MS,
          step: () => poll(rpc).then(() => false),
        }),
      );
      await Promise.all(loops);
    },
  };
}

/** The highest of the fresh readings, so that a lagging node is outvoted; without any, the latest stale one. */
export function newestHead(readings: readonly ChainHead[], now: Date): ChainHead | null {
  const fresh = readings.filter((reading) => isFresh(reading, now));
  if (fresh.length > 0) return fresh.reduce((best, one) => (one.blockHeight > best.blockHeight ? one : best));
  return readings.reduce<ChainHead | null>(
    (best, one) => (best === null || one.observedAt > best.observedAt ? one : best),
    null,
  );
}

/** True while a reading still says something about now. */
export function isFresh({ observedAt }: ChainHead, now: Date): boolean {
  return now.getTime() - observedAt.getTime() <= FRESH_MS;
}
