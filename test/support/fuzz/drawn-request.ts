import fc from 'fast-check';
import type { Draft } from '../accounts/requests.ts';
import { SMALL_PNG } from '../api/sample-requests.ts';
import type { DocumentPart } from '../documentation/document-part.ts';
import type { DescribedOperation, DescribedParameter } from './described-operation.ts';
import { fitting, odd } from './schema-values.ts';

/** A request without its credential. */
export interface DrawnRequest {
  path: string;
  init: RequestInit & { headers: Record<string, string> };
}

/** A field is left out. */
const ABSENT = Symbol();

/** Requests of an operation, from its description and from values that exist. */
export function requestsOf(
  operation: DescribedOperation,
  drafts: readonly Draft[],
): fc.Arbitrary<DrawnRequest> {
  const fields = (place: DescribedParameter['place']) =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.place === place)
          .map((parameter) => [parameter.name, parameterValue(parameter, drafts)]),
      ),
    );
  const query = fc.tuple(fields('query'), fc.dictionary(name, fc.string({ maxLength: 8 }), { maxKeys: 1 }));
  return fc
    .tuple(fields('path'), query, fields('header'), bodyOf(operation, drafts))
    .map(([path, [known, unknown], headers, body]) => {
      const search = new URLSearchParams([...present(known), ...Object.entries(unknown)].map(wellFormed));
      return {
        path: `${operation.path.replace(/\{(\w+)\}/g, (_, field: string) => segment(path[field]))}?${search}`,
        init: {
          method: operation.method,
          headers: { ...Object.fromEntries(present(headers).map(sendable)), ...body?.headers },
          ...(body !== undefined && { body: body.bytes }),
        },
      };
    });
}

const name = fc.string({ minLength: 1, maxLength: 8 });

function parameterValue(parameter: DescribedParameter, drafts: readonly Draft[]): fc.Arbitrary<unknown> {
  const { name: field, place, isRequired, schema } = parameter;
  // A client that prefers to wait would hold the run.
  if (field === 'Prefer') return fc.constantFrom(ABSENT, 'wait=0', 'wait=x', 'respond-async');
  // Every change has another key, or it would be a repetition.
  if (field === 'Idempotency-Key')
    return fc.oneof({ arbitrary: fc.uuid(), weight: 20 }, { arbitrary: odd(schema), weight: 1 });
  const existing = drafts
    .map((draft) => Reflect.get(draft, place)?.[field])
    .filter((one) => one !== undefined);
  return oneOf([
    [6, existing.length > 0 ? fc.constantFrom(...existing) : undefined],
    [4, fitting(schema)],
    [2, odd(schema)],
    [place === 'path' ? 0 : isRequired ? 1 : 20, fc.constant(ABSENT)],
  ]);
}

interface DrawnBody {
  bytes: string | Uint8Array;
  headers: Record<string, string>;
}

function bodyOf(
  operation: DescribedOperation,
  drafts: readonly Draft[],
): fc.Arbitrary<DrawnBody | undefined> {
  const [[mediaType, schema] = []] = operation.bodies;
  if (mediaType === undefined) return fc.constant(undefined);
  const headers = oneOf<Record<string, string>>([
    [20, fc.constant({ 'content-type': mediaType })],
    [1, fc.constantFrom<Record<string, string>>({}, { 'content-type': 'text/plain' })],
  ]);
  const bytes: fc.Arbitrary<string | Uint8Array> =
    mediaType === 'application/json' && schema !== undefined
      ? jsonOf(schema, drafts)
      : fc.oneof(fc.constant(SMALL_PNG), fc.uint8Array({ maxLength: 100 }));
  return fc.record({ bytes, headers });
}

function jsonOf(schema: DocumentPart, drafts: readonly Draft[]): fc.Arbitrary<string> {
  const fields = Object.fromEntries(
    schema.members('properties').map(([field, part]) => {
      const existing = drafts.map(({ body }) => body?.[field]).filter((one) => one !== undefined);
      const value = oneOf([
        [8, existing.length > 0 ? fc.constantFrom(...existing) : undefined],
        [4, fitting(part)],
        [1, odd(part)],
        [existing.length > 0 ? 1 : 6, fc.constant(ABSENT)],
      ]);
      return [field, value];
    }),
  );
  const object = fc
    .tuple(fc.record(fields), fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 1 }), fc.nat(9))
    .map(([known, unknown, digit]) =>
      JSON.stringify({ ...(digit === 0 && unknown), ...Object.fromEntries(present(known)) }),
    );
  return oneOf([
    [10, object],
    [4, fitting(schema).map((value) => JSON.stringify(value))],
    [1, fc.oneof(odd(schema).map(textOf), fc.string({ maxLength: 40 }))],
  ]);
}

function oneOf<Value>(
  weighted: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Value> | undefined])[],
): fc.Arbitrary<Value> {
  return fc.oneof(
    ...weighted.flatMap(([weight, arbitrary]) => (arbitrary === undefined ? [] : [{ weight, arbitrary }])),
  );
}

const present = (fields: Record<string, unknown>): [string, string][] =>
  Object.entries(fields).flatMap(([field, value]) => (value === ABSENT ? [] : [[field, textOf(value)]]));

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const wellFormed = ([field, value]: [string, string]): [string, string] => [
  field.toWellFormed(),
  value.toWellFormed(),
];

/** What a client can send in a header. */
const sendable = ([field, value]: [string, string]): [string, string] => [
  field,
  value.replace(/[^\x20-\x7e]/g, '?').trim(),
];

/** An empty segment, or one of dots, would be another path. */
function segment(value: unknown): string {
  const text = encodeURIComponent(textOf(value).toWellFormed());
  return /^\.{0,2}$/.test(text) ? 'x' : text;
}
