import type { TSchema } from '@sinclair/typebox';
import type { Operation } from '../../http/operation.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { type SchemaOptions, toJsonSchema } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { notModifiedHeaders, successHeaders } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { problemResponses } from './problem-responses.ts';
import { SECURITY_SCHEME } from './security-scheme.ts';

/** What success means, by status. */
const successMeanings = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted: durably queued, not finished. Poll or subscribe for the outcome.',
} as const;

/** The OpenAPI Operation Object of one operation. */
export function operationObject(
  operation: Operation,
  { docsUrl }: DocumentationOptions,
  responseOptions: SchemaOptions,
) {
  const { id, tag, summary, auth, successStatus, response } = operation;
  const requestBody = requestBodyOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    parameters: parametersOf(operation),
    ...(requestBody && { requestBody }),
    responses: {
      [successStatus]: {
        description: successMeanings[successStatus],
        headers: successHeaders(operation),
        content: { 'application/json': { schema: toJsonSchema(response, responseOptions) } },
      },
      ...(auth === 'anonymous' && {
        304: {
          description: 'The client has the current bytes already (`If-None-Match`).',
          headers: notModifiedHeaders(operation),
        },
      }),
      ...Object.fromEntries(problemResponses(operation, examplePath(operation), docsUrl)),
    },
    security: securityOf(operation),
  };
}

function requestBodyOf({ body, bodyOptional, exampleBody }: Operation) {
  if (body === undefined) return undefined;
  return {
    required: bodyOptional !== true,
    content: {
      'application/json': {
        schema: toJsonSchema(body, { direction: 'accepted' }),
        ...(exampleBody && { example: exampleBody }),
      },
    },
  };
}

function securityOf({ auth }: Operation): Record<string, readonly string[]>[] {
  if (auth === 'anonymous') return [];
  return [{ [SECURITY_SCHEME]: auth === 'any-key' ? [] : auth }];
}

/** The description of the operation, then its policy in words. */
function descriptionOf(operation: Operation): string {
  const facts = [
    `**Access:** ${accessOf(operation)}`,
    `**Rate policy:** \`${operation.ratePolicy}\``,
    ...(operation.maxAgeSeconds === undefined
      ? []
      : [`**Caching:** up to ${operation.maxAgeSeconds} s, conditional with \`If-None-Match\``]),
    ...(operation.method === 'GET' ? [] : ['**Idempotent:** retry with the same `Idempotency-Key`']),
    ...(operation.versioned === true ? ['**Versioned:** needs `If-Match`'] : []),
  ];
  return [operation.description, facts.map((fact) => `- ${fact}`).join('\n')].join('\n\n');
}

function accessOf({ auth }: Operation): string {
  if (auth === 'anonymous') return 'no credential';
  if (auth === 'any-key') return 'any API key';
  return `API key with ${auth.map((scope) => `\`${scope}\``).join(' and ')}`;
}

/** The path of a request, parameters filled with the examples of their schemas. */
export function examplePath({ path, params }: Pick<Operation, 'path' | 'params'>): string {
  const properties: Readonly<Record<string, TSchema>> = params?.properties ?? {};
  return `${API_PREFIX}${path.replace(/:(\w+)/g, (_, name: string) => String(properties[name]?.examples?.[0] ?? name))}`;
}
