import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMutable } from './tree-copy.ts';

/** Lines by file, numbered from 1. */
export type ChangedLines = ReadonlyMap<string, ReadonlySet<number>>;

/** Git takes every text for a time, and one that it does not understand for now. */
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\S+)?$|^\d+[. ](minute|hour|day|week|month|year)s?[. ]ago$/;
const HUNK = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/;

/**
 * The commit that code is compared with: where the history parted from a commit or tag, or the last commit before a date.
 * The empty tree, where a date is before the first commit. Throws for what names neither.
 */
export function baseOf(root: string, since: string): string {
  const commit = ask(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${since}^{commit}`);
  if (commit !== undefined) {
    const shared = ask(root, 'merge-base', commit, 'HEAD');
    if (shared === undefined) throw new Error(`--since ${since} has no commit in common with HEAD`);
    return shared;
  }
  const isDate = DATE.test(since) && (/ago$/.test(since) || !Number.isNaN(Date.parse(since)));
  if (!isDate)
    throw new Error(`--since ${since} is no commit or tag, and no date such as 2026-11-22 or "7 days ago"`);
  const before = ask(root, 'rev-list', '-1', '--first-parent', `--before=${since}`, 'HEAD');
  if (before !== undefined) return before;
  if (ask(root, 'rev-parse', '--is-shallow-repository') === 'true')
    throw new Error(`--since ${since} is before the history that this clone has: fetch all of it`);
  return git(root, 'hash-object', '-t', 'tree', '--stdin').trim();
}

/** The lines of mutable files of the working tree that the base does not have, wherever a file was then. */
export function linesChangedSince(root: string, base: string): ChangedLines {
  const changed = new Map<string, Set<number>>();
  // Without `-l0` git looks for renames among a thousand files at most.
  const options = [
    '--unified=0',
    '--ignore-all-space',
    '--find-renames',
    '-l0',
    '--no-color',
    '--no-ext-diff',
  ];
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
  let file: string | undefined;
  for (const line of git(root, 'diff', ...options, ...prefixes, base, '--', '*.ts').split('\n')) {
    if (line.startsWith('diff --git ')) file = undefined;
    else if (file === undefined) file = /^\+\+\+ b\/(.*?)\t?$/.exec(line)?.[1];
    const [, start, count = '1'] = HUNK.exec(line) ?? [];
    if (file === undefined || start === undefined || !isMutable(file) || count === '0') continue;
    const lines = changed.get(file) ?? new Set();
    for (let at = 0; at < Number(count); at++) lines.add(Number(start) + at);
    changed.set(file, lines);
  }
  for (const added of git(root, 'ls-files', '-z', '--others', '--exclude-standard').split('\0')) {
    if (!isMutable(added)) continue;
    const { length } = readFileSync(join(root, added), 'utf8').split('\n');
    changed.set(added, new Set(Array.from({ length }, (_, at) => at + 1)));
  }
  return changed;
}

function git(root: string, ...command: string[]): string {
  return execFileSync('git', command, {
    cwd: root,
    encoding: 'utf8',
    input: '',
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** What git says in one line; undefined when it finds nothing. */
function ask(root: string, ...command: string[]): string | undefined {
  try {
    return git(root, ...command).trim() || undefined;
  } catch (error) {
    // 1: nothing found. Anything else, such as a folder without a repository, is a fault.
    if ((error as { status?: number }).status === 1) return undefined;
    throw error;
  }
}
