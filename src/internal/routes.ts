import type { EndContext } from '../features/operations/end-operation.ts';
import {
  internalOperationDefinitions,
  internalOperationRoutes,
} from '../features/operations/internal-routes.ts';
import {
  type InternalPredictionDependencies,
  internalPredictionDefinitions,
  internalPredictionRoutes,
} from '../features/predictions/internal-routes.ts';
import { internalPresaleDefinitions, internalPresaleRoutes } from '../features/presales/internal-routes.ts';
import {
  type InternalTokenDependencies,
  internalTokenDefinitions,
  internalTokenRoutes,
} from '../features/tokens/internal-routes.ts';
import {
  type InternalIntentDependencies,
  internalIntentDefinitions,
  internalIntentRoutes,
} from '../features/transaction-intents/internal-routes.ts';
import type { Route, RouteDefinition } from '../http/route.ts';

/** The dependencies of the internal API's routes; each feature declares its part. */
export interface InternalRouteDependencies
  extends EndContext,
    InternalIntentDependencies,
    InternalPredictionDependencies,
    InternalTokenDependencies {}

/** Every operation of the internal API, for documentation and tests. */
export const internalDefinitions: readonly RouteDefinition[] = [
  ...internalIntentDefinitions,
  ...internalTokenDefinitions,
  ...internalPredictionDefinitions,
  ...internalPresaleDefinitions,
  ...internalOperationDefinitions,
];

/** Every operation of the internal API with its handler, in the same order. */
export function internalRoutes(dependencies: InternalRouteDependencies): readonly Route[] {
  return [
    ...internalIntentRoutes(dependencies),
    ...internalTokenRoutes(dependencies),
    ...internalPredictionRoutes(dependencies),
    ...internalPresaleRoutes(dependencies),
    ...internalOperationRoutes(dependencies),
  ];
}
