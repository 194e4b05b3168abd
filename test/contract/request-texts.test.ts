import { beforeAll, describe, expect, test } from 'bun:test';
import { contractDefinitions } from '../../src/api/routes.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { internalDefinitions } from '../../src/internal/routes.ts';
import { ratePolicies } from '../../src/shared/rate-policies.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { expectProblem, type ProblemBody } from '../support/api/problems.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { createTestServiceKey, startTestInternalApi } from '../support/internal/internal-api.ts';

interface Side {
  baseUrl: string;
  headers: Record<string, string>;
}
let api: TestApi;
let outside: Side;
let inside: Side;

beforeAll(async () => {
  const many = Object.fromEntries(
    Object.keys(ratePolicies).map((name) => [name, { limit: 10_000, windowSeconds: 1 }]),
  );
  const environment = { RATE_LIMITS: JSON.stringify(many) };
  api = await startTestApi({ environment: { ...environment, ...localWebhooks } });
  const key = await createTestKey(api.dependencies.database);
  outside = { baseUrl: api.baseUrl, headers: key.header };
  const internal = await startTestInternalApi({ environment });
  inside = { baseUrl: internal.baseUrl, headers: (await createTestServiceKey(internal.owner)).header };
});

/** Sends the sample request of an operation with another body. */
async function send(operation: RouteDefinition, json: string): Promise<Response> {
  const { path, init, headers } = sampleRequest(operation);
  const { baseUrl, headers: own } = internalDefinitions.includes(operation) ? inside : outside;
  return fetch(`${baseUrl}${path}`, { ...init, body: json, headers: { ...headers, ...own } });
}

/** JSON of the body with one more field or another value of it, written with escapes. */
function changed(body: unknown, name: string, value: string): string {
  const rest = Object.entries(Object(body)).filter(([known]) => known !== name);
  const fields = rest.map(([known, part]) => `${JSON.stringify(known)}:${JSON.stringify(part)}`);
  return `{${[...fields, `"${name}":${value}`].join(',')}}`;
}

const withBody = [...contractDefinitions, ...internalDefinitions]
  .filter(({ body }) => body !== undefined)
  .map((operation) => [operation.id, operation] as const);

describe.each(withBody)('%s', (_id, operation) => {
  const [first = 'any'] = Object.keys(operation.body?.properties ?? {});
  test.each([
    ['U+0000', first, '"a\\u0000b"'],
    ['the first half of a pair', first, '"a\\ud800b"'],
    ['the second half of a pair', first, '["\\uDC00"]'],
  ])('refuses a text with %s, with its path', async (_what, name, value) => {
    const { errors = [] } = await expectProblem(
      await send(operation, changed(operation.exampleBody, name, value)),
      'validation_failed',
    );
    expect(errors.map(({ path }) => path)).toEqual([`/body/${name}${value.startsWith('[') ? '/0' : ''}`]);
  });

  test('refuses a name with one of them', async () => {
    for (const name of ['x\\u0000', 'x\\udbff'])
      await expectProblem(
        await send(operation, changed(operation.exampleBody, name, '1')),
        'validation_failed',
      );
  });
});

test('the description of an endpoint is stored as it was sent, or refused', async () => {
  const url = `${api.baseUrl}/webhook-endpoints`;
  const change = (method: string, path: string, json: string, more: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method,
      body: json,
      headers: {
        ...outside.headers,
        ...more,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
    });
  const hook = '"url":"http://127.0.0.1:8080/hook"';
  for (const text of ['a\\u0000b', 'a\\ud800b', '\\ude00\\ud83d'])
    await expectProblem(await change('POST', '', `{${hook},"description":"${text}"}`), 'validation_failed');
  const response = await change('POST', '', `{${hook},"description":"\\\\u0000 \\ud83d\\ude00"}`);
  const { id, description } = (await response.json()) as { id: string; description: string };
  expect(description).toBe('\\u0000 😀');
  const patch = (text: string) =>
    change('PATCH', `/${id}`, `{"description":"${text}"}`, { 'if-match': '"1"' });
  await expectProblem(await patch('a\\u0000b'), 'validation_failed');
  await expectProblem(await patch('a\\udfffb'), 'validation_failed');
  expect((await patch('b')).status).toBe(200);
});

test('a query with U+0000 in a text is refused', async () => {
  for (const [path, name] of [
    ['/tokens?query=a%00b', 'query'],
    ['/tokens?cursor=%00', 'cursor'],
  ]) {
    const response = await fetch(`${api.baseUrl}${path}`);
    const { errors }: ProblemBody = await expectProblem(response, 'validation_failed');
    expect(errors).toEqual([
      { path: `/query/${name}`, code: 'invalid_value', message: 'must not contain U+0000' },
    ]);
  }
});
