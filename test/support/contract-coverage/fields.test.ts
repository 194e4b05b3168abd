import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { CountField, DecimalStringField, Named, Nullable } from '../../../src/shared/field-schemas.ts';
import { unseenFields } from './fields.ts';
import { type Fields, look, missingOf, placeOf } from './schema-fields.ts';

const Inner = Named('Inner', { count: CountField, note: Nullable(Type.String()) });
const schema = Type.Object({
  name: Type.String(),
  price: Nullable(DecimalStringField),
  inner: Nullable(Inner),
  rows: Type.Array(Type.Union([Type.Object({ amount: CountField }), Type.Object({ text: Type.String() })])),
});

const everything = [
  'outer.price: null',
  'outer.price: 2 of 2 values',
  'outer.inner: null',
  'outer.inner: 1 of 1 values',
  'Inner.count: 2 of 2 values',
  'Inner.note: null',
  'Inner.note: 1 of 1 values',
  'outer.rows[].amount: 2 of 2 values',
];

test('a figure needs two values that are not 0; what may be null needs null and a value', () => {
  const fields: Fields = new Map();
  const place = placeOf(schema, 'outer', fields);
  const missing = () => [...fields.values()].flatMap(missingOf);
  expect(missing()).toEqual(everything);
  const first = { name: '', price: '0', inner: null, rows: [{ amount: 0 }, { text: '' }] };
  expect(look(place, first)).toBe(false);
  expect(missing()).toEqual(everything.filter((gap) => gap !== 'outer.inner: null'));
  look(place, { ...first, price: '1.5', inner: { count: 1, note: null }, rows: [{ amount: 3 }] });
  look(place, { ...first, price: '1.5', inner: { count: 1, note: 'a' }, rows: [{ amount: 3 }] });
  expect(missing()).toEqual([
    'outer.price: null',
    'outer.price: 1 of 2 values',
    'Inner.count: 1 of 2 values',
    'outer.rows[].amount: 1 of 2 values',
  ]);
  look(place, { ...first, price: null, rows: [{ amount: 4 }] });
  expect(look(place, { ...first, price: '2', inner: { count: 2, note: 'b' } })).toBe(true);
  expect(missing()).toEqual([]);
});

test('what several files have seen adds up, and a name that no schema has is ignored', () => {
  const described = [{ name: 'outer', schema }];
  expect(unseenFields(described, [])).toEqual(everything);
  const lines = [
    'field outer.price null 1',
    'field outer.price - 2',
    'field outer.gone null',
    'getToken 200',
  ];
  expect(unseenFields(described, lines)).toEqual(everything.slice(2));
});
