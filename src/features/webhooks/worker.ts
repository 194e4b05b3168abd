import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../db/client.ts';
import type { WorkerDoor } from '../../db/jobs/job.ts';
import { hints } from '../../shared/bus/topology.ts';
import {
  findEndpointCondition,
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
} from './deliveries/recover-deliveries.ts';
import { createDeliverySweep } from './deliveries/sweep-deliveries.ts';
import { eraseSecrets } from './endpoints/erase-secrets.ts';
import { deleteOldTradeEvents } from './events/delete-trade-events.ts';

const BATCH_MAX = 1_000;

export const webhookWorker = {
  open: ({ connection }: { connection: NatsConnection }) => ({
    /** For operations that recover deliveries. */
    deliveryRecovery: {
      findEndpoint: findEndpointCondition,
      isBacklogged,
      isRetryBacklogged,
      recoverFinished,
      recoverMissed,
      recoverRetrying,
      onDeliveriesDue: () => connection.publish(hints.deliveries),
    },
    /** Deletes what keeps a partition of events from being dropped. */
    sweepDeliveries: createDeliverySweep(),
  }),
  sweeps: ({ db }: { db: Database }) => [
    { batchMax: BATCH_MAX, sweep: (now, batchMax) => deleteOldTradeEvents(db, now, batchMax) },
    { batchMax: BATCH_MAX, sweep: (_now, batchMax) => eraseSecrets(db, batchMax) },
  ],
} satisfies WorkerDoor;
