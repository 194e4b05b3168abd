import { expect, test } from 'bun:test';
import { arrayText } from '../../src/db/array-text.ts';

test('an array parameter has its values as Postgres reads them, nulls and booleans too', () => {
  expect(arrayText([])).toBe('{}');
  expect(arrayText(['So111', '0.5'])).toBe('{So111,0.5}');
  expect(arrayText([7n, 3, null, true, false])).toBe('{7,3,NULL,true,false}');
  expect(arrayText([new Date(0), null])).toBe('{1970-01-01T00:00:00.000Z,NULL}');
});
