import { appendFileSync, readFileSync } from 'node:fs';
import { contractDefinitions } from '../../../src/api/routes.ts';
import { possibleProblems } from '../../../src/http/problems/possible-problems.ts';
import { isCacheable, type RouteDefinition } from '../../../src/http/route.ts';
import { atEnd } from '../run/cleanup.ts';

/** test/run.ts sets this variable on a complete run. The file has one seen `operation outcome` a line. */
export const COVERAGE_FILE = 'TEST_CONTRACT_COVERAGE';

const seen = new Set<string>();

/** Records an outcome of an operation in a test: a problem code, or the status of a success. */
export function recordOutcome(operation: RouteDefinition, status: number, code: string | undefined): void {
  if (seen.size === 0) atEnd(writeOutcomes);
  seen.add(`${operation.id} ${code ?? status}`);
}

async function writeOutcomes(): Promise<void> {
  const file = process.env[COVERAGE_FILE];
  if (file !== undefined) appendFileSync(file, `${[...seen].join('\n')}\n`);
}

/** Documented outcomes that no test has seen, as `operation outcome`. */
export function unseenOutcomes(file: string): string[] {
  const covered = new Set(readFileSync(file, 'utf8').split('\n'));
  return contractDefinitions.flatMap(documentedOutcomes).filter((outcome) => !covered.has(outcome));
}

function documentedOutcomes(operation: RouteDefinition): string[] {
  const outcomes = [...possibleProblems(operation), String(operation.successStatus)];
  if (isCacheable(operation)) outcomes.push('304');
  return outcomes.map((outcome) => `${operation.id} ${outcome}`);
}
