import type { Route, RouteDefinition } from '../../http/route.ts';
import { type RoundRouteDependencies, roundDefinitions, roundRoutes } from './rounds/routes.ts';
import {
  type SubmissionRouteDependencies,
  submissionDefinitions,
  submissionRoutes,
} from './submissions/routes.ts';

export interface PredictionRouteDependencies extends RoundRouteDependencies, SubmissionRouteDependencies {}

export const predictionDefinitions: readonly RouteDefinition[] = [
  ...roundDefinitions,
  ...submissionDefinitions,
];

export function predictionRoutes(dependencies: PredictionRouteDependencies): Route[] {
  return [...roundRoutes(dependencies), ...submissionRoutes(dependencies)];
}
