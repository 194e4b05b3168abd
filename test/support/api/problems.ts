import { expect } from 'bun:test';
import { type ProblemCode, problemStatus, problemTable } from '../../../src/shared/problem-table.ts';

/** Headers of every error under `/api/v2` (contract/errors#headers). */
const headerPatterns: Record<string, RegExp> = {
  'content-type': /^application\/problem\+json$/,
  'cache-control': /^private, no-store$/,
  vary: /^Authorization$/,
  'x-service-api-version': /^2$/,
  'x-duration-ms': /^\d+$/,
  'x-request-id': /^req_[0-9a-f]{32}$/,
  traceparent: /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/,
};

/** Problems show only this many characters of a longer path. */
const SHOWN_PATH_LENGTH_MAX = 512;

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ProblemCode;
  requestId: string;
  errors?: { path: string; code: string; message: string }[];
  context?: Record<string, unknown>;
  causes?: { code: ProblemCode; title: string; detail: string }[];
}

/**
 * Checks that a response is this problem, complete in body and headers, and returns its body.
 * @param method of the request, where the status of the code depends on it
 */
export async function expectProblem(
  response: Response,
  code: ProblemCode,
  method?: string,
): Promise<ProblemBody> {
  const body = (await response.json()) as ProblemBody;
  expect(body.code).toBe(code);
  expect(response.status).toBe(problemStatus(code, method));
  expect(body.status).toBe(response.status);
  expect(body.title).toBe(problemTable[code].title);
  expect(body.type).toEndWith(`/reference/errors#${code}`);
  const { pathname } = new URL(response.url);
  if (pathname.length <= SHOWN_PATH_LENGTH_MAX) expect(body.instance).toBe(pathname);
  else expect(pathname.slice(0, SHOWN_PATH_LENGTH_MAX)).toStartWith(body.instance);
  expect(body.detail.length).toBeGreaterThan(0);
  for (const [name, pattern] of Object.entries(headerPatterns))
    expect(response.headers.get(name) ?? '').toMatch(pattern);
  if (code === 'idempotency_key_reused' || code === 'idempotency_request_in_progress')
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(body.requestId).toBe(response.headers.get('x-request-id') ?? '');
  return body;
}
