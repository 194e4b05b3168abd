import type { NatsConnection } from '@nats-io/transport-node';
import {
  type BroadcastContext,
  broadcastDue,
} from '../features/transaction-intents/broadcast/broadcast-due.ts';
import { hints } from '../shared/bus/topology.ts';
import { wakeOnHint } from '../shared/bus/wake-on-hint.ts';
import { runLoop, Wakeup } from '../shared/loop.ts';

const CLAIM_MAX = 64;
/** Claims with sends that wait for a response; a hanging node delays nothing until there are this many. */
const CLAIMS_IN_FLIGHT_MAX = 16;
/** A lost hint costs at most this much. */
const IDLE_MS = 250;

export interface IntentBroadcasterJobDependencies {
  context: BroadcastContext;
  connection: NatsConnection;
  signal: AbortSignal;
}

/** Sends submitted transactions, first immediately and then every 2 s, until the signal aborts. */
export async function runIntentBroadcaster({
  context,
  connection,
  signal,
}: IntentBroadcasterJobDependencies): Promise<void> {
  const { log } = context;
  const wakeup = new Wakeup();
  const unsubscribe = wakeOnHint(connection, hints.broadcast, wakeup);
  const inFlight = new Set<Promise<void>>();
  await runLoop({
    name: 'intent-broadcaster',
    log,
    signal,
    wakeup,
    idleMs: IDLE_MS,
    async step() {
      const { due, sent } = await broadcastDue(context, CLAIM_MAX);
      if (due > 0) {
        const settled = sent
          .catch((err: unknown) => log.error({ err }, 'broadcast.not_recorded'))
          .finally(() => inFlight.delete(settled));
        inFlight.add(settled);
        if (inFlight.size >= CLAIMS_IN_FLIGHT_MAX) await Promise.race(inFlight);
      }
      return due === CLAIM_MAX;
    },
  });
  unsubscribe();
  await Promise.all(inFlight);
}
