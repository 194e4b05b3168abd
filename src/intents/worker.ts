import type { NatsConnection } from '@nats-io/transport-node';
import type { ChainHeadSource } from '../chain/head.ts';
import type { SendTarget } from '../chain/rpc/send-target.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import type { SignatureWakeUps } from '../chain/streams/signature-wake-ups.ts';
import { advisoryLocks, withAdvisoryLock } from '../db/advisory-lock.ts';
import type { Database } from '../db/client.ts';
import type { StepJob, WorkerDoor } from '../db/jobs/job.ts';
import type { RequestBudget } from '../indexer/pool-history/request-budget.ts';
import { hints } from '../shared/bus/topology.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { Wakeup } from '../shared/loop.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import { type ConfirmContext, confirmSubmitted, PollMemory } from './confirm/confirm-submitted.ts';
import { isIntentAwaited } from './confirm/list-awaited-intents.ts';
import { intentWatcher } from './confirm/watch-intents.ts';
import type { EndedIntent, IntentContext } from './end/end-intents.ts';
import { expireIntents, isIntentOverdue } from './end/expire-intents.ts';
import { isLandingDue } from './land/claim-landings.ts';
import { type FollowContext, followLandings } from './land/follow-landings.ts';
import type { IntentMetrics } from './metrics.ts';
import { lostSubmissions } from './recover/lost-submissions.ts';
import { intentBroadcaster } from './send/broadcast-job.ts';
import { openSending } from './send/open-sending.ts';
import type { SendMetrics } from './send/send-metrics.ts';
import type { SendRecorder } from './send/send-recorder.ts';

export interface IntentWorkerDependencies {
  db: Database;
  connection: NatsConnection;
  clock: Clock;
  log: Logger;
  rpcs: readonly ChainRpc[];
  /** Addresses that only send. */
  sendOnly: readonly SendTarget[];
  /** Share of the intents that one address, chosen at random, does not get. */
  holdOutPercent: number;
  chainHead: ChainHeadSource;
  tracing: Tracing | undefined;
  metrics: SendMetrics;
}

export interface IntentJobDependencies
  extends Omit<IntentWorkerDependencies, 'metrics'>,
    Pick<Required<IntentContext>, 'outbox' | 'onStatusChanged' | 'dependents'> {
  /** For irreversible decisions: throws while the time is unknown, and the step fails until it is known again. */
  decisiveClock: Clock;
  sendRecorder: SendRecorder;
  signatureWakeUps: SignatureWakeUps;
  /** For reads of transactions that landed. */
  landingBudget: RequestBudget;
  metrics: IntentMetrics & SendMetrics;
  /** Called after a commit with intents that ended. */
  onIntentsEnded(ended: readonly EndedIntent[]): void;
}

const EXPIRED_MAX = 200;

export const intentWorker = {
  open({ db, rpcs, sendOnly, connection, ...ground }: IntentWorkerDependencies) {
    return openSending({
      ...ground,
      database: db,
      targets: [...rpcs, ...sendOnly],
      onDue: () => connection.publish(hints.broadcast),
    });
  },
  jobs(dependencies: IntentJobDependencies) {
    const { db, outbox, clock, rpcs, onStatusChanged, dependents, metrics, log, connection } = dependencies;
    const { decisiveClock, chainHead, signatureWakeUps, sendRecorder, landingBudget } = dependencies;
    const landed = new Wakeup();
    const context: ConfirmContext = {
      db,
      outbox,
      clock,
      rpcs,
      onStatusChanged,
      dependents,
      onIntentsEnded(ended) {
        dependencies.onIntentsEnded(ended);
        metrics.onIntentsEnded(ended);
        if (ended.some(({ status }) => status !== 'expired')) landed.wake();
      },
    };
    const decisive = { ...context, clock: decisiveClock };
    return [
      intentBroadcaster({
        ...context,
        sendOnly: dependencies.sendOnly,
        holdOutPercent: dependencies.holdOutPercent,
        recorder: sendRecorder,
        log,
        onSend: metrics.onWorkerSend,
        onResponse: metrics.onSendResult,
        tracing: dependencies.tracing,
      }),
      intentConfirmer(context),
      ...(signatureWakeUps.states.length > 0
        ? [intentWatcher({ context, connection, wakeUps: signatureWakeUps, log })]
        : []),
      intentExpirer(decisive, chainHead),
      lostSubmissions({ context: decisive, chainHead, log, onHeld: metrics.onIntentsHeld }),
      intentLandings(landed, {
        ...context,
        factBudget: landingBudget,
        log,
        onLandingSettled: metrics.onLandingSettled,
      }),
    ];
  },
} satisfies WorkerDoor;

/**
 * Polls the outcome of submitted intents whenever there are some. One worker does it for all, so that statuses
 * are queried once and in full batches; another takes over when it dies or freezes. The lock only saves work: a
 * worker that resumes late changes no intent that another has ended.
 */
export function intentConfirmer(context: ConfirmContext): StepJob {
  const memory = new PollMemory();
  return {
    name: 'intent-confirmer',
    isDue: isIntentAwaited,
    async step() {
      await withAdvisoryLock(context.db, advisoryLocks.intentConfirmer, () =>
        confirmSubmitted(context, memory),
      );
      return false;
    },
  };
}

/** Expires prepared intents by time and by block height, within 2 s of either. */
function intentExpirer(context: IntentContext, chainHead: ChainHeadSource): StepJob {
  const blockHeight = () => chainHead.current()?.blockHeight ?? null;
  const fastest = () => chainHead.pace().fastestPerSecond;
  return {
    name: 'intent-expirer',
    isDue: (db, now) => isIntentOverdue(db, now, blockHeight(), fastest()),
    step: async () => (await expireIntents(context, blockHeight(), EXPIRED_MAX, fastest())) === EXPIRED_MAX,
  };
}

/**
 * Follows transactions that landed until their blocks are final. Any number of workers do it: each takes the
 * landings that are due. The one that has ended an intent begins at once.
 * @param landed is woken after the commit that ended intents
 */
function intentLandings(landed: Wakeup, context: FollowContext): StepJob {
  return {
    name: 'intent-landings',
    isDue: isLandingDue,
    wakeup: landed,
    step: () => followLandings(context),
  };
}
