import type { StepJob } from '../../db/jobs/job.ts';
import { hints } from '../../shared/bus/topology.ts';
import { RunningWork } from '../../shared/running-work.ts';
import { type BroadcastContext, broadcastDue } from './broadcast-due.ts';
import { isBroadcastDue } from './claim-broadcasts.ts';

const CLAIM_MAX = 64;
/** Transactions whose sends wait for a response; an address that hangs delays nothing below this number. */
const IN_FLIGHT_MAX = 2_048;

/** The job that sends submitted transactions every 2 s, also those that the api did not send. */
export function intentBroadcaster(context: BroadcastContext): StepJob {
  const inFlight = new RunningWork();
  let transactions = 0;
  return {
    name: 'intent-broadcaster',
    isDue: isBroadcastDue,
    wakesOn: [hints.broadcast],
    async step() {
      const { due, sent } = await broadcastDue(context, CLAIM_MAX);
      if (due > 0) {
        transactions += due;
        const settled = sent.catch((err: unknown) => context.log.error({ err }, 'broadcast.not_recorded'));
        inFlight.add(settled, () => {
          transactions -= due;
        });
        while (transactions > IN_FLIGHT_MAX - CLAIM_MAX) await inFlight.oneEnded();
      }
      return due === CLAIM_MAX;
    },
    finish: () => inFlight.ended(),
  };
}
