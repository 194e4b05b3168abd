import { randomBytes } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import type { TokenHolderSource } from '../chain/holdings/mint-holders.ts';
import { isDatabaseAway } from '../db/failure.ts';
import type { OperationContext } from '../features/operations/end-operation.ts';
import { audienceExport } from '../features/operations/kinds/audience-export.ts';
import { deliveryRecovery, deliveryReplay } from '../features/operations/kinds/delivery-recovery.ts';
import { defaultPauses, type RunnerContext } from '../features/operations/runner/context.ts';
import type { AnyOperationKind } from '../features/operations/runner/kind.ts';
import {
  findEndpointCondition,
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
} from '../features/webhooks/deliveries/recover-deliveries.ts';
import { hints } from '../shared/bus/topology.ts';
import type { Logger } from '../shared/log.ts';

/** Another worker takes over the operation of a killed worker after this time. */
const LEASE_MS = 30_000;

/** The kinds in `operationRuns`, as labels of metrics. */
export const operationKinds: readonly string[] = ['audience_export', 'delivery_replay', 'delivery_recovery'];

export interface OperationRunsDependencies extends OperationContext {
  connection: NatsConnection;
  holderSources: readonly TokenHolderSource[];
  log: Logger;
}

/** Every kind of operation that the worker runs, with its dependencies. */
export function operationRuns(dependencies: OperationRunsDependencies): {
  context: RunnerContext;
  kinds: readonly AnyOperationKind[];
} {
  const { connection, holderSources, ...rest } = dependencies;
  const recovery = {
    findEndpoint: findEndpointCondition,
    isBacklogged,
    isRetryBacklogged,
    recoverFinished,
    recoverMissed,
    recoverRetrying,
    onDeliveriesDue: () => connection.publish(hints.deliveries),
  };
  return {
    context: {
      ...rest,
      leaseMs: LEASE_MS,
      pauses: defaultPauses,
      isDatabaseFailure: isDatabaseAway,
      newRequestId: () => `req_${randomBytes(16).toString('hex')}`,
      onGivenBack: () => connection.publish(hints.operations),
    },
    kinds: [audienceExport(holderSources), deliveryReplay(recovery), deliveryRecovery(recovery)],
  };
}
