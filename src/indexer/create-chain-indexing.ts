import type { PacedSlot } from '../chain/head.ts';
import type { StreamTimes } from '../chain/streams/keep-connected.ts';
import { socketUrls } from '../chain/streams/socket-urls.ts';
import type { ConfigOf } from '../config/load.ts';
import type { Logger } from '../shared/log.ts';
import { type ChainIndexing, PollingState } from './pool-history/indexer-metrics.ts';
import { RequestBudget } from './pool-history/request-budget.ts';
import { type SteadyTime, steadyTime } from './steady-time.ts';
import { geyserStream } from './wake-ups/geyser-stream.ts';
import { socketStream } from './wake-ups/socket-stream.ts';
import { WakeUpSources } from './wake-ups/wake-up-sources.ts';

type IndexingConfig = Pick<
  ConfigOf<'worker'>,
  'solanaNodes' | 'solanaSocketUrls' | 'geyserUrl' | 'geyserToken' | 'indexerRequestsPerSecond'
>;

interface ChainIndexingDependencies {
  head(): PacedSlot | null;
  log: Logger;
  signal: AbortSignal;
  /** The waiting times of wake-up streams. */
  streamTimes?: StreamTimes;
  time?: SteadyTime;
}

/** The parts of a chain indexer besides its nodes: streams of wake-ups, and a budget of requests. */
export function createChainIndexing(
  config: IndexingConfig,
  { head, log, signal, streamTimes, time = steadyTime }: ChainIndexingDependencies,
): ChainIndexing {
  const { geyserUrl, geyserToken, indexerRequestsPerSecond } = config;
  const streams = socketUrls(config).map(socketStream);
  if (geyserUrl !== undefined) streams.push(geyserStream(geyserUrl, geyserToken));
  return {
    wakeUps: new WakeUpSources({
      streams,
      head,
      log,
      ...(streamTimes === undefined ? {} : { times: streamTimes }),
    }),
    budget: new RequestBudget({ perSecond: indexerRequestsPerSecond, signal }),
    state: new PollingState(time),
    time,
  };
}
