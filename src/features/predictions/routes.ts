import type { Route } from '../../http/operation.ts';
import { type RoundRouteDependencies, roundRoutes } from './rounds/routes.ts';
import { type SubmissionRouteDependencies, submissionRoutes } from './submissions/routes.ts';

export interface PredictionRouteDependencies extends RoundRouteDependencies, SubmissionRouteDependencies {}

export function predictionRoutes(dependencies: PredictionRouteDependencies): Route[] {
  return [...roundRoutes(dependencies), ...submissionRoutes(dependencies)];
}
