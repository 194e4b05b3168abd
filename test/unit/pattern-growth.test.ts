import { describe, expect, test } from 'bun:test';
import { findSuperlinear } from '../support/patterns/pattern-attack.ts';
import { patternsOf, sourcePatterns } from '../support/patterns/source-patterns.ts';

const patterns = sourcePatterns(['src', 'relay']);

describe('a regular expression takes linear time, whatever it is given', () => {
  test('there are some to attack', () => {
    expect(patterns.length).toBeGreaterThan(20);
  });

  test.each(patterns.map(({ at, pattern }) => [at, pattern] as const))('%s %p', (_at, pattern) => {
    expect(findSuperlinear(pattern)).toBeNull();
  });
});

describe('the attack finds', () => {
  test.each([
    ['a scheme tried from every character', /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'\\]*@/gi],
    ['a query looked for from every address', /:\/\/[^\s?#"'\\]*\?[^\s"'\\]*/g],
    ['an end trimmed from every space', /\s+$/],
    ['zeros trimmed from every zero', /\0+$/],
    ['slashes trimmed from every slash', /\/+$/],
    ['two neighbours that take the same', /^a*a*b/],
    ['a repetition of repetitions', /^(?:a+)+$/],
    ['alternatives that overlap', /^(?:\w|\d)*;$/],
  ])('%s', (_name, pattern) => {
    // A busy machine may hide growth from a measurement. It never makes any up.
    const isFound = Array.from({ length: 5 }).some(() => findSuperlinear(pattern) !== null);
    expect(isFound).toBe(true);
  });

  test('patterns in literals and schemas, and refuses one that is built at run time', () => {
    const source = "const a = /x+/g; Type.String({ pattern: '^y$' });";
    expect(patternsOf('a.ts', source).map(({ pattern }) => String(pattern))).toEqual(['/x+/g', '/^y$/']);
    expect(() => patternsOf('a.ts', 'new RegExp(text)')).toThrow('at run time');
  });
});
