import type { ConfigOf } from '../config.ts';
import type { Logger } from '../shared/log.ts';
import { type ChainIndexing, PollingState } from './pool-history/indexer-metrics.ts';
import { RequestBudget } from './pool-history/request-budget.ts';
import { geyserStream } from './wake-ups/geyser-stream.ts';
import { socketStream } from './wake-ups/socket-stream.ts';
import { WakeUpSources } from './wake-ups/wake-up-sources.ts';

type IndexingConfig = Pick<
  ConfigOf<'worker'>,
  'solanaRpcUrls' | 'solanaSocketUrls' | 'geyserUrl' | 'geyserToken' | 'indexerRequestsPerSecond'
>;

/** What the chain indexer of a process has besides its nodes: streams of wake-ups, and a budget of requests. */
export function createChainIndexing(
  config: IndexingConfig,
  { head, log, signal }: { head(): bigint | null; log: Logger; signal: AbortSignal },
): ChainIndexing {
  const { solanaRpcUrls, geyserUrl, geyserToken, indexerRequestsPerSecond } = config;
  const socketUrls = config.solanaSocketUrls ?? solanaRpcUrls.map(socketUrlOf);
  const streams = socketUrls.map(socketStream);
  if (geyserUrl !== undefined) streams.push(geyserStream(geyserUrl, geyserToken));
  return {
    wakeUps: new WakeUpSources({ streams, head, log }),
    budget: new RequestBudget({ perSecond: indexerRequestsPerSecond, signal }),
    state: new PollingState(),
  };
}

/** Hosted nodes serve both protocols at one address. */
function socketUrlOf(rpcUrl: string): string {
  return rpcUrl.replace(/^http/i, 'ws');
}
