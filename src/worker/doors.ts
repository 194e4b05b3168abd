import type { NatsConnection } from '@nats-io/transport-node';
import type { ChainHeadSource } from '../chain/head.ts';
import type { TokenHolderSource } from '../chain/holdings/mint-holders.ts';
import type { SendTarget } from '../chain/rpc/send-target.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import type { SignatureWakeUps } from '../chain/streams/signature-wake-ups.ts';
import type { Database } from '../db/client.ts';
import type { Job } from '../db/jobs/job.ts';
import { type KeptDays, partitionUpkeep } from '../db/jobs/make-and-drop-partitions.ts';
import { retention } from '../db/jobs/retention.ts';
import type { SharedKeys } from '../db/worker-keys.ts';
import { feeWorker } from '../features/fees/worker.ts';
import { launchWorker } from '../features/launches/worker.ts';
import { marketWorker } from '../features/market/worker.ts';
import type { OperationLinks } from '../features/operations/record.ts';
import { operationWorker } from '../features/operations/worker.ts';
import { orderWorker } from '../features/orders/worker.ts';
import { predictionWorker } from '../features/predictions/worker.ts';
import { presaleWorker } from '../features/presales/worker.ts';
import { streamWorker } from '../features/streams/worker.ts';
import { tokenWorker } from '../features/tokens/worker.ts';
import { webhookWorker } from '../features/webhooks/worker.ts';
import type { ChainIndexing } from '../indexer/pool-history/indexer-metrics.ts';
import type { RequestBudget } from '../indexer/pool-history/request-budget.ts';
import { indexerWorker } from '../indexer/worker.ts';
import { intentWorker } from '../intents/worker.ts';
import type { Outbox } from '../outbox/append.ts';
import { outboxWorker } from '../outbox/worker.ts';
import { hints } from '../shared/bus/topology.ts';
import type { Clock } from '../shared/clock.ts';
import { gather } from '../shared/doors.ts';
import type { Logger } from '../shared/log.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import type { WorkerMetrics } from './observation.ts';

/** Every room that gives work to the worker. */
const doors = [
  outboxWorker,
  indexerWorker,
  intentWorker,
  tokenWorker,
  marketWorker,
  feeWorker,
  launchWorker,
  orderWorker,
  predictionWorker,
  presaleWorker,
  operationWorker,
  webhookWorker,
  streamWorker,
] as const;

/** What the process has, of which each door takes its part. */
export interface WorkerGround {
  db: Database;
  connection: NatsConnection;
  rpcs: readonly ChainRpc[];
  /** Addresses that only send. */
  sendOnly: readonly SendTarget[];
  /** Share of the intents that one address, chosen at random, does not get. */
  holdOutPercent: number;
  chainHead: ChainHeadSource;
  outbox: Outbox;
  clock: Clock;
  /** For irreversible decisions: throws while the time is unknown, and the step fails until it is known again. */
  decisiveClock: Clock;
  log: Logger;
  operationLinks: OperationLinks;
  /** Opens signed orders. Null without a key: this worker sends none. */
  orderBox: SecretBox | null;
  /** The keys that the api has too. */
  sharedKeys: SharedKeys;
  holderSources: readonly TokenHolderSource[];
  indexing: ChainIndexing;
  /** For reads of transactions that landed. */
  landingBudget: RequestBudget;
  signatureWakeUps: SignatureWakeUps;
  keptDays: KeptDays;
  /** Longest wait of a prediction round for the proof of its settlement price. */
  predictionProofWaitMs: number;
  metrics: WorkerMetrics;
  tracing: Tracing | undefined;
}

/** Opens every door of the worker, and returns the jobs behind them. */
export function workerJobs(ground: WorkerGround): readonly Job[] {
  const { chainHead, db, decisiveClock: clock } = ground;
  const announced = { ...ground, ...announcements(ground.connection) };
  const context = { ...announced, ...gather(doors, 'open', announced) };
  const sweeps = doors.flatMap((door) => ('sweeps' in door ? door.sweeps(context) : []));
  return [
    { name: 'chain-head', run: (signal) => chainHead.run(signal) },
    ...doors.flatMap((door): readonly Job[] => ('jobs' in door ? door.jobs(context) : [])),
    partitionUpkeep({ ...context, clock }),
    retention(db, clock, sweeps),
  ];
}

/** What apis and waiting requests hear of changes, after their commits. */
function announcements(connection: NatsConnection) {
  const publishEach = (hint: string) => (payloads: readonly string[]) => {
    for (const payload of payloads) connection.publish(hint, payload);
  };
  return {
    onTokensChanged: publishEach(hints.tokenChanged),
    onTokensHidden: () => connection.publish(hints.tokensHidden),
    onStakingChanged: publishEach(hints.stakingChanged),
    onPresalesChanged: publishEach(hints.presaleChanged),
    onRoundsChanged: () => connection.publish(hints.roundChanged),
    /** Whoever waits for a record hears of it before the publisher takes its event; slots have no events. */
    onStatusChanged: (ids: readonly string[]) => connection.publish(hints.statusChanged, ids.join(',')),
  };
}
