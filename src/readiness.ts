import { type ChainHeadSource, isFresh } from './chain/head.ts';
import type { Database } from './db/client.ts';
import { databaseReadiness } from './db/observation.ts';
import type { HintChannel } from './shared/bus/hint-channel.ts';
import type { Clock } from './shared/clock.ts';
import { checkByAsking, type Readiness } from './shared/readiness.ts';

/** What `/readyz` of the api reports. Without the bus or the chain the api still serves, only less freshly. */
export function readinessChecks({
  database,
  hintChannel,
  chainHead,
  clock,
  sharedLimiter,
}: {
  database: Database;
  hintChannel: HintChannel;
  chainHead: ChainHeadSource;
  clock: Clock;
  /** Absent where limits are counted in process memory. */
  sharedLimiter?: { ping(): Promise<unknown> } | undefined;
}): Readiness[] {
  return [
    databaseReadiness(database),
    {
      name: 'nats',
      required: false,
      check: async () =>
        hintChannel.isConnected()
          ? { ready: true }
          : { ready: false, detail: 'caches age out instead of being invalidated' },
    },
    chainReadiness(chainHead, clock, 'the chain head is stale: intents expire by time only'),
    ...(sharedLimiter === undefined ? [] : [limiterReadiness(sharedLimiter)]),
  ];
}

/** Required: without its limiter the api refuses every request of the contract. */
function limiterReadiness({ ping }: { ping(): Promise<unknown> }): Readiness {
  return { name: 'redis', required: true, check: () => checkByAsking(ping) };
}

/** @param detail what it means for the process that the chain is away. */
export function chainReadiness(chainHead: ChainHeadSource, clock: Clock, detail: string): Readiness {
  return {
    name: 'chain',
    required: false,
    check: async () => {
      const head = chainHead.current();
      return head !== null && isFresh(head, clock.now()) ? { ready: true } : { ready: false, detail };
    },
  };
}
