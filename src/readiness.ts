import { type ChainHeadSource, isFresh } from './chain/head.ts';
import type { Database } from './db/client.ts';
import type { Readiness } from './http/system.ts';
import type { HintChannel } from './shared/bus/hint-channel.ts';
import type { Clock } from './shared/clock.ts';

const DATABASE_TIMEOUT_MS = 1_000;

/** What `/readyz` of the api reports. Without the bus or the chain the api still serves, only less freshly. */
export function readinessChecks({
  database,
  hintChannel,
  chainHead,
  clock,
}: {
  database: Database;
  hintChannel: HintChannel;
  chainHead: ChainHeadSource;
  clock: Clock;
}): Readiness[] {
  return [
    { name: 'postgres', required: true, check: () => checkDatabase(database) },
    {
      name: 'nats',
      required: false,
      check: async () =>
        hintChannel.isConnected()
          ? { ready: true }
          : { ready: false, detail: 'caches age out instead of being invalidated' },
    },
    {
      name: 'chain',
      required: false,
      check: async () => {
        const head = chainHead.current();
        return head !== null && isFresh(head, clock.now())
          ? { ready: true }
          : { ready: false, detail: 'the chain head is stale: intents expire by time only' };
      },
    },
  ];
}

async function checkDatabase(database: Database): Promise<{ ready: boolean; detail?: string }> {
  const deadline = Promise.withResolvers<{ ready: false; detail: string }>();
  const timer = setTimeout(
    () => deadline.resolve({ ready: false, detail: 'no answer in time' }),
    DATABASE_TIMEOUT_MS,
  );
  const answer = database`select 1`.then(
    () => ({ ready: true }),
    () => ({ ready: false, detail: 'cannot be reached' }),
  );
  return Promise.race([answer, deadline.promise]).finally(() => clearTimeout(timer));
}
