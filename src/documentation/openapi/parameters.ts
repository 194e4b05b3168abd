import type { TObject } from '@sinclair/typebox';
import { IDEMPOTENCY_KEY_CHARACTERS } from '../../http/mutations/mutation-headers.ts';
import { isCacheable, isIdempotent, type RouteDefinition } from '../../http/route.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { toJsonSchema } from '../json-schema.ts';

/** Request headers, described once under `components.parameters`. */
export const headerParameters = {
  traceparent: {
    name: 'traceparent',
    in: 'header',
    required: false,
    description: 'W3C trace context; the response continues its trace id.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'ETags that the client holds: a match returns 304 without a body. Lists, weak forms and `*` work.',
    schema: { type: 'string' },
  },
  CacheControl: {
    name: 'Cache-Control',
    in: 'header',
    required: false,
    description:
      '`no-cache` gets what was committed before the request came, past every cache: for a read that follows an event or a message of a stream.',
    schema: { type: 'string', examples: ['no-cache'] },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The last received `id`: the stream continues after it. `EventSource` sends it by itself.',
    schema: { type: 'string' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`wait=N` holds the response for up to N seconds (1 to 25) until the record changes (RFC 7240). Anything else is ignored.',
    schema: { type: 'string', examples: ['wait=20'] },
  },
  PreferRead: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`wait=N` holds a response that would be 304 for up to N seconds (1 to 25), until more than `asOf` changes (RFC 7240). It works only with `If-None-Match`.',
    schema: { type: 'string', examples: ['wait=20'] },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: true,
    description: 'The `ETag` (the `version` in double quotes) of the record version to change.',
    schema: { type: 'string', pattern: '^"[1-9][0-9]{0,9}"$', examples: ['"1"'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Identifies this change: it is never done twice, even if it is sent again with the same key. Use a new UUID for every change, ' +
      'and the same one for every retry of it.',
    schema: {
      type: 'string',
      minLength: publishedLimits.idempotencyKeyLengthMin,
      maxLength: publishedLimits.idempotencyKeyLengthMax,
      pattern: IDEMPOTENCY_KEY_CHARACTERS.source,
      examples: ['0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    },
  },
} as const;

/** The parameters of an operation, in the order path, query, headers. */
export function parametersOf(operation: RouteDefinition) {
  return [
    ...fieldParameters(operation.params, 'path'),
    ...fieldParameters(operation.query, 'query'),
    ...headersOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function headersOf(operation: RouteDefinition): (keyof typeof headerParameters)[] {
  const { versioned, waitable, isStream } = operation;
  const names: (keyof typeof headerParameters)[] = [];
  if (isIdempotent(operation)) names.push('IdempotencyKey');
  if (versioned === true) names.push('IfMatch');
  if (waitable === true) names.push(isCacheable(operation) ? 'PreferRead' : 'Prefer');
  if (isCacheable(operation)) names.push('IfNoneMatch', 'CacheControl');
  if (isStream === true) names.push('LastEventId');
  return [...names, 'traceparent'];
}

function fieldParameters(fields: TObject | undefined, part: 'path' | 'query') {
  return Object.entries(fields?.properties ?? {}).map(([name, field]) => {
    const { description, ...schema } = toJsonSchema(field, { direction: 'accepted' });
    const isRequired = (fields?.required ?? []).includes(name) && field.default === undefined;
    return {
      name,
      in: part,
      required: part === 'path' || isRequired,
      ...(description !== undefined && { description }),
      schema,
    };
  });
}
