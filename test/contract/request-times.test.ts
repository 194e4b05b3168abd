import { beforeAll, describe, expect, test } from 'bun:test';
import type { TObject, TSchema } from '@sinclair/typebox';
import { contractDefinitions } from '../../src/api/routes.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { internalDefinitions } from '../../src/internal/routes.ts';
import type { FieldError } from '../../src/shared/problem.ts';
import { ratePolicies } from '../../src/shared/rate-policies.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { createTestServiceKey, startTestInternalApi } from '../support/internal/internal-api.ts';

/** A field of a request that takes a time. */
interface TimeField {
  operation: RouteDefinition;
  part: 'query' | 'body';
  name: string;
}

function timeFields(operation: RouteDefinition): TimeField[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries((operation[part] as TObject | undefined)?.properties ?? {})
      .filter(([, schema]) => isTime(schema))
      .map(([name]) => ({ operation, part, name })),
  );
}

function isTime({ format, anyOf = [] }: TSchema): boolean {
  return format === 'date-time' || (anyOf as TSchema[]).some(isTime);
}

/** Counts the times of a schema at any depth. */
function timesWithin(schema: TSchema | undefined): number {
  if (schema === undefined) return 0;
  const { format, properties = {}, anyOf = [], items, patternProperties = {} } = schema;
  const within = [...Object.values(properties), ...Object.values(patternProperties), ...anyOf, items];
  return (format === 'date-time' ? 1 : 0) + within.reduce((sum, one) => sum + timesWithin(one), 0);
}

const service: Record<'public' | 'internal', { baseUrl: string; headers: Record<string, string> }> = {
  public: { baseUrl: '', headers: {} },
  internal: { baseUrl: '', headers: {} },
};

beforeAll(async () => {
  const many = Object.fromEntries(
    Object.keys(ratePolicies).map((name) => [name, { limit: 10_000, windowSeconds: 1 }]),
  );
  const environment = { RATE_LIMITS: JSON.stringify(many) };
  const api = await startTestApi({ environment, isRandom: true });
  const key = await createTestKey(api.dependencies.database);
  service.public = { baseUrl: api.baseUrl, headers: key.header };
  const internal = await startTestInternalApi({ environment });
  service.internal = {
    baseUrl: internal.baseUrl,
    headers: (await createTestServiceKey(internal.owner)).header,
  };
});

interface Answer {
  status: number;
  code?: string;
  errors?: FieldError[];
}

/** Sends the sample request of the operation with this time in one field. */
async function send({ operation, part, name }: TimeField, time: string): Promise<Answer> {
  const { path, init, headers } = sampleRequest(operation);
  const side = service[internalDefinitions.includes(operation) ? 'internal' : 'public'];
  const url = new URL(`${side.baseUrl}${path}`);
  if (part === 'query') url.searchParams.set(name, time);
  const body =
    part === 'body' ? JSON.stringify({ ...Object(operation.exampleBody), [name]: time }) : init.body;
  const response = await fetch(url, { ...init, body, headers: { ...headers, ...side.headers } });
  const answer = (await response.json()) as Answer;
  return { ...answer, status: response.status };
}

const operations = [...contractDefinitions, ...internalDefinitions];
const found = operations.flatMap(timeFields);

test('every time of a request is at the top of its query or body, where the tests below send it', () => {
  const count = operations.reduce((sum, { query, body }) => sum + timesWithin(query) + timesWithin(body), 0);
  expect(found).toHaveLength(count);
  expect(count).toBeGreaterThan(15);
});

const names = found.map((field) => [`${field.operation.id} ${field.name}`, field] as const);

describe.each(names)('%s', (_name, field) => {
  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+15:59',
    '9999-12-31T23:59:59-23:59',
    '2026-02-30T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01 00:00:00Z',
    `2026-01-01T00:00:00.${'9'.repeat(31)}Z`,
  ])('%s is 422', async (time) => {
    const { status, code, errors = [] } = await send(field, time);
    expect({ status, code }).toEqual({ status: 422, code: 'validation_failed' });
    expect(errors.filter(({ path }) => path === `/${field.part}/${field.name}`)).toEqual([
      expect.objectContaining({ code: 'invalid_format' }),
    ]);
  });

  test.each([
    '0001-01-01T00:00:00Z',
    '0000-12-31T23:59:59-23:59',
    '9999-12-31T23:59:59.999999999999Z',
    '2026-01-01t00:00:00.12345678901234567890z',
    '2026-01-01T00:00:00+23:59',
  ])('%s is a time', async (time) => {
    const { code, errors = [] } = await send(field, time);
    expect(code).not.toBe('internal_error');
    expect(errors.filter((error) => error.code === 'invalid_format')).toEqual([]);
  });
});
