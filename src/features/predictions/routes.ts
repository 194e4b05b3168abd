import type { Operation, Route } from '../../http/operation.ts';
import { type RoundRouteDependencies, roundOperations, roundRoutes } from './rounds/routes.ts';
import {
  type SubmissionRouteDependencies,
  submissionOperations,
  submissionRoutes,
} from './submissions/routes.ts';

export interface PredictionRouteDependencies extends RoundRouteDependencies, SubmissionRouteDependencies {}

export const predictionOperations: readonly Operation[] = [...roundOperations, ...submissionOperations];

export function predictionRoutes(dependencies: PredictionRouteDependencies): Route[] {
  return [...roundRoutes(dependencies), ...submissionRoutes(dependencies)];
}
