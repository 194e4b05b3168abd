import { beforeAll, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseOf, linesChangedSince } from '../mutation/changed-lines.ts';
import { changedMutants } from '../mutation/choose-mutants.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const folder = createTempDir('history');
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

function git(...command: string[]): string {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.test', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...author, ...command], { cwd: folder, encoding: 'utf8' }).trim();
}

/** Returns the commit. */
function commitAt(date: string): string {
  git('add', '--all');
  const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.test', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...author, 'commit', '--quiet', '--message', 'change'], { cwd: folder, env });
  return git('rev-parse', 'HEAD');
}

let first: string;
let second: string;

beforeAll(() => {
  for (const part of ['src', 'relay', 'docs']) mkdirSync(join(folder, part));
  git('init', '--quiet', '--initial-branch=main');
  write('src/a.ts', 'const a = 1;\nconst b = 2;\nconst c = 3;\n');
  write('relay/old.ts', Array.from({ length: 20 }, (_, at) => `const v${at} = ${at};\n`).join(''));
  write('docs/a.ts', 'const d = 1;\n');
  first = commitAt('2020-01-01T00:00:00Z');
  git('tag', 'v1');
  write('src/a.ts', 'const a = 1;\n  const b = 2;\nconst c = 4;\nconst e = 5;\n');
  renameSync(join(folder, 'relay/old.ts'), join(folder, 'relay/new.ts'));
  write(
    'relay/new.ts',
    Array.from({ length: 20 }, (_, at) => `const v${at} = ${at === 6 ? 9 : at};\n`).join(''),
  );
  write('docs/a.ts', 'const d = 2;\n');
  second = commitAt('2020-01-08T00:00:00Z');
});

test('code is compared with a commit, a tag, where a branch parted, or the last commit before a date', () => {
  expect(
    [first, 'v1', 'HEAD~1', '2020-01-02', '2020-01-07T23:00:00Z'].map((at) => baseOf(folder, at)),
  ).toEqual(Array.from({ length: 5 }, () => first));
  expect([second, 'HEAD', '2 days ago'].map((since) => baseOf(folder, since))).toEqual([
    second,
    second,
    second,
  ]);
  git('branch', 'other', first);
  expect(baseOf(folder, 'other')).toBe(first);
});

test('a date before the first commit makes all code new', () => {
  const changed = linesChangedSince(folder, baseOf(folder, '2019-01-01'));
  expect([...changed].map(([file, lines]) => [file, lines.size])).toEqual([
    ['relay/new.ts', 20],
    ['src/a.ts', 4],
  ]);
});

test.each(['v2', 'yesterday', '2020-13-40', '', 'ago', '0123456'])(
  '%j names nothing, and is not taken for now',
  (since) => {
    expect(() => baseOf(folder, since)).toThrow(`--since ${since} is no commit or tag, and no date such as`);
  },
);

test('history that a clone does not have is not taken for new code', () => {
  const clone = join(createTempDir('clone'), 'shallow');
  git('clone', '--quiet', '--depth=1', `file://${folder}`, clone);
  expect(() => baseOf(clone, '2020-01-02')).toThrow(
    'before the history that this clone has: fetch all of it',
  );
});

test('changed lines are those of mutable files, also renamed, uncommitted and new ones; blanks are no change', () => {
  write('src/b.ts', 'const f = 1;\n');
  write('src/c.css', 'a {}\n');
  expect(linesChangedSince(folder, first)).toEqual(
    new Map([
      ['relay/new.ts', new Set([7])],
      ['src/a.ts', new Set([3, 4])],
      ['src/b.ts', new Set([1, 2])],
    ]),
  );
});

test('a mutant is one of changed code when any of its lines has changed', () => {
  const mutant = (start: number, end: number) => ({
    file: 'src/a.ts',
    start,
    end,
    replacement: '',
    kind: 'x',
  });
  const [before, changed, over] = [mutant(0, 5), mutant(29, 31), mutant(14, 40)];
  const lines = new Map([['src/a.ts', new Set([3])]]);
  expect(changedMutants(folder, [before, changed, over], lines)).toEqual([changed, over]);
  expect(changedMutants(folder, [before], new Map())).toEqual([]);
});
