import { Problem } from '../../shared/problem.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import { Refusal } from '../../shared/refusal.ts';

/**
 * Converts a refusal to its problem; returns any other failure unchanged.
 * @param unknown code for a missing resource
 * @param within pointer of the refused part in the body
 */
export function refusedProblem(error: unknown, unknown: ProblemCode = 'not_found', within = ''): unknown {
  if (!(error instanceof Refusal)) return error;
  const detail = error.message;
  switch (error.reason) {
    case 'unknown':
      return new Problem(unknown, { detail });
    case 'conflict':
      return new Problem('internal_state_conflict', { detail });
    case 'invalid':
      return new Problem('validation_failed', {
        detail,
        errors: [{ path: `/body${within}${error.field}`, code: 'invalid_value', message: detail }],
      });
  }
}

/** Runs `work` and throws the problem of its refusal. */
export async function refusing<Value>(
  unknown: ProblemCode | undefined,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw refusedProblem(error, unknown);
  }
}
