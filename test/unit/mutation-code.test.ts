import { expect, test } from 'bun:test';
import { codeMutants } from '../mutation/code-mutants.ts';
import { mutatedText } from '../mutation/mutant.ts';
import { parseSource } from '../mutation/source-blocks.ts';

/** The code after each of its mutants. */
function mutantsOf(code: string): string[] {
  return codeMutants(parseSource('src/example.ts', code)).map((mutant) => mutatedText(code, mutant));
}

test('a comparison is moved by its boundary and an equality is turned', () => {
  expect(mutantsOf('const a = x < y;')).toEqual(['const a = x <= y;']);
  expect(mutantsOf('const a = x >= y;')).toEqual(['const a = x > y;']);
  expect(mutantsOf('const a = x !== y;')).toEqual(['const a = x === y;']);
});

test('a condition becomes always true and always false', () => {
  expect(mutantsOf('if (a) b;')).toEqual(['if (true) b;', 'if (false) b;']);
  expect(mutantsOf('const c = !a ? b : d;')).toEqual([
    'const c = true ? b : d;',
    'const c = false ? b : d;',
    'const c = a ? b : d;',
  ]);
  // Endless loops would only cost time.
  expect(mutantsOf('while (a) b;')).toEqual(['while (false) b;']);
});

test('and, or, arithmetic and small numbers are changed', () => {
  expect(mutantsOf('const c = a && b;')).toEqual(['const c = a || b;']);
  expect(mutantsOf('const c = a * b;')).toEqual(['const c = a / b;']);
  expect(mutantsOf('const c = 1;')).toEqual(['const c = 2;']);
  expect(mutantsOf('const c = 7n;')).toEqual(['const c = 8n;']);
  expect(mutantsOf('const c = 5000;')).toEqual([]);
  expect(mutantsOf('const WAIT_MS = 5;')).toEqual([]);
  expect(mutantsOf("const c = 'a' + b;")).toEqual([]);
});

test('statements without an await are dropped, and early exits too', () => {
  expect(mutantsOf('void run();')).toEqual([';']);
  expect(mutantsOf('this.#count++;')).toEqual([';']);
  expect(mutantsOf('await run();')).toEqual([]);
  const early = 'function f() { if (a) return; b; }';
  expect(mutantsOf(early)).toContain('function f() { if (a) ; b; }');
  expect(mutantsOf('function f() { return a; }')).toEqual([]);
});

test('log lines, descriptions, metrics, types and imports have no mutants', () => {
  for (const code of [
    "log.warn({ n: a + 1 }, 'x');",
    'void this.#log.info({ n: a < b });',
    "const a = t.String({ description: 'x'.repeat(a - b) });",
    "metrics.gauge('a', 'b', () => a - b);",
    'type A = 1 | 2;',
    'let a: 1 | 2;',
    "import a from 'a';",
  ])
    expect(mutantsOf(code)).toEqual([]);
});
