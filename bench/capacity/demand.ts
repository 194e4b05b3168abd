import { processConnections } from '../../src/db/connections.ts';
import type { Costs } from './cost-figures.ts';
import type { Assumptions, Workload } from './workload.ts';

const MICROS = 1e6;
const DAY_SECONDS = 86_400;
/**
 * A pool's account is read this often while wake-ups come, 99 accounts in a call
 * (src/indexer/pool-history/quiet-sweep.ts).
 */
const SWEEP = { seconds: 5, pools: 99 };
/** Events and deliveries are kept for 30 days and leave as whole weeks. */
const EVENT_DAYS = 37;
/** More than processes and loads of the cache take to agree with each other. */
const PASSES = 50;
/** About: headers of a response, a message of a trade, a webhook with its headers, a call of a node with its response. */
const BYTES = { headers: 500, message: 700, webhook: 1_600, nodeCall: 2_000 };

/** Cores, bytes and calls that a workload takes, a second; memory and disk in bytes. */
export interface Demand {
  /**
   * Processes of the api, from their work and from what each of them follows of every trade; infinite when one cannot
   * follow.
   */
  api: { cores: number; followShare: number; processes: number; memoryBytes: number };
  worker: { cores: number };
  /** The one worker that reads pools from nodes, and the one that confirms intents. */
  chainReader: { cores: number };
  confirmer: { cores: number };
  /** Every relay knows every endpoint. */
  relay: { cores: number; memoryBytesEach: number };
  postgres: {
    cores: number;
    walBytes: number;
    bytesPerDay: number;
    diskBytes: number;
  };
  nats: { cores: number };
  nodeCalls: number;
  networkBytes: number;
  /** Messages to streams a second, and cache entries that are loaded again since a trade has dropped them. */
  messages: number;
  reloads: number;
}

/** Computes the demand of a workload. Every rate may be 0. */
export function demandOf(workload: Workload, costs: Costs, assumed: Assumptions): Demand {
  const { trades, reads, submissions, deliveries } = workload;
  const messages = messagesOf(workload, assumed);
  const followShare = (trades * costs.tradeFollowApiUs) / MICROS;
  const apiCores = (loads: number) =>
    ((reads - loads) * costs.readCachedApiUs +
      loads * costs.readUncachedApiUs +
      submissions * (costs.swapApiUs + costs.submissionApiUs) +
      messages * costs.streamMessageApiUs) /
    MICROS;
  // More processes load more entries again, and so need more processes; what is read bounds both.
  let loads = reads * (1 - assumed.cached);
  let processes = processesFor(apiCores(loads), followShare, assumed.busy);
  for (let pass = 0; pass < PASSES && Number.isFinite(processes); pass += 1) {
    loads = loadsOf(workload, processes, assumed);
    processes = processesFor(apiCores(loads), followShare, assumed.busy);
  }
  const postgresUs =
    loads * costs.readUncachedPostgresUs +
    submissions * (costs.swapPostgresUs + costs.submissionPostgresUs) +
    trades * costs.tradePostgresUs +
    deliveries * costs.deliveryPostgresUs;
  const networkBytes =
    reads * (costs.readCachedBytes + BYTES.headers) + messages * BYTES.message + deliveries * BYTES.webhook;
  const readsPools = assumed.hasFeed ? 0 : 1;
  const nodeCalls =
    submissions * (costs.swapNodeCalls + costs.submissionNodeCalls) +
    readsPools * (trades * costs.tradeNodeCalls + workload.pools / SWEEP.pools / SWEEP.seconds);
  const perDay = DAY_SECONDS * assumed.meanOfPeak;
  const keptLong = (trades * costs.tradeKeptBytes + submissions * costs.submissionKeptBytes) * perDay;
  const keptShort = deliveries * costs.deliveryKeptBytes * perDay;
  const streams = workload.readers + workload.streams;
  return {
    api: {
      cores: apiCores(loads),
      followShare,
      processes,
      memoryBytes:
        (Number.isFinite(processes) ? processes : 0) * costs.apiMb * 1e6 +
        streams * costs.streamReaderKb * 1e3,
    },
    worker: {
      cores: (trades * costs.tradeWorkerUs + deliveries * costs.deliveryWorkerUs) / MICROS,
    },
    chainReader: {
      cores: (readsPools * trades * Math.max(0, costs.tradeReadWorkerUs - costs.tradeWorkerUs)) / MICROS,
    },
    confirmer: { cores: (submissions * costs.submissionWorkerUs) / MICROS },
    relay: {
      cores: (deliveries * costs.deliveryRelayUs + submissions * costs.submissionRelayUs) / MICROS,
      memoryBytesEach: costs.relayMb * 1e6 + workload.endpoints * costs.endpointRelayKb * 1e3,
    },
    postgres: {
      cores: postgresUs / MICROS,
      walBytes:
        trades * costs.tradeWalBytes +
        submissions * costs.submissionWalBytes +
        deliveries * costs.deliveryWalBytes,
      bytesPerDay: keptLong + keptShort,
      diskBytes: keptLong * assumed.days + keptShort * EVENT_DAYS,
    },
    nats: {
      cores:
        (trades * costs.tradeNatsUs +
          submissions * costs.submissionNatsUs +
          deliveries * costs.deliveryNatsUs) /
        MICROS,
    },
    nodeCalls,
    networkBytes: networkBytes + nodeCalls * BYTES.nodeCall,
    messages,
    reloads: loads,
  };
}

/**
 * Every stream of all trades gets each; a reader gets those of its pool, which trades more than others, and never more
 * than all.
 */
function messagesOf({ trades, pools, readers, streams }: Workload, { skew }: Assumptions): number {
  const ofOnePool = pools === 0 ? 0 : Math.min(trades, (trades / pools) * skew);
  return streams * trades + readers * ofOnePool;
}

/** Reads that a process has not cached: those that it never has, and one after each trade that has dropped an entry. */
function loadsOf({ reads, trades }: Workload, processes: number, { cached }: Assumptions): number {
  const dropped = Math.min(reads * cached, trades * processes);
  return Math.min(reads, reads * (1 - cached) + dropped);
}

/** Processes of one core each, of which every one also follows all trades. Infinite when that alone is too much. */
export function processesFor(cores: number, followShare: number, busy: number): number {
  const left = busy - followShare;
  return left <= 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(cores / left - ROUNDING));
}

/** A sum of floating-point numbers may lie a little above a whole number of processes. */
const ROUNDING = 1e-9;

/** Sessions of Postgres that the processes open. */
export function connectionsOf(processes: { api: number; worker: number; relay: number }): number {
  return (
    processes.api * processConnections.api +
    processes.worker * processConnections.worker +
    processes.relay * processConnections.relay
  );
}
