import type { TSchema } from '@sinclair/typebox';
import { isIdempotent, type RouteDefinition } from '../../http/route.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { tagDescriptions } from '../openapi/tags.ts';
import type { SiteOptions } from '../options.ts';
import { groupByTag } from '../pages/side-navigation.ts';
import { exampleOf, SAMPLE_BODY_TYPE, SAMPLE_VERSION } from '../reference/sample-request.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * A Postman collection 2.1, which Bruno imports as well: a request for each operation, in a folder for each
 * area.
 */
export function postmanCollection(operations: readonly RouteDefinition[], { publicUrl }: SiteOptions) {
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
      item: group.map((operation) => ({ name: operation.id, request: requestOf(operation) })),
    })),
  };
}

function requestOf(operation: RouteDefinition) {
  const { method, auth, summary, description, exampleBody, upload } = operation;
  return {
    method,
    description: `${summary}.\n\n${description}`,
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
