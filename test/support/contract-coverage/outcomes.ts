import { contractDefinitions } from '../../../src/api/routes.ts';
import { possibleProblems } from '../../../src/http/problems/possible-problems.ts';
import { isCacheable, type RouteDefinition } from '../../../src/http/route.ts';
import { writeAtEnd } from './coverage-file.ts';

const seen = new Set<string>();

/** Records an outcome of an operation in a test: a problem code, or the status of a success. */
export function recordOutcome(operation: RouteDefinition, status: number, code: string | undefined): void {
  if (seen.size === 0) writeAtEnd(() => [...seen]);
  seen.add(`${operation.id} ${code ?? status}`);
}

/** Documented outcomes that no test has seen, as `operation outcome`. */
export function unseenOutcomes(covered: ReadonlySet<string>): string[] {
  return contractDefinitions.flatMap(documentedOutcomes).filter((outcome) => !covered.has(outcome));
}

function documentedOutcomes(operation: RouteDefinition): string[] {
  const outcomes = [...possibleProblems(operation), String(operation.successStatus)];
  if (isCacheable(operation)) outcomes.push('304');
  return outcomes.map((outcome) => `${operation.id} ${outcome}`);
}
