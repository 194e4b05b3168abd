import type { TSchema } from '@sinclair/typebox';
import { JSON_TYPE } from '../../http/responses/response-headers.ts';
import { isIdempotent, type RouteDefinition } from '../../http/route.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';

/** A request of an operation, built from the examples of its schemas. */
export interface SampleRequest {
  method: RouteDefinition['method'];
  /** With path parameters filled in and required query parameters appended. */
  url: string;
  /** Needs a key. */
  isPrivate: boolean;
  /** Needs an `Idempotency-Key`. */
  isMutation: boolean;
  /** Responds with messages, for as long as the client reads. */
  isStream: boolean;
  /** Needs an `If-Match`. */
  isVersioned: boolean;
  body: Readonly<Record<string, unknown>> | undefined;
  /** A file that is the body. */
  file: { name: string; mediaType: string } | undefined;
}

export const SAMPLE_VERSION = '"1"';
export const SAMPLE_BODY_TYPE = JSON_TYPE.split(';')[0] ?? JSON_TYPE;

/** @param publicUrl origin, and path prefix, of the deployment */
export function sampleRequest(operation: RouteDefinition, publicUrl: string): SampleRequest {
  const { method, path, params, query, auth, versioned, exampleBody, isStream = false } = operation;
  const { exampleQuery = [], upload } = operation;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => exampleOf(params?.properties[name]) ?? name);
  const required = Object.entries(query?.properties ?? {}).filter(
    ([name, field]) =>
      // A stream without topics is only for WebSockets, so the schema requires none.
      (query?.required?.includes(name) && field.default === undefined) ||
      exampleQuery.includes(name) ||
      (isStream && field.examples),
  );
  const search = required.map(([name, field]) => `${name}=${exampleOf(field) ?? ''}`).join('&');
  return {
    method,
    url: `${publicUrl}${API_PREFIX}${filled}${search && `?${search}`}`,
    isPrivate: auth !== 'anonymous',
    isMutation: isIdempotent(operation),
    isStream,
    isVersioned: versioned === true,
    body: exampleBody && withReceiver(exampleBody, publicUrl),
    file: upload && { name: upload.exampleFile, mediaType: upload.mediaTypes[0] ?? '' },
  };
}

const EXAMPLE_RECEIVER = 'https://bot.example';
/** A deployment on the reader's machine is a sandbox, whose webhooks do not leave it. */
const LOCAL_RECEIVER = 'http://127.0.0.1:4100';
const LOCAL_DEPLOYMENT = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|\/|$)/;

/** Returns the body with a webhook URL that the deployment accepts. */
function withReceiver(body: Readonly<Record<string, unknown>>, publicUrl: string) {
  const { url } = body;
  if (typeof url !== 'string' || !LOCAL_DEPLOYMENT.test(publicUrl)) return body;
  return { ...body, url: url.replace(EXAMPLE_RECEIVER, LOCAL_RECEIVER) };
}

/** Returns a valid value of a parameter: its example, its default, or the first of its allowed values. */
export function exampleOf(schema: TSchema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const members: readonly TSchema[] = schema.anyOf ?? [];
  const value = schema.examples?.[0] ?? schema.default ?? schema.const ?? members[0]?.const;
  return value === undefined ? undefined : String(value);
}
