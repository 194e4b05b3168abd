import type { TSchema } from '@sinclair/typebox';
import type { Operation } from '../../http/operation.ts';
import { type SchemaOptions, toJsonSchema } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { notModifiedHeaders, successHeaders } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { problemResponses } from './problem-responses.ts';
import type { Surface } from './surface.ts';

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
  surface: Surface,
  responseOptions: SchemaOptions,
) {
  const { id, tag, summary, auth, successStatus, response } = operation;
  const requestBody = requestBodyOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation, surface),
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
      ...Object.fromEntries(problemResponses(operation, examplePath(operation, surface), docsUrl)),
    },
    security: securityOf(operation, surface),
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

function securityOf({ auth }: Operation, { schemeName }: Surface): Record<string, readonly string[]>[] {
  if (auth === 'anonymous') return [];
  return [{ [schemeName]: auth === 'any-key' ? [] : auth }];
}

/** The description of the operation, then its policy in words. */
function descriptionOf(operation: Operation, surface: Surface): string {
  const facts = [
    `**Access:** ${accessOf(operation, surface)}`,
    `**Rate policy:** \`${operation.ratePolicy}\``,
    ...(operation.maxAgeSeconds === undefined
      ? []
      : [`**Caching:** up to ${operation.maxAgeSeconds} s, conditional with \`If-None-Match\``]),
    ...(operation.method === 'GET' ? [] : ['**Idempotent:** retry with the same `Idempotency-Key`']),
    ...(operation.versioned === true ? ['**Versioned:** needs `If-Match`'] : []),
  ];
  return [operation.description, facts.map((fact) => `- ${fact}`).join('\n')].join('\n\n');
}

function accessOf({ auth }: Operation, { keyName }: Surface): string {
  if (auth === 'anonymous') return 'no credential';
  if (auth === 'any-key') return `any ${keyName}`;
  return `${keyName} with ${auth.map((scope) => `\`${scope}\``).join(' and ')}`;
}

/** The path of a request, parameters filled with the examples of their schemas. */
function examplePath({ path, params }: Operation, { prefix }: Surface): string {
  const properties: Readonly<Record<string, TSchema>> = params?.properties ?? {};
  return `${prefix}${path.replace(/:(\w+)/g, (_, name: string) => String(properties[name]?.examples?.[0] ?? name))}`;
}
