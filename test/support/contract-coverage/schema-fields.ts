import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { recordName } from './same-records.ts';

/** A figure or nullable field, and what was seen of it. */
export interface Field {
  name: string;
  isNullable: boolean;
  /** Two values of a figure tell it from a constant, and from a figure beside it. */
  valuesNeeded: 1 | 2;
  sawNull: boolean;
  /** As many as needed. 0 is none of them. */
  values: Set<string>;
}

export type Fields = Map<string, Field>;

/** A place of a schema, with the places inside it. */
interface Place {
  field: Field | null;
  properties: [key: string, place: Place][];
  items: Place | null;
  variants: { schema: TSchema; place: Place }[];
  /** Everything was seen, here and inside. */
  isComplete: boolean;
}

/**
 * Reads a schema. Its fields are added to `fields`. A record with a name of its own is the same in whatever it stands: its
 * fields begin with that name.
 */
export function placeOf(schema: TSchema, path: string, fields: Fields): Place {
  const values = alternatives(schema).filter(({ type }) => type !== 'null');
  const [value] = values;
  const isNullable = values.length < alternatives(schema).length;
  const isFigure = value !== undefined && values.every(takesFigures);
  const place: Place = { field: null, properties: [], items: null, variants: [], isComplete: false };
  if (isNullable || isFigure) place.field = addField(path, isNullable, isFigure ? 2 : 1, fields);
  const inside = recordName(schema.$id ?? path);
  if (values.length > 1) {
    const objects = values.filter(({ type }) => type === 'object');
    place.variants = objects.map((object) => ({ schema: object, place: placeOf(object, inside, fields) }));
  } else if (value !== undefined) {
    const name = recordName(value.$id ?? inside);
    const { properties = {}, items } = value as { properties?: Record<string, TSchema>; items?: TSchema };
    for (const [key, property] of Object.entries(properties))
      place.properties.push([key, placeOf(property, `${name}.${key}`, fields)]);
    if (items !== undefined) place.items = placeOf(items, `${name}[]`, fields);
  }
  return place;
}

/** Looks at a value, and returns whether everything in the place was seen by now. */
export function look(place: Place, value: unknown): boolean {
  if (place.isComplete || value === undefined) return place.isComplete;
  if (place.field !== null) note(place.field, value);
  if (Array.isArray(value)) {
    for (const item of place.items === null ? [] : value) look(place.items as Place, item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inside] of place.properties) look(inside, (value as Record<string, unknown>)[key]);
    const variant = place.variants.find(({ schema }) => Value.Check(schema, value));
    if (variant !== undefined) look(variant.place, value);
  }
  const inside = [...place.properties.map(([, one]) => one), ...place.variants.map((one) => one.place)];
  if (place.items !== null) inside.push(place.items);
  place.isComplete =
    (place.field === null || missingOf(place.field).length === 0) && inside.every((one) => one.isComplete);
  return place.isComplete;
}

/** What was not seen of a field, as `name: what`. */
export function missingOf({ name, isNullable, valuesNeeded, sawNull, values }: Field): string[] {
  const missing = isNullable && !sawNull ? [`${name}: null`] : [];
  if (values.size < valuesNeeded)
    missing.push(`${name}: ${valuesNeeded - values.size} of ${valuesNeeded} values`);
  return missing;
}

function note(field: Field, value: unknown): void {
  if (value === null) field.sawNull = true;
  else if (field.values.size < field.valuesNeeded && (field.valuesNeeded === 1 || Number(value) !== 0))
    field.values.add(field.valuesNeeded === 1 ? 'any' : String(value));
}

function addField(name: string, isNullable: boolean, valuesNeeded: 1 | 2, fields: Fields): Field {
  const field = fields.get(name) ?? { name, isNullable, valuesNeeded, sawNull: false, values: new Set() };
  field.isNullable ||= isNullable;
  if (valuesNeeded === 2) field.valuesNeeded = 2;
  fields.set(name, field);
  return field;
}

/** The alternatives of a union, also of one inside another. */
function alternatives(schema: TSchema): TSchema[] {
  const { anyOf: parts } = schema;
  return parts === undefined ? [schema] : (parts as TSchema[]).flatMap(alternatives);
}

/** A number, or a text of digits: one whose pattern takes a figure, and no letter. */
function takesFigures({ type, pattern, const: constant }: TSchema): boolean {
  if (constant !== undefined) return false;
  if (type === 'integer' || type === 'number') return true;
  return typeof pattern === 'string' && new RegExp(pattern).test('7') && !new RegExp(pattern).test('a');
}
