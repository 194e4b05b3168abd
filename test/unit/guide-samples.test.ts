import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { commands } from '../../packages/client/src/cli/commands.ts';

const guides = readdirSync('docs/guides').map((name) => `docs/guides/${name}`);
const pages = ['README.md', 'packages/client/README.md', ...guides];
const read = (path: string) => readFileSync(path, 'utf8');

test('every guide with a program in TypeScript says how to run one', () => {
  const silent = guides.filter((path) => {
    const text = read(path);
    return text.includes('\n```ts') && !text.includes('](quick-start.md#run-a-program)');
  });
  expect(silent).toEqual([]);
});

/** Files of keys that samples write or read: what a shell block redirects to, and what a command or program signs with. */
const KEY_FILES = /secretKey" > (\S+)|--key-file (\S+)|secretKeySigner\(readFileSync\('([^']+)'/g;

test('git ignores every key file of a wallet that a sample writes or reads', () => {
  const ignored = read('.gitignore').split('\n');
  const named = pages.flatMap((path) =>
    [...read(path).matchAll(KEY_FILES)].map(
      ([, ...names]) => names.find(Boolean)?.replaceAll(/[`.,]+$/g, '') ?? '',
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((name) => !ignored.includes(name))).toEqual([]);
});

/** The commands of a cell: words alone, or after a word without a comma the commands of that group. */
function commandsOf(cell: string): string[] {
  return cell.split(';').flatMap((part) => {
    const words = [...part.matchAll(/`([a-z-]+)`/g)].map(([, word = '']) => word);
    const [group = '', ...own] = words;
    return /^\s*`[a-z-]+` `/.test(part) ? own.map((word) => `${group} ${word}`) : words;
  });
}

test('the table of commands of the package has every command of the command line, and no other', () => {
  const [, table = ''] =
    /\| Command \| \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(read('packages/client/README.md')) ?? [];
  const listed = [...table.matchAll(/^\| (.*?) \| /gm)].flatMap(([, cell = '']) => commandsOf(cell));
  expect(listed.toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});
