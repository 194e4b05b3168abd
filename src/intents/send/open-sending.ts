import type { ChainHeadSource } from '../../chain/head.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { FirstBroadcaster, type FirstBroadcasterDependencies } from './first-broadcaster.ts';
import type { SendMetrics } from './send-metrics.ts';
import { SendRecorder } from './send-recorder.ts';

export interface SendingDependencies
  extends Pick<
    FirstBroadcasterDependencies,
    'database' | 'targets' | 'holdOutPercent' | 'onDue' | 'tracing'
  > {
  clock: Clock;
  log: Logger;
  chainHead: ChainHeadSource;
  metrics: SendMetrics;
}

/** The first sends of a process, api or worker, and the record of all its sends. */
export function openSending({ metrics, chainHead, ...dependencies }: SendingDependencies) {
  const { database, clock, log } = dependencies;
  const sendRecorder = new SendRecorder({ database, clock, log, chainHead });
  const firstBroadcaster = new FirstBroadcaster({
    ...dependencies,
    recorder: sendRecorder,
    onSend: metrics.onFirstSend,
    onResponse: metrics.onSendResult,
    onLeft: metrics.onLeft,
  });
  return { sendRecorder, firstBroadcaster };
}
