import { STATUS_CODES } from 'node:http';
import type { TSchema } from '@sinclair/typebox';
import { JSON_TYPE, PROBLEM_TYPE } from '../../http/responses/response-headers.ts';
import { isIdempotent, type RouteDefinition } from '../../http/route.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { problemStatus } from '../../shared/problem-table.ts';
import { tagDescriptions } from '../openapi/tags.ts';
import type { SiteOptions } from '../options.ts';
import { groupByTag } from '../pages/side-navigation.ts';
import { exampleProblem } from '../problems/example-problem.ts';
import { responseExample } from '../reference/response-examples.ts';
import { exampleOf, SAMPLE_BODY_TYPE, SAMPLE_VERSION } from '../reference/sample-request.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * A Postman collection 2.1, which Bruno imports as well: a request for each operation with saved responses, in a folder for each
 * area.
 */
export function postmanCollection(operations: readonly RouteDefinition[], options: SiteOptions) {
  const { publicUrl } = options;
  return {
    info: {
      name: 'Launchwire API',
      description: 'Set the variable apiKey to a key of yours. Reads of tokens and markets need none.',
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: `${publicUrl}${API_PREFIX}`, type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: groupByTag(operations).map(([tag, group]) => ({
      name: tag,
      description: tagDescriptions[tag],
      item: group.map((operation) => {
        const request = requestOf(operation);
        const response = savedResponses(operation, options).map((one) => ({
          ...one,
          originalRequest: request,
        }));
        const description = `${operation.summary}.\n\n${operation.description}`;
        return { name: operation.id, request: { ...request, description }, response };
      }),
    })),
  };
}

/** The recorded success, and the refusals that are the operation's own: those of every request are in the reference. */
function savedResponses(operation: RouteDefinition, options: SiteOptions) {
  const recorded = responseExample(operation.id, options);
  const refusals = operation.problems.map((code) => {
    const status = problemStatus(code, operation.method);
    const problem = exampleProblem(code, status, `${API_PREFIX}${operation.path}`, options.docsUrl);
    return savedResponse(code, status, PROBLEM_TYPE, JSON.stringify(problem, null, 2));
  });
  const successes =
    recorded === undefined
      ? []
      : [savedResponse('From a sandbox', operation.successStatus, JSON_TYPE, recorded)];
  return [...successes, ...refusals];
}

function savedResponse(name: string, code: number, type: string, body: string) {
  return {
    name,
    status: STATUS_CODES[code],
    code,
    header: [{ key: 'Content-Type', value: type }],
    body,
    _postman_previewlanguage: 'json',
  };
}

function requestOf(operation: RouteDefinition) {
  const { method, auth, exampleBody, upload } = operation;
  return {
    method,
    header: headersOf(operation).map(([key, value]) => ({ key, value })),
    url: urlOf(operation),
    ...(auth === 'anonymous' && { auth: { type: 'noauth' } }),
    ...(exampleBody && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(exampleBody, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
    ...(upload && { body: { mode: 'file', file: { src: upload.exampleFile } } }),
  };
}

function headersOf(operation: RouteDefinition): [name: string, value: string][] {
  const { versioned, exampleBody, upload } = operation;
  const headers: [string, string][] = [];
  if (isIdempotent(operation)) headers.push(['Idempotency-Key', '{{$guid}}']);
  if (versioned === true) headers.push(['If-Match', SAMPLE_VERSION]);
  if (exampleBody !== undefined) headers.push(['Content-Type', SAMPLE_BODY_TYPE]);
  if (upload !== undefined) headers.push(['Content-Type', upload.mediaTypes[0] ?? '']);
  return headers;
}

/** Path parameters become Postman's own, which have the same form; optional query parameters are off. */
function urlOf({ path, params, query, exampleQuery = [] }: RouteDefinition) {
  const fields = Object.entries<TSchema>(query?.properties ?? {}).map(([key, schema]) => {
    const isSent =
      [...(query?.required ?? []), ...exampleQuery].includes(key) && schema.default === undefined;
    return { key, value: exampleOf(schema) ?? '', ...(!isSent && { disabled: true }) };
  });
  const asked = fields.filter((field) => !('disabled' in field)).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}${path}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: path.split('/').slice(1),
    ...(params && {
      variable: Object.entries<TSchema>(params.properties).map(([key, schema]) => ({
        key,
        value: exampleOf(schema) ?? '',
      })),
    }),
    ...(fields.length > 0 && { query: fields }),
  };
}
