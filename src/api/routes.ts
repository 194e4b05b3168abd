import type { Operations } from '../http/api-door.ts';
import type { Route, RouteDefinition } from '../http/route.ts';
import type { ApiDependencies } from './dependencies.ts';
import { doors } from './doors.ts';

/** In the order of contract/endpoints#operations, then of contract/endpoints#added. */
const operations: readonly Operations<ApiDependencies>[] = [
  ...doors.flatMap((door): readonly Operations<ApiDependencies>[] =>
    'operations' in door ? door.operations : [],
  ),
  ...doors.flatMap((door): readonly Operations<ApiDependencies>[] => ('added' in door ? door.added : [])),
];

/** Every operation of the contract, for documentation and tests. */
export const contractDefinitions: readonly RouteDefinition[] = operations.flatMap(
  ({ definitions }) => definitions,
);

/** Every operation of the contract with its handler, for the api. */
export function contractRoutes(dependencies: ApiDependencies): readonly Route[] {
  return operations.flatMap(({ routes }) => routes(dependencies));
}
