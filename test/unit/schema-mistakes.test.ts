import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { inputMistake } from '../../src/features/operations/kinds/input-schema.ts';
import { schemaMistakes } from '../../src/shared/schema-mistakes.ts';

test('the input of an operation is refused with every missing and wrong field', () => {
  const endpointId = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
  expect(inputMistake('delivery_recovery', { endpointId, statuses: [], more: 1 })).toBe(
    '/since and /until are missing; /more Unexpected property; ' +
      '/statuses Expected array length to be greater or equal to 1',
  );
  expect(inputMistake('delivery_replay', { endpointId })).toBe('/status is missing');
  expect(inputMistake('delivery_replay', { endpointId, status: 'succeeded' })).toBeNull();
});

test('only the first mistakes of a thoroughly wrong list are read', () => {
  const items = Array.from({ length: 1_000_000 }, () => 'x');
  const text = schemaMistakes(Value.Errors(Type.Array(Type.Integer()), items));
  expect(text.split('; ')).toHaveLength(10);
  expect(text).toStartWith('/0 Expected integer; /1 Expected integer');
});
