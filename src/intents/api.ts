import type { ChainHeadSource } from '../chain/head.ts';
import type { SendTarget } from '../chain/rpc/send-target.ts';
import type { Database } from '../db/client.ts';
import type { Outbox } from '../outbox/append.ts';
import { hints, type SentHint } from '../shared/bus/topology.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import type { ProcessMetrics } from '../shared/metrics/process-metrics.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import { createIntentKeeper } from './prepare/store-composed-intent.ts';
import { openSending } from './send/open-sending.ts';
import { createSendMetrics, observeFirstSends } from './send/send-metrics.ts';
import { IntentFacts } from './submit/intent-facts.ts';
import { SubmissionWriter } from './submit/submission-writer.ts';

export interface IntentGround {
  database: Database;
  clock: Clock;
  log: Logger;
  outbox: Outbox;
  chainHead: ChainHeadSource;
  /** Every address that takes transactions. */
  sendTargets: readonly SendTarget[];
  config: { sendHoldOutPercent: number };
  tracing: Tracing | undefined;
  sendHints(...hints: SentHint[]): void;
  processMetrics: ProcessMetrics;
}

/** For every feature of the api that has a wallet sign. */
export const intentApi = {
  open(ground: IntentGround) {
    const { database, clock, log, outbox, chainHead, sendTargets, tracing, processMetrics } = ground;
    const names = sendTargets.map(({ name }) => name);
    const metrics = createSendMetrics(processMetrics, names);
    const { firstBroadcaster } = openSending({
      database,
      targets: sendTargets,
      holdOutPercent: ground.config.sendHoldOutPercent,
      clock,
      log,
      tracing,
      chainHead,
      metrics,
      onDue: () => ground.sendHints(hints.broadcast),
    });
    observeFirstSends(processMetrics, firstBroadcaster);
    const intentFacts = new IntentFacts();
    return {
      intentFacts,
      firstBroadcaster,
      submissionWriter: new SubmissionWriter(database),
      intentKeeper: createIntentKeeper(database, outbox, clock, intentFacts),
    };
  },
};
