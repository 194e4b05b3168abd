import { expect, test } from 'bun:test';
import type { TSchema } from '@sinclair/typebox';
import { contractDefinitions } from '../../src/api/routes.ts';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { internalDefinitions } from '../../src/internal/routes.ts';

const operations = [...contractDefinitions, ...internalDefinitions];
/** More than the named fields: a problem has those of its code, and a message of a stream is a record of any topic. */
const openByDesign = new Set(['Problem', 'StreamMessage']);

/** Where the schema lets an object have properties that it does not name. */
function openPlaces(schema: TSchema, place: string, isMeant: (schema: TSchema) => boolean): string[] {
  const { type, properties = {}, patternProperties, items, anyOf = [], allOf = [] } = schema;
  const isOpen =
    type === 'object' && patternProperties === undefined && schema.additionalProperties !== false;
  const within = (one: TSchema, name: string) => openPlaces(one, `${place}${name}`, isMeant);
  return [
    ...(isOpen && isMeant(schema) ? [place] : []),
    ...Object.entries<TSchema>(properties).flatMap(([name, one]) => within(one, `.${name}`)),
    ...Object.values<TSchema>(patternProperties ?? {}).flatMap((one) => within(one, '.*')),
    ...[...anyOf, ...allOf].flatMap((one: TSchema) => within(one, '')),
    ...(items === undefined ? [] : within(items, '[]')),
  ];
}

test('the body of a request has only fields that its operation knows, at any depth', () => {
  const bodies = operations.flatMap(({ id, body }) =>
    body === undefined ? [] : openPlaces(body, id, () => true),
  );
  // The message of a token feed, whose unknown fields are ignored (contract/ingest).
  expect(bodies).toEqual(['upsertToken', 'upsertToken.links']);
});

// Tests check responses by these schemas. Clients get open ones, so that an added field does not break them.
test('every record of a response and of an event names all its fields', () => {
  const isRecord = ({ $id }: TSchema) => $id !== undefined && !openByDesign.has($id);
  expect(operations.flatMap(({ id, response }) => openPlaces(response, id, isRecord))).toEqual([]);
  expect(
    Object.entries(documentedEvents).flatMap(([name, { schema }]) => openPlaces(schema, name, isRecord)),
  ).toEqual([]);
});
