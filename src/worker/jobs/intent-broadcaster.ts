import type { NatsConnection } from '@nats-io/transport-node';
import { type BroadcastContext, broadcastDue } from '../../intents/send/broadcast-due.ts';
import { isBroadcastDue } from '../../intents/send/claim-broadcasts.ts';
import { hints } from '../../shared/bus/topology.ts';
import { wakeOnHint } from '../../shared/bus/wake-on-hint.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { RunningWork } from '../../shared/running-work.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

const CLAIM_MAX = 64;
/** Transactions whose sends wait for a response; an address that hangs delays nothing below this number. */
const IN_FLIGHT_MAX = 2_048;

export interface IntentBroadcasterJobDependencies {
  context: BroadcastContext;
  connection: NatsConnection;
  dueWork: DueWork;
  signal: AbortSignal;
}

/** Sends submitted transactions every 2 s, also those that the api did not send, until the signal aborts. */
export async function runIntentBroadcaster({
  context,
  connection,
  dueWork,
  signal,
}: IntentBroadcasterJobDependencies): Promise<void> {
  const { log } = context;
  const wakeup = new Wakeup();
  const unsubscribe = wakeOnHint(connection, hints.broadcast, wakeup);
  const unwatch = dueWork.watch(isBroadcastDue, wakeup);
  const inFlight = new RunningWork();
  let transactions = 0;
  await runLoop({
    name: 'intent-broadcaster',
    log,
    signal,
    wakeup,
    idleMs: DUE_FALLBACK_MS,
    async step() {
      const { due, sent } = await broadcastDue(context, CLAIM_MAX);
      if (due > 0) {
        transactions += due;
        const settled = sent.catch((err: unknown) => log.error({ err }, 'broadcast.not_recorded'));
        inFlight.add(settled, () => {
          transactions -= due;
        });
        while (transactions > IN_FLIGHT_MAX - CLAIM_MAX) await inFlight.oneEnded();
      }
      return due === CLAIM_MAX;
    },
  });
  unwatch();
  unsubscribe();
  await inFlight.ended();
}
