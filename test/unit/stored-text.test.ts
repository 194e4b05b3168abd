import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { mayHoldEscapes, unstorableTexts } from '../../src/http/bodies/stored-text.ts';

/** Text of any UTF-16 units, often of those that matter. */
const text = fc.string({
  unit: fc
    .oneof(
      fc.constantFrom(0, 0x5c, 0x75, 0xd800, 0xdbff, 0xdc00, 0xdfff),
      fc.integer({ min: 0, max: 0xffff }),
    )
    .map((unit) => String.fromCharCode(unit)),
  maxLength: 6,
});
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('a JSON value is refused exactly when it holds U+0000 or half of a surrogate pair, in a value or in a name', () => {
  fc.assert(
    fc.property(value, (drawn) => {
      const json = JSON.stringify(drawn);
      // The writer escapes both, and doubles a backslash of the text.
      const isUnstorable = /\\u(?:0000|d[89a-f])/.test(json.replaceAll('\\\\', ''));
      const isFound =
        mayHoldEscapes(Buffer.from(json)) && unstorableTexts(JSON.parse(json), '/body').length > 0;
      expect({ json, isFound }).toEqual({ json, isFound: isUnstorable });
    }),
    { numRuns: 2_000 },
  );
});

test('each error names its place, and there are no more than a response may hold', () => {
  const body = { 'a/b': ['ok', 'x\0'], '\ud800~': { deep: '\udfff' }, fine: '\ud83d\ude00' };
  expect(unstorableTexts(body, '/body')).toEqual([
    { path: '/body/a~1b/1', code: 'invalid_value', message: 'must not contain U+0000' },
    {
      path: '/body/\ufffd~0',
      code: 'invalid_value',
      message: 'has a name that must not contain half of a surrogate pair',
    },
    {
      path: '/body/\ufffd~0/deep',
      code: 'invalid_value',
      message: 'must not contain half of a surrogate pair',
    },
  ]);
  expect(unstorableTexts(Array(1_000).fill('\0'), '/body')).toHaveLength(100);
  const nested = JSON.parse(`${'['.repeat(2_000)}"\\u0000"${']'.repeat(2_000)}`);
  expect(unstorableTexts(nested, '')).toHaveLength(1);
});
