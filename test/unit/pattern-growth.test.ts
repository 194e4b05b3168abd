import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A text in three parts: the start leads a pattern into its loop, the middle repeats, and the end makes it
 * fail. */
interface Attack {
  prefix: string;
  pump: string;
  suffix: string;
}

/** An attack under which a pattern takes more than linear time. */
interface Superlinear {
  attack: Attack;
  /** The time for four times the length, divided by the time for the length: 4 when linear, 16 when
   * quadratic. */
  growth: number;
}

/** Common characters besides those of a pattern itself. */
const COMMON = ['a', '0', '/', ' '];
const SUFFIXES = ['', '\0', '\n'];
const CHARACTERS_MAX = 14;
const SCREENED_LENGTH = 4_096;
/** The steps are small, so that an exponential pattern becomes slow at a length that still ends. */
const LENGTHS = [16, ...Array.from({ length: 12 }, (_, step) => Math.round(22 * 1.3 ** step)), 1_024];
/** A pass over so few characters takes less, unless its time grows faster than their square. */
const SHORT_MS_MAX = 20;
/** A slower text is measured at once, before all others. */
const SUSPICIOUS_MS = 2;
const MEASURED_LENGTH = 2_048;
/** Between linear (4) and quadratic (16). */
const GROWTH_MAX = 8;
/** A slower run needs fewer repetitions, because the noise of the machine is small compared with it. */
const ENOUGH_MS = 50;
/** Repetitions exclude noise of the machine, and a pause before each lets a longer stall end. */
const CONFIRMATIONS = 5;
const PAUSE_MS = 20;
const SUSPECTS = 3;

/** Attacks a pattern with texts made of its own parts. Returns the first successful attack, or null. */
function findSuperlinear(pattern: RegExp): Superlinear | null {
  const run = runner(pattern);
  const timed: { attack: Attack; ms: number }[] = [];
  for (const attack of attacksOn(pattern)) {
    for (const length of LENGTHS) {
      const text = textOf(attack, length);
      if (isAlwaysSlow(run, text)) return { attack, growth: Number.POSITIVE_INFINITY };
    }
    const ms = fastest(run, textOf(attack, SCREENED_LENGTH), 2);
    const growth = ms > SUSPICIOUS_MS ? leastGrowth(run, attack) : 0;
    if (growth > GROWTH_MAX) return { attack, growth };
    timed.push({ attack, ms });
  }
  timed.sort((one, other) => other.ms - one.ms);
  for (const { attack } of timed.slice(0, SUSPECTS)) {
    const growth = leastGrowth(run, attack);
    if (growth > GROWTH_MAX) return { attack, growth };
  }
  return null;
}

/** A global pattern continues after each match. Any other pattern stops at the first one. */
function runner(pattern: RegExp): (text: string) => void {
  return pattern.global ? (text) => void text.replace(pattern, '') : (text) => void pattern.exec(text);
}

function textOf({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
}

/** True if every one of several runs takes longer than a pass over so few characters can. */
function isAlwaysSlow(run: (text: string) => void, text: string): boolean {
  for (let attempt = 0; attempt < CONFIRMATIONS; attempt += 1) {
    if (fastest(run, text, 1) <= SHORT_MS_MAX) return false;
    // biome-ignore lint/plugin: a stall of the machine ends meanwhile
    Bun.sleepSync(PAUSE_MS);
  }
  return true;
}

/** The smallest growth of several measurements, each of the fastest of several runs. */
function leastGrowth(run: (text: string) => void, attack: Attack): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < CONFIRMATIONS && least > GROWTH_MAX; attempt += 1) {
    const once = fastest(run, textOf(attack, MEASURED_LENGTH), 5);
    const fourTimes = fastest(run, textOf(attack, 4 * MEASURED_LENGTH), 5);
    least = Math.min(least, fourTimes / once);
    // biome-ignore lint/plugin: a stall of the machine ends meanwhile
    if (least > GROWTH_MAX) Bun.sleepSync(PAUSE_MS);
  }
  return least;
}

function fastest(run: (text: string) => void, text: string, runs: number): number {
  let fastestMs = Number.POSITIVE_INFINITY;
  let spentMs = 0;
  for (let index = 0; index < runs && spentMs < ENOUGH_MS; index += 1) {
    const startedAtMs = performance.now();
    run(text);
    // biome-ignore lint/plugin: it becomes a ratio, of the fastest of several runs on either side
    const ms = performance.now() - startedAtMs;
    fastestMs = Math.min(fastestMs, ms);
    spentMs += ms;
  }
  return fastestMs;
}

function* attacksOn(pattern: RegExp): Generator<Attack> {
  const runs = literalRuns(pattern.source);
  const zero = pattern.source.includes('\\0') ? ['\0'] : [];
  const characters = [
    ...new Set([...COMMON, ...zero, ...runs.join(''), ...classMembers(pattern.source)]),
  ].slice(0, CHARACTERS_MAX);
  const pairs = characters.flatMap((one) => characters.map((other) => (one === other ? one : one + other)));
  const pumps = new Set([...pairs, ...runs]);
  const prefixes = ['', ...runs.slice(0, 2), firstAlternatives(pattern.source)];
  for (const prefix of new Set(prefixes)) {
    for (const pump of pumps) {
      for (const suffix of SUFFIXES) yield { prefix, pump, suffix };
    }
  }
}

const ESCAPED: Readonly<Record<string, string>> = {
  s: ' ',
  S: 'a',
  d: '0',
  D: 'a',
  w: 'a',
  W: '-',
  t: '\t',
  n: '\n',
};

/** The literal parts of a pattern, such as `://`. */
function literalRuns(source: string): string[] {
  const bare = source.replaceAll(
    /\[(?:\\.|[^\]\\])*\]|\{[\d,]+\}|\(\?[:=!<]*|\\[bBdDsSwW]|[()^$.*+?|]/g,
    '\0',
  );
  const texts = bare.replaceAll(/\\(.)/g, (_, character: string) => ESCAPED[character] ?? character);
  return [...new Set(texts.split('\0').filter((text) => text !== ''))];
}

/** The literal start of a pattern. It takes the first of alternatives and skips classes. */
function firstAlternatives(source: string): string {
  return literalRuns(source.replaceAll(/\|[^()|]*(?=[)|])/g, '')).join('');
}

/** Some characters of each class. */
function classMembers(source: string): string[] {
  const classes = [...source.matchAll(/\[((?:\\.|[^\]\\])*)\]|(\\[dDsSwW])/g)].map(
    ([, set, one]) => set ?? one ?? '',
  );
  return classes.flatMap((set) =>
    [...set.matchAll(/\\(.)|[^\\^-]/g)].map(([text, escaped]) =>
      escaped === undefined ? text : (ESCAPED[escaped] ?? escaped),
    ),
  );
}

/** A regular expression of the sources. */
interface SourcePattern {
  /** File and line. */
  at: string;
  pattern: RegExp;
}

const ROOT = join(import.meta.dir, '../..');

/**
 * Every regular expression of the folders: literals, and texts of a schema's `pattern`. Throws for an
 * expression that is built at run time, because this cannot check it.
 */
function sourcePatterns(folders: readonly string[]): SourcePattern[] {
  return folders.flatMap((folder) =>
    [...new Bun.Glob('**/*.ts').scanSync({ cwd: join(ROOT, folder), absolute: true })]
      .sort()
      .flatMap((file) => patternsOf(relative(ROOT, file), readFileSync(file, 'utf8'))),
  );
}

/** Every regular expression of one source text. */
function patternsOf(file: string, text: string): SourcePattern[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: SourcePattern[] = [];
  const visit = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const pattern = patternOf(node, `${file}:${line}`);
    if (pattern !== undefined) found.push({ at: `${file}:${line}`, pattern });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function patternOf(node: ts.Node, at: string): RegExp | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
  }
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') {
    return ts.isStringLiteralLike(node.initializer) ? new RegExp(node.initializer.text) : undefined;
  }
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
    throw new Error(`${at}: a pattern that is put together at run time`);
  return undefined;
}

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
