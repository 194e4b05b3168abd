import { randomBytes } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import type { TokenHolderSource } from '../../chain/holdings/mint-holders.ts';
import type { Database } from '../../db/client.ts';
import { isDatabaseAway } from '../../db/failure.ts';
import type { WorkerDoor } from '../../db/jobs/job.ts';
import { hints } from '../../shared/bus/topology.ts';
import type { Logger } from '../../shared/log.ts';
import type { OperationContext } from './end-operation.ts';
import { audienceExport } from './kinds/audience-export.ts';
import { deliveryRecovery, deliveryReplay, type RecoveryDependencies } from './kinds/delivery-recovery.ts';
import { runnerInputs } from './kinds/input-schema.ts';
import type { OperationLinks } from './record.ts';
import { deleteExpiredResults } from './results/rows.ts';
import { defaultPauses } from './runner/context.ts';
import { operationRunner } from './runner/operation-runner.ts';

/** Another worker takes over the operation of a killed worker after this time. */
const LEASE_MS = 30_000;
/** A result may be hundreds of megabytes. */
const RESULTS_MAX = 5;

/** The kinds that this door runs, as labels of metrics. */
export const operationKinds: readonly string[] = Object.keys(runnerInputs);

export interface OperationJobDependencies extends Omit<OperationContext, 'links'> {
  connection: NatsConnection;
  operationLinks: OperationLinks;
  holderSources: readonly TokenHolderSource[];
  log: Logger;
  deliveryRecovery: RecoveryDependencies;
  metrics: { onOperationClaimed(kind: string, isReclaim: boolean): void };
}

export const operationWorker = {
  jobs(dependencies: OperationJobDependencies) {
    const { db, outbox, clock, log, connection, operationLinks, holderSources } = dependencies;
    const recovery = dependencies.deliveryRecovery;
    return [
      operationRunner({
        connection,
        onClaimed: dependencies.metrics.onOperationClaimed,
        context: {
          db,
          outbox,
          clock,
          log,
          links: operationLinks,
          leaseMs: LEASE_MS,
          pauses: defaultPauses,
          isDatabaseFailure: isDatabaseAway,
          newRequestId: () => `req_${randomBytes(16).toString('hex')}`,
          onGivenBack: () => connection.publish(hints.operations),
        },
        kinds: [audienceExport(holderSources), deliveryReplay(recovery), deliveryRecovery(recovery)],
      }),
    ];
  },
  sweeps: ({ db }: { db: Database }) => [
    { batchMax: RESULTS_MAX, sweep: (now, batchMax) => deleteExpiredResults(db, now, batchMax) },
  ],
} satisfies WorkerDoor;
