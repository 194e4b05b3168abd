import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { FormatRegistry, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { COMMITTED_DOCUMENT, committedDocument } from '../../scripts/committed-document.ts';
import { contractDefinitions as operations } from '../../src/api/routes.ts';
import { openApiDocument } from '../../src/documentation/openapi/document.ts';
import { possibleProblems } from '../../src/http/problems/possible-problems.ts';
import { ProblemSchema } from '../../src/http/problems/problem-schema.ts';
import { isCacheable, isIdempotent, type RouteDefinition } from '../../src/http/route.ts';
import { eventNames, eventType } from '../../src/shared/events/catalogue.ts';
import { type ProblemCode, problemCodes, problemStatus } from '../../src/shared/problem-table.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';

interface ProblemResponse {
  description: string;
  content: Record<
    string,
    { schema: { allOf: [unknown, ProblemPart] }; examples: Record<string, { value: Problem }> }
  >;
}
interface ProblemPart {
  properties: { status: { enum: number[] }; code: { enum: string[] } };
}
interface Problem {
  code: ProblemCode;
  status: number;
  type: string;
}
interface OperationObject {
  operationId: string;
  parameters: { $ref?: string; name?: string }[];
  requestBody?: { required: boolean; content: Record<string, { example?: unknown }> };
  responses: Record<string, ProblemResponse & { headers: Record<string, unknown> }>;
  security: Record<string, string[]>[];
}

let api: TestApi;
let text: string;
let document: ReturnType<typeof openApiDocument>;

beforeAll(async () => {
  api = await startTestApi();
  text = await (await fetch(`${api.origin}/docs/openapi.json`)).text();
  document = JSON.parse(text);
});

/** Formats of JSON Schema: a validator of any language knows them, and may refuse a document with others. */
/** `binary` is of OpenAPI alone: generators tell a file by it, and no validator of JSON sees one. */
const STANDARD_FORMATS = ['binary', 'date-time', 'uri', 'uuid'];

function formatsOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { type, format } = part as { type?: unknown; format?: unknown };
  const own = type !== undefined && typeof format === 'string' ? [format] : [];
  return [...own, ...Object.values(part).flatMap(formatsOf)];
}

test('every format of the document is one of JSON Schema, or that of a file', () => {
  expect([...new Set(formatsOf(document))].toSorted()).toEqual(STANDARD_FORMATS);
});

function documented({ method, path }: RouteDefinition): OperationObject {
  const item = document.paths[path.replace(/:(\w+)/g, '{$1}')];
  return item?.[method.toLowerCase()] as OperationObject;
}

/** Resolves a reference; returns anything else as it is. */
function resolved<Described>(described: Described): Described {
  const { $ref } = described as { $ref?: string };
  if ($ref === undefined) return described;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => Reflect.get(Object(node), key), document);
  return target as Described;
}

/** The problem responses of an operation, by status. */
function problemResponsesOf(operation: RouteDefinition): [status: number, response: ProblemResponse][] {
  return Object.entries(documented(operation).responses)
    .map(([status, response]): [number, ProblemResponse] => [Number(status), resolved(response)])
    .filter(([, { content }]) => content?.['application/problem+json'] !== undefined);
}

/** `[status, codes]` of the problem responses of an operation. */
function documentedProblems(operation: RouteDefinition): [status: number, codes: string[]][] {
  return problemResponsesOf(operation).map(([status, { content }]) => [
    status,
    content['application/problem+json']?.schema.allOf[1].properties.code.enum ?? [],
  ]);
}

describe('openapi.json', () => {
  test('is valid OpenAPI 3.1 to an independent validator', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('describes every operation exactly once', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, OperationObject>).map(({ operationId }) => operationId),
    );
    expect(ids.sort()).toEqual(operations.map(({ id }) => id).sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has the same bytes at every start', () => {
    expect(JSON.stringify(openApiDocument(operations, api.dependencies.documentation))).toBe(text);
  });

  test('is committed as it is served, so that a review shows changes of the api', () => {
    const committed = readFileSync(COMMITTED_DOCUMENT, 'utf8');
    expect(committed === committedDocument(), 'docs/openapi.json is old: run `npm run openapi:write`').toBe(
      true,
    );
  });

  test('names the address of the api', () => {
    expect(document.servers).toEqual([{ url: 'http://api.test/api/v2' }]);
    expect(document.info).toMatchObject({ title: 'Launchwire API', version: '2' });
  });

  test('explains every tag and every operation', () => {
    expect(document.tags.map(({ name }) => name).sort()).toEqual(
      [...new Set(operations.map(({ tag }) => tag))].sort(),
    );
    for (const { id, description } of operations) expect(description.length, id).toBeGreaterThan(20);
  });

  test('titles every operation in at most six words, no two alike', () => {
    const titles = operations.map(({ summary }) => summary);
    expect(titles.filter((title) => title.split(' ').length > 6 || title.endsWith('.'))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('resolves every reference', () => {
    for (const [, reference] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference
        ?.split('/')
        .reduce<unknown>((node, key) => Reflect.get(Object(node), key), document);
      expect(target, reference).toBeDefined();
    }
  });
});

describe('forms that generators of clients read rightly', () => {
  const schemasWhere = (isWrong: (schema: Record<string, unknown>) => boolean) => {
    const found: unknown[] = [];
    JSON.parse(text, (_, value) => {
      if (typeof value === 'object' && value !== null && isWrong(value as Record<string, unknown>))
        found.push(value);
      return value;
    });
    return found;
  };

  test('null stands beside enumerations, objects and lists, not among their names or types', () => {
    const hasNull = (list: unknown) => Array.isArray(list) && list.includes(null);
    const isAlsoNull = (type: unknown) => Array.isArray(type) && /object|array/.test(type.join());
    expect(
      schemasWhere(({ type, enum: names }) => names !== undefined && (hasNull(names) || Array.isArray(type))),
    ).toEqual([]);
    expect(schemasWhere(({ type }) => isAlsoNull(type))).toEqual([]);
  });

  test('an object without known fields says that it may have any', () => {
    const isEmpty = (properties: unknown) => Object.keys(Object(properties)).length === 0;
    expect(
      schemasWhere(
        ({ type, properties, additionalProperties }) =>
          type === 'object' && isEmpty(properties) && additionalProperties === undefined,
      ),
    ).toEqual([]);
  });

  test('files are binary, which clients do not write as JSON', () => {
    const files = schemasWhere(({ contentMediaType }) => contentMediaType !== undefined);
    expect(files.length).toBe(4);
    for (const file of files) expect(file).toMatchObject({ type: 'string', format: 'binary' });
  });
});

describe('the size of the document', () => {
  test('no response is described twice', () => {
    const inline = operations.flatMap((operation) =>
      Object.values(documented(operation).responses)
        .filter((response) => !('$ref' in response))
        .map((response) => JSON.stringify(response)),
    );
    const problems = inline.filter((response) => response.includes('application/problem+json'));
    expect(problems.length).toBeGreaterThan(10);
    expect(problems.length).toBe(new Set(problems).size);
    const shared = Object.values(document.components.responses).map((response) => JSON.stringify(response));
    expect(shared.length).toBe(new Set(shared).size);
  });
});

describe('webhooks', () => {
  test('every event is the request that an endpoint gets, with its headers', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual(eventNames.map(eventType));
    for (const item of Object.values(document.webhooks ?? {})) {
      const { parameters, requestBody } = (item as { post: OperationObject }).post;
      const headers = parameters.map((parameter) => resolved(parameter).name);
      expect(headers).toContain('webhook-id');
      expect(headers).toContain('webhook-signature');
      expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/cloudevents+json']);
    }
  });
});

describe('problems of operations', () => {
  test('every possible one is documented under its status, and no other', () => {
    for (const operation of operations) {
      const codes = documentedProblems(operation).flatMap(([status, group]) =>
        group.map((code) => `${status} ${code}`),
      );
      const expected = possibleProblems(operation).map(
        (code) => `${problemStatus(code, operation.method)} ${code}`,
      );
      expect(codes.sort(), operation.id).toEqual(expected.sort());
    }
  });

  test('every code of the table is returned by an operation, or is known to belong to none or to the internal API', () => {
    const answered = new Set(operations.flatMap(possibleProblems));
    const missing = problemCodes.filter((code) => !answered.has(code));
    expect(missing).toEqual(['not_found', 'method_not_allowed', 'internal_state_conflict']);
  });

  test('every example is a problem of its code and status', () => {
    for (const operation of operations) {
      for (const [status, { content }] of problemResponsesOf(operation)) {
        const { schema, examples } = content['application/problem+json'] ?? expect.unreachable();
        expect(Object.keys(examples)).toEqual(schema.allOf[1].properties.code.enum);
        for (const [code, example] of Object.entries(examples)) {
          const { value } = resolved(example);
          expect([...Value.Errors(ProblemSchema, value)], `${operation.id} ${code}`).toEqual([]);
          expect(value).toMatchObject({ code: code as ProblemCode, status });
          expect(value.type).toBe(`http://api.test/docs/reference/errors#${code}`);
        }
      }
    }
  });

  // contract/endpoints#operations, row of submitTransactionIntent.
  test('submitTransactionIntent answers at least what the specification lists', () => {
    const submit = operations.find(({ id }) => id === 'submitTransactionIntent');
    const codes = Object.fromEntries(submit === undefined ? [] : documentedProblems(submit));
    expect(codes[400]?.toSorted()).toEqual([
      'idempotency_key_invalid',
      'malformed_json',
      'precondition_invalid',
    ]);
    expect(codes[401]).toEqual(['invalid_api_key']);
    expect(codes[403]).toEqual(['insufficient_scope']);
    expect(codes[404]).toEqual(['transaction_intent_not_found']);
    expect(codes[409]?.toSorted()).toEqual([
      'idempotency_key_reused',
      'idempotency_request_in_progress',
      'transaction_intent_expired',
      'transaction_intent_not_prepared',
    ]);
    expect(codes[412]).toEqual(['transaction_intent_version_conflict']);
    expect(codes[422]?.toSorted()).toEqual([
      'transaction_intent_invalid_signature',
      'transaction_intent_tampered',
      'transaction_intent_wrong_signer',
      'validation_failed',
    ]);
    expect(codes[428]).toEqual(['precondition_required']);
    expect(codes[429]).toEqual(['rate_limit_exceeded']);
  });

  test('a token without predictions is 404 to readers and 409 to submitters (contract/predictions#token-not-enabled)', () => {
    const statuses = operations
      .filter((operation) => possibleProblems(operation).includes('prediction_token_not_enabled'))
      .map(
        (operation) =>
          `${operation.method} ${documentedProblems(operation).find(([, codes]) => codes.includes('prediction_token_not_enabled'))?.[0]}`,
      );
    expect([...new Set(statuses)].sort()).toEqual(['GET 404', 'POST 409']);
  });
});

test('every success has an example that fits its schema', () => {
  for (const operation of operations) {
    const { content } = Object(documented(operation).responses[operation.successStatus]);
    const [media] = Object.values<{ examples?: { sandbox?: { value: unknown } } }>(content);
    const { value } = media?.examples?.sandbox ?? expect.unreachable(operation.id);
    expect([...Value.Errors(operation.response, value)], operation.id).toEqual([]);
    expect(JSON.stringify(value)).not.toContain('http://localhost:3000');
  }
});

describe('requests', () => {
  test('mutations take an idempotency key, versioned ones a version, anonymous reads a validator', () => {
    for (const operation of operations) {
      const headers = documented(operation).parameters.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
      const isMutation = isIdempotent(operation);
      expect(headers.includes('IdempotencyKey'), operation.id).toBe(isMutation);
      expect(headers.includes('IfMatch'), operation.id).toBe(operation.versioned === true);
      expect(headers.includes('IfNoneMatch'), operation.id).toBe(isCacheable(operation));
      expect(headers.includes('CacheControl'), operation.id).toBe(isCacheable(operation));
      expect(headers).toContain('traceparent');
      expect('304' in documented(operation).responses).toBe(isCacheable(operation));
    }
  });

  test('the scopes of an operation are its security requirement', () => {
    for (const operation of operations) {
      const { auth, isStream } = operation;
      const needed = auth === 'anonymous' ? [] : [{ apiKey: auth === 'any-key' ? [] : [...auth] }];
      const expected = isStream === true ? [{}, { apiKey: [] }] : needed;
      expect(documented(operation).security, operation.id).toEqual(expected);
    }
  });

  test('example bodies are valid', () => {
    for (const operation of operations) {
      const { requestBody } = documented(operation);
      if (operation.upload !== undefined) {
        expect(Object.keys(requestBody?.content ?? {}), operation.id).toEqual([
          ...operation.upload.mediaTypes,
        ]);
        continue;
      }
      expect(requestBody === undefined, operation.id).toBe(operation.body === undefined);
      if (operation.body === undefined) continue;
      const example = requestBody?.content['application/json']?.example;
      expect([...Value.Errors(operation.body as TSchema, example)], operation.id).toEqual([]);
    }
    expect(FormatRegistry.Has('address')).toBe(true);
  });

  test('lets request bodies hold documented fields only, and responses grow', () => {
    expect(JSON.stringify(document.components.schemas)).not.toContain('"additionalProperties":false');
    for (const operation of operations.filter(({ body }) => body !== undefined)) {
      expect(JSON.stringify(documented(operation).requestBody)).toContain('"additionalProperties":false');
    }
  });
});
