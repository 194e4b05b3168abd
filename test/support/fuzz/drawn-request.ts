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

/** Requests of an operation, from its description and from values that exist: most are tidy, so that they get far. */
export function requestsOf(
  operation: DescribedOperation,
  drafts: readonly Draft[],
): fc.Arbitrary<DrawnRequest> {
  return oneOf([
    [3, requestsLike(operation, { drafts, oddness: 0 })],
    [2, requestsLike(operation, { drafts, oddness: 1 })],
  ]);
}

interface Source {
  readonly drafts: readonly Draft[];
  /** Weight of values that the schema may refuse. */
  readonly oddness: 0 | 1;
}

function requestsLike(operation: DescribedOperation, source: Source): fc.Arbitrary<DrawnRequest> {
  const fields = (place: DescribedParameter['place']) =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.place === place)
          .map((parameter) => [parameter.name, parameterValue(parameter, operation.id, source)]),
      ),
    );
  const unknownFields = fc.dictionary(name, fc.string({ maxLength: 8 }), { maxKeys: source.oddness });
  return fc
    .tuple(fields('path'), fields('query'), unknownFields, fields('header'), bodyOf(operation, source))
    .map(([path, known, unknown, headers, body]) => {
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

function parameterValue(
  { name: field, place, isRequired, schema }: DescribedParameter,
  operationId: string,
  { drafts, oddness }: Source,
): fc.Arbitrary<unknown> {
  // A client that prefers to wait would hold the run.
  if (field === 'Prefer') return fc.constantFrom(ABSENT, 'wait=0', 'wait=x', 'respond-async');
  // One seed draws the same for every operation, and a key of another one is refused.
  const isKey = field === 'Idempotency-Key';
  const fresh = fc.uuid().map((id) => `${operationId}-${id}`);
  const existing = drafts
    .map((draft) => Reflect.get(draft, place)?.[field])
    .filter((one) => one !== undefined);
  return oneOf([
    [40, existing.length > 0 ? fc.constantFrom(...existing) : undefined],
    [10, isKey ? fresh : fitting(schema)],
    [5 * oddness, odd(schema)],
    [place === 'path' ? 0 : isRequired ? oddness : 40, fc.constant(ABSENT)],
  ]);
}

interface DrawnBody {
  bytes: string | Uint8Array;
  headers: Record<string, string>;
}

function bodyOf(operation: DescribedOperation, source: Source): fc.Arbitrary<DrawnBody | undefined> {
  const [[mediaType, schema] = []] = operation.bodies;
  if (mediaType === undefined) return fc.constant(undefined);
  const headers = oneOf<Record<string, string>>([
    [10, fc.constant({ 'content-type': mediaType })],
    [source.oddness, fc.constantFrom<Record<string, string>>({}, { 'content-type': 'text/plain' })],
  ]);
  const bytes: fc.Arbitrary<string | Uint8Array> =
    mediaType === 'application/json' && schema !== undefined
      ? jsonOf(schema, source)
      : fc.oneof(fc.constant(SMALL_PNG), fc.uint8Array({ maxLength: 100 }));
  return fc.record({ bytes, headers });
}

function jsonOf(schema: DocumentPart, { drafts, oddness }: Source): fc.Arbitrary<string> {
  const { required = [] } = schema.value;
  const fields = Object.fromEntries(
    schema.members('properties').map(([field, part]) => {
      const existing = drafts.map(({ body }) => body?.[field]).filter((one) => one !== undefined);
      const value = oneOf([
        [8, existing.length > 0 ? fc.constantFrom(...existing) : undefined],
        [2, fitting(part)],
        [oddness, odd(part)],
        [required.includes(field) ? oddness : 6, fc.constant(ABSENT)],
      ]);
      return [field, value];
    }),
  );
  const unknownFields = fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }), { maxKeys: oddness });
  const object = fc
    .tuple(fc.record(fields), unknownFields)
    .map(([known, unknown]) => JSON.stringify({ ...unknown, ...withoutAbsent(known) }));
  return oneOf([
    [10, object],
    [2, fitting(schema).map((value) => JSON.stringify(value))],
    [oddness, fc.oneof(odd(schema).map(textOf), fc.string({ maxLength: 40 }))],
  ]);
}

function oneOf<Value>(
  weighted: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Value> | undefined])[],
): fc.Arbitrary<Value> {
  return fc.oneof(
    ...weighted.flatMap(([weight, arbitrary]) => (arbitrary === undefined ? [] : [{ weight, arbitrary }])),
  );
}

const withoutAbsent = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ABSENT));

const present = (fields: Record<string, unknown>): [string, string][] =>
  Object.entries(withoutAbsent(fields)).map(([field, value]) => [field, textOf(value)]);

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
