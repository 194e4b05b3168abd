import { beforeAll, describe, expect, test } from 'bun:test';
import type { TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { contractDefinitions } from '../../src/api/routes.ts';
import { possibleProblems } from '../../src/http/problems/possible-problems.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem, type ProblemBody } from '../support/api/problems.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { specOperations } from './spec-operations.ts';

/** Requests per operation: enough to combine every kind of value with every field. */
const RUNS = 60;

let api: TestApi;
let key: TestKey;
const operations = new Map(contractDefinitions.map((operation) => [operation.id, operation]));

beforeAll(async () => {
  const generous = Object.fromEntries(
    [...new Set(specOperations.map(({ ratePolicy }) => ratePolicy))].map((name) => [
      name,
      { limit: 1_000_000, windowSeconds: 60 },
    ]),
  );
  api = await startTestApi({
    environment: { RATE_LIMITS: JSON.stringify(generous) },
    isRandom: true,
  });
  key = await createTestKey(api.dependencies.database);
});

/** Values that fit a field, nearly fit it, or do not fit it at all. */
function valueFor(schema: TSchema): fc.Arbitrary<unknown> {
  const choices: readonly unknown[] =
    schema.anyOf?.map(({ const: value }: { const: unknown }) => value) ?? [];
  return fc.oneof(
    fc.constantFrom(
      'So11111111111111111111111111111111111111112',
      '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
      '1.5',
      ...choices,
    ),
    fc.constantFrom(
      '2026-11-20T00:00:00Z',
      'https://example.com/hook',
      'AAAA',
      ['*'],
      null,
      '',
      ' ',
      '0',
      '-1',
      '1e9',
    ),
    fc.string({ maxLength: 60, unit: 'binary' }),
    fc.integer(),
    fc.double(),
    fc.jsonValue({ maxDepth: 2 }),
  );
}

function objectFor(schema: TSchema | undefined): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries((schema?.properties ?? {}) as Record<string, TSchema>);
  const known = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valueFor(field)])), {
    requiredKeys: [],
  });
  return fc
    .tuple(known, fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }))
    .map(([fitting, surprising]) => ({ ...surprising, ...fitting }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function requestFor(operation: RouteDefinition) {
  const sample = sampleRequest(operation);
  return fc.record({
    params: objectFor(operation.params),
    useSampleParams: fc.boolean(),
    query: objectFor(operation.query),
    body: fc.oneof(
      objectFor(operation.body).map((value) => JSON.stringify(value)),
      fc.string(),
      fc.constant(sample.init.body ?? ''),
    ),
    ifMatch: fc.constantFrom('"1"', '"2"', '1', '*'),
  });
}

describe('any request is answered by the documented set of answers', () => {
  test.each(specOperations.map(({ id }) => id))('%s', async (id) => {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`operation ${id} is not registered`);
    const isMutation = operation.method !== 'GET';
    const documented = possibleProblems(operation);
    await fc.assert(
      fc.asyncProperty(requestFor(operation), async ({ params, useSampleParams, query, body, ifMatch }) => {
        const path = useSampleParams
          ? (sampleRequest(operation).path.split('?')[0] ?? '')
          : operation.path.replace(
              /:(\w+)/g,
              (_, name: string) => encodeURIComponent(textOf(params[name] ?? 'x').toWellFormed()) || 'x',
            );
        const search = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [
            name.toWellFormed(),
            textOf(value).toWellFormed(),
          ]),
        );
        const response = await fetch(`${api.baseUrl}${path}?${search}`, {
          method: operation.method,
          headers: {
            ...(operation.auth !== 'anonymous' && key.header),
            ...(isMutation && {
              'content-type': 'application/json',
              'idempotency-key': crypto.randomUUID(),
              'if-match': ifMatch,
            }),
          },
          ...(isMutation && { body }),
          redirect: 'manual',
        });
        expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
        if (response.ok) return void (await response.body?.cancel());
        const { code } = (await response.clone().json()) as ProblemBody;
        // A parameter of dots changes the path.
        if (code === 'not_found' || code === 'method_not_allowed')
          return void (await response.body?.cancel());
        expect(documented).toContain(code);
        expect(code).not.toBe('internal_error');
        await expectProblem(response, code, operation.method);
      }),
      { numRuns: RUNS },
    );
  });
});
