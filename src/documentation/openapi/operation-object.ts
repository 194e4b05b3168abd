import { isCacheable, isIdempotent, type RouteDefinition } from '../../http/route.ts';
import { type SchemaOptions, toJsonSchema } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { responseExample } from '../reference/response-examples.ts';
import { streamExamples } from '../streams/stream-examples.ts';
import { successHeaders } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { notModifiedName, type SharedResponses } from './shared-responses.ts';
import type { Surface } from './surface.ts';

/** Meanings of success statuses. */
const successMeanings = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted: durably queued, not finished. Poll or subscribe for the outcome.',
} as const;

/** What the operations of a document share. */
interface OperationContext {
  options: DocumentationOptions;
  schemas: SchemaOptions;
  shared: SharedResponses;
}

export function operationObject(
  operation: RouteDefinition,
  surface: Surface,
  { options, schemas, shared }: OperationContext,
) {
  const { id, tag, summary, successStatus, response } = operation;
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
        content: {
          [mediaTypeOf(operation)]: {
            schema: toJsonSchema(response, schemas),
            ...successExamples(operation, options),
          },
        },
      },
      ...(isCacheable(operation) && {
        304: { $ref: `#/components/responses/${notModifiedName(operation)}` },
      }),
      ...Object.fromEntries(shared.problemsOf(operation)),
    },
    security: securityOf(operation, surface),
  };
}

/** A response that a sandbox gave; of a stream, one of its messages. */
function successExamples({ id, isStream }: RouteDefinition, options: DocumentationOptions) {
  const recorded = isStream === true ? JSON.stringify(streamExamples.token) : responseExample(id, options);
  if (recorded === undefined) return {};
  return { examples: { sandbox: { summary: 'From a sandbox', value: JSON.parse(recorded) } } };
}

function mediaTypeOf({ isStream }: RouteDefinition): string {
  return isStream === true ? 'text/event-stream' : 'application/json';
}

function requestBodyOf({ body, bodyOptional, exampleBody, upload }: RouteDefinition) {
  if (upload !== undefined) {
    // OpenAPI 3.1 needs no type or format here, but generators without them send the file as JSON.
    const content = upload.mediaTypes.map((type) => [
      type,
      { schema: { type: 'string', format: 'binary', contentMediaType: type } },
    ]);
    return { required: true, content: Object.fromEntries(content) };
  }
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

function securityOf(
  { auth, isStream }: RouteDefinition,
  { schemeName }: Surface,
): Record<string, readonly string[]>[] {
  if (isStream === true) return [{}, { [schemeName]: [] }];
  if (auth === 'anonymous') return [];
  return [{ [schemeName]: auth === 'any-key' ? [] : auth }];
}

/** The description of the operation, then its policy in words. */
function descriptionOf(operation: RouteDefinition, surface: Surface): string {
  const facts = [
    `**Access:** ${accessOf(operation, surface)}`,
    `**Rate policy:** \`${operation.ratePolicy}\``,
    ...(operation.maxAgeSeconds === undefined
      ? []
      : [`**Caching:** up to ${operation.maxAgeSeconds} s, conditional with \`If-None-Match\``]),
    ...(isIdempotent(operation) ? ['**Idempotent:** retry with the same `Idempotency-Key`'] : []),
    ...(operation.versioned === true ? ['**Versioned:** needs `If-Match`'] : []),
    ...(operation.refusesUnknownQuery === true
      ? ['**Addition** to the first 36 operations: a query parameter that it does not know is refused']
      : []),
  ];
  return [operation.description, facts.map((fact) => `- ${fact}`).join('\n')].join('\n\n');
}

function accessOf({ auth, isStream }: RouteDefinition, { keyName }: Surface): string {
  if (isStream === true) return `no credential, and ${keyName} for topics of an account`;
  if (auth === 'anonymous') return 'no credential';
  if (auth === 'any-key') return `any ${keyName}`;
  return `${keyName} with ${auth.map((scope) => `\`${scope}\``).join(' and ')}`;
}
