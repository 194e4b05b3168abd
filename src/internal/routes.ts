import { operationInternal } from '../features/operations/internal.ts';
import { predictionInternal } from '../features/predictions/internal.ts';
import { presaleInternal } from '../features/presales/internal.ts';
import { tokenInternal } from '../features/tokens/internal.ts';
import { intentInternal } from '../features/transaction-intents/internal.ts';
import type { Route, RouteDefinition } from '../http/route.ts';
import type { Needed } from '../shared/doors.ts';

const doors = [
  intentInternal,
  tokenInternal,
  predictionInternal,
  presaleInternal,
  operationInternal,
] as const;

/** What the handlers need. */
export type InternalRouteDependencies = Needed<typeof doors, 'routes'>;

/** Every operation of the internal API, for documentation and tests. */
export const internalDefinitions: readonly RouteDefinition[] = doors.flatMap(
  ({ definitions }) => definitions,
);

/** Every operation of the internal API with its handler, in the same order. */
export function internalRoutes(dependencies: InternalRouteDependencies): readonly Route[] {
  return doors.flatMap(({ routes }) => routes(dependencies));
}
