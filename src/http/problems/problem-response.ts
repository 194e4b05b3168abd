import { publishedLimits } from '../../shared/contract-limits.ts';
import { Problem, type ProblemCause } from '../../shared/problem.ts';
import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';
import type { RequestContext } from '../request-context.ts';

/** Seconds to wait after a 503 without a known time. */
const UNAVAILABLE_RETRY_AFTER_SECONDS = 1;

/** The body of a problem (contract/errors#problem-details), as `application/problem+json`. */
export function problemBody(
  problem: Problem,
  status: number,
  context: RequestContext,
  docsUrl: string,
): string {
  const { errors, context: facts, causes } = problem.facts;
  return JSON.stringify({
    type: problemType(problem.code, docsUrl),
    title: problemTable[problem.code].title,
    status,
    detail: problem.message,
    instance: context.shownPath,
    code: problem.code,
    requestId: context.requestId,
    ...(errors && { errors: errors.slice(0, publishedLimits.fieldErrors) }),
    ...(facts && { context: facts }),
    ...(causes && causes.length > 0 && { causes: causes.map(renderCause) }),
  });
}

/** `{docs_url}/reference/errors#<code>`. */
export function problemType(code: ProblemCode, docsUrl: string): string {
  return `${docsUrl}/reference/errors#${code}`;
}

/** Returns the seconds for `Retry-After`, or undefined when the client should not retry. */
export function retryAfterSeconds({ code, facts }: Problem): number | undefined {
  const definition = problemTable[code];
  return (
    facts.retryAfterSeconds ??
    definition.retryAfterSeconds ??
    (definition.status === 503 ? UNAVAILABLE_RETRY_AFTER_SECONDS : undefined)
  );
}

/**
 * Converts any thrown value to a problem. Any error but a Problem becomes `internal_error`, without its text.
 */
export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem('internal_error', { cause: error });
}

function renderCause({ code, detail, context }: ProblemCause) {
  const definition = problemTable[code];
  return { code, title: definition.title, detail: detail ?? definition.detail, ...(context && { context }) };
}
