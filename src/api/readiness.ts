import type { ChainHeadSource } from '../chain/head.ts';
import { chainReadiness } from '../chain/readiness.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import type { Database } from '../db/client.ts';
import { databaseReadiness } from '../db/observation.ts';
import type { RecentOutcomes } from '../http/observation/recent-outcomes.ts';
import { sourceReadiness } from '../indexer/proofs/observe-proofs.ts';
import { busReason } from '../shared/bus/readiness.ts';
import type { Clock } from '../shared/clock.ts';
import { checkByAsking, type Readiness } from '../shared/readiness.ts';
import type { HintChannel } from './hint-channel.ts';

/**
 * The checks of the api's `/readyz`. Without the bus, the chain or a source of trades the api still serves,
 * only less fresh data.
 */
export function readinessChecks({
  database,
  hintChannel,
  chainHead,
  rpcs,
  clock,
  sharedLimiter,
  outcomes,
}: {
  database: Database;
  hintChannel: HintChannel;
  chainHead: ChainHeadSource;
  rpcs: readonly ChainRpc[];
  clock: Clock;
  /** Absent where limits are counted in process memory. */
  sharedLimiter?: { ask(): Promise<string | null> } | undefined;
  outcomes: RecentOutcomes;
}): Readiness[] {
  return [
    databaseReadiness(database),
    outcomes.readiness,
    {
      name: 'nats',
      required: false,
      async check() {
        const { ready, detail } = await checkByAsking(hintChannel.ask, busReason);
        return ready ? { ready } : { ready, detail: `${detail}: caches expire by age only` };
      },
    },
    chainReadiness({ chainHead, rpcs, clock }, 'the chain head is old: intents expire by time only'),
    sourceReadiness(database),
    ...(sharedLimiter === undefined ? [] : [limiterReadiness(sharedLimiter)]),
  ];
}

/** Required: without its limiter the api refuses every request of the contract. */
function limiterReadiness({ ask }: { ask(): Promise<string | null> }): Readiness {
  return { name: 'redis', required: true, check: () => checkByAsking(ask) };
}
