import type { EndContext } from '../features/operations/end-operation.ts';
import {
  internalOperationOperations,
  internalOperationRoutes,
} from '../features/operations/internal-routes.ts';
import {
  type InternalPredictionDependencies,
  internalPredictionOperations,
  internalPredictionRoutes,
} from '../features/predictions/internal-routes.ts';
import { internalPresaleOperations, internalPresaleRoutes } from '../features/presales/internal-routes.ts';
import {
  type InternalTokenDependencies,
  internalTokenOperations,
  internalTokenRoutes,
} from '../features/tokens/internal-routes.ts';
import {
  type InternalIntentDependencies,
  internalIntentOperations,
  internalIntentRoutes,
} from '../features/transaction-intents/internal-routes.ts';
import {
  type InternalWebhookDependencies,
  internalWebhookOperations,
  internalWebhookRoutes,
} from '../features/webhooks/contacts/internal-routes.ts';
import type { Operation, Route } from '../http/operation.ts';

/** What the routes of the internal API need; each feature declares its part. */
export interface InternalRouteDependencies
  extends EndContext,
    InternalIntentDependencies,
    InternalPredictionDependencies,
    InternalTokenDependencies,
    InternalWebhookDependencies {}

/** Every operation of the internal API: what documentation and tests read. */
export const internalOperations: readonly Operation[] = [
  ...internalIntentOperations,
  ...internalTokenOperations,
  ...internalPredictionOperations,
  ...internalPresaleOperations,
  ...internalOperationOperations,
  ...internalWebhookOperations,
];

/** Every operation of the internal API with its handler, in the same order. */
export function internalRoutes(dependencies: InternalRouteDependencies): readonly Route[] {
  return [
    ...internalIntentRoutes(dependencies),
    ...internalTokenRoutes(dependencies),
    ...internalPredictionRoutes(dependencies),
    ...internalPresaleRoutes(dependencies),
    ...internalOperationRoutes(dependencies),
    ...internalWebhookRoutes(dependencies),
  ];
}
