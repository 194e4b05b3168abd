import { type ProblemCode, problemCodes, problemTable } from '../../shared/problem-table.ts';
import { isIdempotent, type RouteDefinition } from '../route.ts';

const bodyProblems: readonly ProblemCode[] = [
  'request_body_too_large',
  'unsupported_content_type',
  'malformed_json',
  'validation_failed',
];

const uploadProblems: readonly ProblemCode[] = ['request_body_too_large', 'unsupported_content_type'];

const idempotencyProblems: readonly ProblemCode[] = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_request_in_progress',
];

/**
 * Every problem that an operation can return: its own and those of the pipeline steps that apply to it
 * (contract/endpoints#operations), in the order of the table. `not_found` and `method_not_allowed` belong to
 * no operation: unmatched requests get them.
 */
export function possibleProblems(definition: RouteDefinition): ProblemCode[] {
  const codes = new Set<ProblemCode>([
    'rate_limit_exceeded',
    'rate_limit_unavailable',
    'internal_error',
    definition.unavailable ?? 'api_dependency_unavailable',
    ...credentialProblems(definition),
    ...inputProblems(definition),
    ...preconditionProblems(definition),
    ...definition.problems,
  ]);
  return problemCodes.filter((code) => codes.has(code));
}

/** True for an operation whose query takes a cursor and a limit (contract/pagination#pages). */
export function isPaginated({ query }: RouteDefinition): boolean {
  return query !== undefined && 'cursor' in query.properties && 'limit' in query.properties;
}

function credentialProblems({ auth }: RouteDefinition): ProblemCode[] {
  if (auth === 'anonymous') return [];
  return auth === 'any-key' ? ['invalid_api_key'] : ['invalid_api_key', 'insufficient_scope'];
}

function inputProblems(definition: RouteDefinition): ProblemCode[] {
  const codes: ProblemCode[] = [];
  const { params, query, refusesUnknownQuery = false } = definition;
  if (params !== undefined || query !== undefined || refusesUnknownQuery) codes.push('validation_failed');
  if (isPaginated(definition)) codes.push('cursor_invalid');
  if (definition.upload !== undefined) codes.push(...uploadProblems);
  else if (definition.method !== 'GET') codes.push(...bodyProblems);
  if (isIdempotent(definition)) codes.push(...idempotencyProblems);
  return codes;
}

/** A versioned operation that lists its own 412 rejects a stale version with that one. */
function preconditionProblems({ versioned, problems }: RouteDefinition): ProblemCode[] {
  if (versioned !== true) return [];
  const codes: ProblemCode[] = ['precondition_required', 'precondition_invalid'];
  const hasOwnConflict = problems.some((code) => problemTable[code].status === 412);
  return hasOwnConflict ? codes : [...codes, 'precondition_failed'];
}
