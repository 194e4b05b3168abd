import { describe, expect, test } from 'bun:test';
import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { committedDocument, committedInternalDocument } from '../../scripts/committed-document.ts';
import { contractDefinitions } from '../../src/api/routes.ts';
import { asyncApiDocument } from '../../src/documentation/asyncapi/document.ts';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { eventSchemaDocument } from '../../src/documentation/events/event-documents.ts';
import recorded from '../../src/documentation/reference/response-examples.json' with { type: 'json' };
// Knows the format `uri`.
import '../../src/http/elysia.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { internalDefinitions } from '../../src/internal/routes.ts';
import { type EventName, eventNames } from '../../src/shared/events/catalogue.ts';
import { DocumentPart } from '../support/documentation/document-part.ts';
import { SchemaJudge } from '../support/documentation/schema-judge.ts';

const options = { publicUrl: 'http://api.test', docsUrl: 'http://api.test/docs' };
const openApi = JSON.parse(committedDocument());
const documents: Readonly<Record<string, object>> = {
  'openapi.json': openApi,
  'internal-openapi.json': JSON.parse(committedInternalDocument()),
  asyncapi: JSON.parse(JSON.stringify(asyncApiDocument(options))),
};
const responses: Readonly<Record<string, unknown>> = recorded;

/** A schema of a document, with the values that the document shows for it. */
interface DescribedSchema {
  schema: DocumentPart;
  examples: readonly unknown[];
}

/** Every schema outside of other schemas, each once. */
function describedSchemas(document: object): DescribedSchema[] {
  const seen = new Set<string>();
  const visit = (part: DocumentPart): DescribedSchema[] => {
    if (seen.has(part.pointer)) return [];
    seen.add(part.pointer);
    return part.members().flatMap(([name, member]) => {
      if (name === 'schema' || name === 'payload')
        return [{ schema: member, examples: examplesBeside(part) }];
      if (part.pointer === '#/components/schemas') return [{ schema: member, examples: [] }];
      return /^examples?$/.test(name) ? [] : visit(member);
    });
  };
  return visit(new DocumentPart(document));
}

/** The examples of a body, parameter or header, and those of a message. */
function examplesBeside(part: DocumentPart): unknown[] {
  const several = part.members('examples').map(([, { value }]) => value.value ?? value.payload);
  return part.value.example === undefined ? several : [part.value.example, ...several];
}

/** The schema and those inside it, without the ones that it refers to. */
function partsOf(schema: DocumentPart): DocumentPart[] {
  const under = (keyword: string) => schema.members(keyword).map(([, part]) => part);
  const items = schema.get('items') ?? [];
  const others =
    schema.value.additionalProperties === false ? [] : (schema.get('additionalProperties') ?? []);
  const inner = [...under('properties'), ...under('allOf'), ...under('anyOf')].concat(items, others);
  return [schema, ...inner.filter(({ pointer }) => pointer.startsWith(schema.pointer)).flatMap(partsOf)];
}

describe('to ajv, which is strict about keywords, formats and types', () => {
  test.each(Object.entries(documents))(
    'every schema of %s is one, and takes what the document shows for it',
    (_name, document) => {
      const judge = new SchemaJudge(document);
      const described = describedSchemas(document);
      for (const { schema } of described) judge.faultOf(schema, null);
      const inside = described.flatMap(({ schema }) => partsOf(schema));
      // Equal schemas with equal examples are one case.
      const parts = [...new Map(inside.map((part) => [JSON.stringify(part.value), part])).values()];
      const shown = parts.map((schema) => {
        const { examples = [], default: ifMissing } = schema.value;
        return { schema, examples: ifMissing === undefined ? examples : [...examples, ifMissing] };
      });
      const faults = [...described, ...shown].flatMap(({ schema, examples }) =>
        examples.flatMap((value: unknown) => {
          const fault = judge.faultOf(schema, value);
          return fault === undefined ? [] : [`${schema.pointer}: ${fault}`];
        }),
      );
      expect(faults).toEqual([]);
      expect(described.length).toBeGreaterThan(50);
    },
  );

  test('the schema of every event is one, and takes the example of its page', () => {
    const events = Object.fromEntries(eventNames.map((name) => [name, eventSchema(name)]));
    const judge = new SchemaJudge({ events });
    for (const name of eventNames) {
      const schema = new DocumentPart({ events }, `#/events/${name}`);
      expect(judge.faultOf(schema, documentedEvents[name].example), name).toBeUndefined();
    }
  });
});

function eventSchema(name: EventName): object {
  const { $id: _, ...schema } = eventSchemaDocument(name, options);
  return JSON.parse(JSON.stringify(schema));
}

/** A body with its schema in the code and that in the document. */
interface DescribedBody {
  what: string;
  example: unknown;
  own: TSchema;
  schema: DocumentPart;
  /** Objects that we send may gain fields. */
  isOpen: boolean;
}

function bodiesOf(definitions: readonly RouteDefinition[], document: object): DescribedBody[] {
  const root = new DocumentPart(document);
  return definitions.flatMap(({ id, method, path, body, exampleBody, response, successStatus }) => {
    const described = root.get('paths', path.replace(/:(\w+)/g, '{$1}'), method.toLowerCase());
    const json = ['content', 'application/json', 'schema'];
    const accepted = described?.get('requestBody', ...json);
    const sent = described?.get('responses', successStatus, ...json);
    return [
      { what: `${id} accepts`, example: exampleBody, own: body, schema: accepted, isOpen: false },
      { what: `${id} sends`, example: responses[id], own: response, schema: sent, isOpen: true },
    ].filter((one): one is DescribedBody => one.example !== undefined && one.schema !== undefined);
  });
}

/** Values at or beyond a bound of some field: of type, form or size. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  '0',
  '-1',
  '01',
  '1.0',
  '1'.repeat(45),
  'x'.repeat(5_000),
  '2026-11-20T10:00:00.000Z',
  '2026-02-30T10:00:00Z',
  '2026-11-20T10:00:00+01:00',
  '2026-11-20T23:59:60Z',
  '2026-11-20 10:00:00Z',
  '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  'urn:uuid:0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  'So11111111111111111111111111111111111111112',
  'https://example.com/a?b#c',
  '//example.com',
  [],
  {},
];
const VALUES_PER_PLACE = 5;

/** The value with each of its places in turn removed, extended or replaced; of a list, the first item stands for all. */
function* variationsOf(value: unknown, place = { number: 0 }): Generator<unknown> {
  for (let at = 0; at < VALUES_PER_PLACE; at += 1)
    yield ODD_VALUES[(place.number * VALUES_PER_PLACE + at) % ODD_VALUES.length];
  place.number += 1;
  if (Array.isArray(value)) {
    const [first, ...others] = value;
    if (first === undefined) return;
    yield others;
    yield Array.from({ length: 101 }, () => first);
    for (const varied of variationsOf(first, place)) yield [varied, ...others];
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, surprise: 1 };
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...others } = value as Record<string, unknown>;
      yield others;
      for (const varied of variationsOf(member, place)) yield { ...value, [name]: varied };
    }
  }
}

/** Whether our check knows what a schema need not say: the exact form of a text, and which fields a record has today. */
function isFiner({ type, errors }: ValueError, isOpen: boolean): boolean {
  if (type === ValueErrorType.StringFormat) return true;
  if (type === ValueErrorType.ObjectAdditionalProperties) return isOpen;
  return (
    type === ValueErrorType.Union &&
    errors.some((branch) => [...branch].every((error) => isFiner(error, isOpen)))
  );
}

/** What one of the two checks refuses and the other takes. */
function differenceOf(
  value: unknown,
  own: TypeCheck<TSchema>,
  fault: string | undefined,
  isOpen: boolean,
): string[] {
  if (own.Check(value)) return fault === undefined ? [] : [`only ajv refuses it: ${fault}`];
  if (fault !== undefined) return [];
  const errors = [...own.Errors(value)].filter((error) => !isFiner(error, isOpen));
  return errors.map(({ path, message }) => `only the code refuses it: ${path} ${message}`);
}

describe('what the document says of a body is what the code checks', () => {
  test.each([
    ['openapi.json', contractDefinitions],
    ['internal-openapi.json', internalDefinitions],
  ] as const)('%s: every recorded body, and each of its places changed', (name, definitions) => {
    const judge = new SchemaJudge(documents[name] ?? {});
    const bodies = bodiesOf(definitions, documents[name] ?? {});
    for (const { what, example, own, schema, isOpen } of bodies) {
      const check = TypeCompiler.Compile(own);
      expect([check.Check(example), judge.faultOf(schema, example)], what).toEqual([true, undefined]);
      const differences = new Set<string>();
      for (const varied of variationsOf(example))
        for (const difference of differenceOf(varied, check, judge.faultOf(schema, varied), isOpen))
          differences.add(difference);
      expect([...differences], what).toEqual([]);
    }
    expect(bodies.length).toBeGreaterThan(10);
  });
});
