import type { NatsConnection } from '@nats-io/transport-node';
import { type ChainHeadSource, freshPacedSlot } from '../../chain/head.ts';
import type { TokenHolderSource } from '../../chain/holdings/mint-holders.ts';
import type { SendTarget } from '../../chain/rpc/send-target.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { SignatureWakeUps } from '../../chain/streams/signature-wake-ups.ts';
import type { Database } from '../../db/client.ts';
import type { SharedKeys } from '../../db/worker-keys.ts';
import { toDistribution } from '../../features/fees/record.ts';
import type { OperationLinks } from '../../features/operations/record.ts';
import { createOrderMoves } from '../../features/orders/move-orders.ts';
import { ORDER_KIND } from '../../features/orders/sending/submit-orders.ts';
import { createSlotDependents } from '../../features/orders/slots/settle-slot-intents.ts';
import { recordMovements } from '../../features/presales/record-movements.ts';
import { findReportedPool } from '../../features/tokens/announced-pool.ts';
import { listLaunchToken, settleLaunchToken } from '../../features/tokens/settle-launch.ts';
import { upsertToken } from '../../features/tokens/upsert-token.ts';
import { FollowedSubjects } from '../../indexer/followed/followed-subjects.ts';
import type { ChainIndexing } from '../../indexer/pool-history/indexer-metrics.ts';
import type { RequestBudget } from '../../indexer/pool-history/request-budget.ts';
import type { EndedIntent } from '../../intents/end/end-intents.ts';
import { FirstBroadcaster } from '../../intents/send/first-broadcaster.ts';
import { SendRecorder } from '../../intents/send/send-recorder.ts';
import { createIntentSender } from '../../intents/submit/store-signed.ts';
import type { Outbox } from '../../outbox/append.ts';
import { hints } from '../../shared/bus/topology.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { Wakeup } from '../../shared/loop.ts';
import { runTogether } from '../../shared/run-together.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import type { Tracing } from '../../shared/tracing/tracing.ts';
import type { WorkerMetrics } from '../observation.ts';
import { operationRuns } from '../operation-kinds.ts';
import { runChainIndexer } from './chain-indexer.ts';
import { DueWork } from './due-work.ts';
import { runFeeClaims } from './fee-claims.ts';
import { runFeeStates } from './fee-states.ts';
import { runHolderCounts } from './holder-counts.ts';
import { runIngest } from './ingest.ts';
import { runIntentBroadcaster } from './intent-broadcaster.ts';
import { runIntentConfirmer } from './intent-confirmer.ts';
import { runIntentExpirer } from './intent-expirer.ts';
import { runIntentLandings } from './intent-landings.ts';
import { runIntentWatcher } from './intent-watcher.ts';
import { runLaunches } from './launches.ts';
import { runLostSubmissions } from './lost-submissions.ts';
import { runMarketOverview } from './market-overview.ts';
import { runMintFacts } from './mint-facts.ts';
import { runOperationRunner } from './operation-runner.ts';
import { runOrderEnds } from './order-ends.ts';
import { runOrderSends } from './order-sends.ts';
import { runOrderSlots } from './order-slots.ts';
import { runOutboxPublisher } from './outbox-publisher.ts';
import { type KeptDays, runPartitionUpkeep } from './partition-upkeep.ts';
import { runPredictionRounds } from './prediction-rounds.ts';
import { runPresales } from './presales.ts';
import { runRetention } from './retention.ts';
import { runStreamUpkeep } from './stream-upkeep.ts';
import { runTokenRankings } from './token-rankings.ts';
import { runTradeEvents } from './trade-events.ts';
import { runTraders } from './traders.ts';
import { runWorkerKeys } from './worker-keys.ts';

export interface JobsDependencies {
  db: Database;
  connection: NatsConnection;
  rpcs: readonly ChainRpc[];
  /** Addresses that only send. */
  sendOnly: readonly SendTarget[];
  /** Share of the intents that one drawn address does not get. */
  holdOutPercent: number;
  chainHead: ChainHeadSource;
  outbox: Outbox;
  clock: Clock;
  /**
   * For irreversible decisions: throws while the time is unknown, and the step fails until it is known again.
   */
  decisiveClock: Clock;
  log: Logger;
  /** Ends every loop after its work in progress. */
  signal: AbortSignal;
  operationLinks: OperationLinks;
  /** Opens signed orders. Null without a key: this worker sends none. */
  orderBox: SecretBox | null;
  /** The keys that the api has too. */
  sharedKeys: SharedKeys;
  holderSources: readonly TokenHolderSource[];
  indexing: ChainIndexing;
  /** For what is read of intents that landed. */
  landingBudget: RequestBudget;
  signatureWakeUps: SignatureWakeUps;
  keptDays: KeptDays;
  /** Longest wait of a prediction round for the proof of its settlement price. */
  predictionProofWaitMs: number;
  metrics: WorkerMetrics;
  tracing: Tracing | undefined;
}

/**
 * Runs every loop of the worker until the signal aborts, then waits for work in progress. Rejects when a loop
 * fails, after stopping the others: a worker that does only part of its work must not go unnoticed.
 */
export async function runJobs(dependencies: JobsDependencies): Promise<void> {
  await runTogether(dependencies.signal, (signal) =>
    Object.entries(startLoops({ ...dependencies, signal })).map(async ([name, loop]) => {
      try {
        await loop;
        if (!signal.aborted) throw new Error('the loop ended by itself');
      } catch (cause) {
        throw new Error(`job ${name} failed`, { cause });
      }
    }),
  );
}

function startLoops(dependencies: JobsDependencies): Record<string, Promise<void>> {
  const { db, connection, rpcs, sendOnly, holdOutPercent, chainHead, outbox, clock, log, signal } =
    dependencies;
  const { operationLinks, holderSources, indexing, landingBudget, signatureWakeUps, keptDays } = dependencies;
  const { predictionProofWaitMs, metrics, tracing, decisiveClock, orderBox, sharedKeys } = dependencies;
  const onTokensChanged = (mintAddresses: readonly string[]) => {
    for (const mint of mintAddresses) connection.publish(hints.tokenChanged, mint);
  };
  const onStakingChanged = (mintAddresses: readonly string[]) => {
    for (const mint of mintAddresses) connection.publish(hints.stakingChanged, mint);
  };
  const onPresalesChanged = (ids: readonly string[]) => {
    for (const id of ids) connection.publish(hints.presaleChanged, id);
  };
  const orderIntentsEnded = new Wakeup();
  // Clients that wait for an intent get the hint before the publisher takes its event; slots have no events.
  const onStatusChanged = (ids: readonly string[]) => {
    connection.publish(hints.statusChanged, ids.join(','));
  };
  const intents = {
    db,
    outbox,
    clock,
    onStatusChanged,
    dependents: createSlotDependents({ outbox, clock, metrics: metrics.orders, onStatusChanged }),
    onIntentsEnded(ended: readonly EndedIntent[]) {
      if (ended.some(({ kind }) => kind === ORDER_KIND)) orderIntentsEnded.wake();
      metrics.onIntentsEnded(ended);
    },
  };
  const recorder = new SendRecorder({ database: db, clock, log, chainHead });
  const firstBroadcaster = new FirstBroadcaster({
    ...{ database: db, targets: [...rpcs, ...sendOnly], holdOutPercent, recorder, clock, log, tracing },
    onSend: metrics.onFirstSend,
    onResponse: metrics.onSendResult,
    onLeft: metrics.onLeft,
    pace: chainHead.pace,
    onDue: () => connection.publish(hints.broadcast),
  });
  const dueWork = new DueWork(db, clock);
  const tradesQueued = new Wakeup();
  const ordersTriggered = new Wakeup();
  return {
    dueWork: dueWork.run(log, signal),
    chainHead: chainHead.run(signal),
    outboxPublisher: runOutboxPublisher({
      db,
      connection,
      clock,
      dueWork,
      log,
      signal,
      onPublished: metrics.onPublished,
      tracing,
    }),
    ingest: runIngest({
      connection,
      log,
      signal,
      onAcknowledged: metrics.onAcknowledged,
      onHeard: metrics.onIngestHeard,
      dependencies: {
        db,
        outbox,
        clock,
        upsertToken,
        findReportedPool: (token) => findReportedPool(db, { rpcs, clock }, token),
        describeFeeDistribution: toDistribution,
        recordMovements,
        followed: new FollowedSubjects(),
        onTradesQueued: () => tradesQueued.wake(),
        orders: createOrderMoves({ outbox, clock }),
        onOrdersTriggered: () => ordersTriggered.wake(),
        onTokensChanged,
        onStakingChanged,
        onPresalesChanged,
      },
    }),
    tradeEvents: runTradeEvents({
      context: { db, outbox, clock },
      wakeup: tradesQueued,
      dueWork,
      log,
      signal,
    }),
    chainIndexer: runChainIndexer({
      connection,
      rpcs,
      indexing,
      head: () => freshPacedSlot(chainHead, clock),
      log,
      signal,
      context: { db, outbox, clock, rpcs, onTokensChanged },
      onUnused: metrics.onUnused,
    }),
    holderCounts: runHolderCounts({
      db,
      sources: holderSources,
      chainHead,
      clock,
      log,
      signal,
      onTokensChanged,
      onCounted: metrics.onHoldersCounted,
    }),
    feeStates: runFeeStates({
      log,
      signal,
      dependencies: {
        db,
        outbox,
        clock,
        rpcs,
        chainHead,
        describeFeeDistribution: toDistribution,
        onTokensChanged,
      },
    }),
    feeClaims: runFeeClaims({ dueWork, log, signal, context: { db, outbox, clock } }),
    launches: runLaunches({
      dueWork,
      log,
      signal,
      context: {
        db,
        outbox,
        clock,
        rpcs,
        chainHead,
        log,
        listLaunchToken,
        settleLaunchToken,
        onTokensChanged,
      },
    }),
    workerKeys: runWorkerKeys({ db, keys: sharedKeys, orderBox, log, signal }),
    orderSlots: runOrderSlots({
      dueWork,
      log,
      signal,
      context: {
        ...{ db, outbox, clock: decisiveClock, metrics: metrics.orders, rpcs, chainHead },
        onStatusChanged,
      },
    }),
    ...(orderBox !== null && {
      orderSends: runOrderSends({
        wakeup: ordersTriggered,
        dueWork,
        signal,
        dependencies: {
          ...{ db, outbox, clock, rpcs, log, metrics: metrics.orders, box: orderBox },
          intents: createIntentSender({ outbox, clock, firstBroadcaster }),
        },
        drain: () => firstBroadcaster.drain(),
      }),
    }),
    orderEnds: runOrderEnds({
      wakeup: orderIntentsEnded,
      dueWork,
      log,
      signal,
      context: { db, outbox, clock: decisiveClock, metrics: metrics.orders },
    }),
    mintFacts: runMintFacts({
      log,
      signal,
      budget: indexing.budget,
      dependencies: { db, rpcs, chainHead, clock, onTokensChanged },
    }),
    intentBroadcaster: runIntentBroadcaster({
      connection,
      dueWork,
      signal,
      context: {
        ...intents,
        rpcs,
        sendOnly,
        holdOutPercent,
        recorder,
        log,
        onSend: metrics.onWorkerSend,
        onResponse: metrics.onSendResult,
        tracing,
      },
    }),
    intentConfirmer: runIntentConfirmer({ dueWork, log, signal, context: { ...intents, rpcs } }),
    ...(signatureWakeUps.states.length > 0 && {
      intentWatcher: runIntentWatcher({
        connection,
        wakeUps: signatureWakeUps,
        log,
        signal,
        context: { ...intents, rpcs },
      }),
    }),
    intentExpirer: runIntentExpirer({
      dueWork,
      log,
      signal,
      chainHead,
      context: { ...intents, clock: decisiveClock },
    }),
    lostSubmissions: runLostSubmissions({
      dueWork,
      log,
      signal,
      chainHead,
      context: { ...intents, rpcs, clock: decisiveClock },
      onHeld: metrics.onIntentsHeld,
    }),
    intentLandings: runIntentLandings({
      dueWork,
      log,
      signal,
      context: {
        ...intents,
        rpcs,
        factBudget: landingBudget,
        log,
        onLandingSettled: metrics.onLandingSettled,
      },
    }),
    presales: runPresales({
      connection,
      dueWork,
      log,
      signal,
      context: { db, outbox, clock: decisiveClock, onPresalesChanged },
    }),
    predictionRounds: runPredictionRounds({
      dueWork,
      log,
      signal,
      context: {
        db,
        outbox,
        clock: decisiveClock,
        proofWaitMs: predictionProofWaitMs,
        onRoundsChanged: () => connection.publish(hints.roundChanged),
      },
    }),
    operationRunner: runOperationRunner({
      connection,
      dueWork,
      signal,
      onClaimed: metrics.onOperationClaimed,
      ...operationRuns({ db, outbox, clock, log, connection, links: operationLinks, holderSources }),
    }),
    marketOverview: runMarketOverview({ db, log, signal }),
    tokenRankings: runTokenRankings({
      dueWork,
      log,
      signal,
      context: { db, clock, onRanked: metrics.onTokensRanked },
    }),
    streamUpkeep: runStreamUpkeep({ connection, log, signal }),
    traders: runTraders({ db, dueWork, log, signal }),
    retention: runRetention({ db, clock: decisiveClock, log, signal }),
    partitions: runPartitionUpkeep({ db, clock: decisiveClock, log, signal, chainHead, keptDays }),
  };
}
