import type { Route } from '../../http/operation.ts';
import { type RoundRouteDependencies, roundRoutes } from './round-routes.ts';
import { type SubmissionRouteDependencies, submissionRoutes } from './submission-routes.ts';

export interface PredictionRouteDependencies extends RoundRouteDependencies, SubmissionRouteDependencies {}

export function predictionRoutes(dependencies: PredictionRouteDependencies): Route[] {
  return [...roundRoutes(dependencies), ...submissionRoutes(dependencies)];
}
