import type { Route, RouteDefinition } from '../../http/route.ts';
import { type RoundRouteDependencies, roundDefinitions, roundRoutes } from './rounds/routes.ts';
import type { FastPathDependencies } from './submissions/accept-on-fast-path.ts';
import { submissionDefinitions, submissionRoutes } from './submissions/routes.ts';

export interface PredictionRouteDependencies extends RoundRouteDependencies, FastPathDependencies {}

export const predictionDefinitions: readonly RouteDefinition[] = [
  ...roundDefinitions,
  ...submissionDefinitions,
];

export function predictionRoutes(dependencies: PredictionRouteDependencies): Route[] {
  return [...roundRoutes(dependencies), ...submissionRoutes(dependencies)];
}
