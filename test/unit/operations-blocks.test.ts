import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { scripts } from '../../package.json';
import { readLine } from '../../packages/client/src/cli/kit/read-line.ts';
import { administration } from '../../src/admin/program.ts';
import { programs } from '../../src/config/variable.ts';
import { variables } from '../../src/config/variables.ts';
import { databaseRoles } from '../../src/db/roles.ts';
import { blocksOf, operationsPages, type PageBlock } from '../support/operations/page-blocks.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const { services } = Bun.YAML.parse(read('compose.yaml')) as { services: Record<string, object> };

/** Names of variables that belong to other programs, or that compose.yaml and the Dockerfile read. */
const otherNames = new Set([
  ...['compose.yaml', 'ops/compose/cluster.yaml'].flatMap((path) =>
    [...read(path).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name),
  ),
  ...[...read('Dockerfile').matchAll(/^ARG (\w+)/gm)].map(([, name = '']) => name),
  'PWD',
  'SOURCE_DATE_EPOCH',
  'LAUNCHWIRE_STATE',
  'SANDBOX_DIR',
]);
const knownNames = new Set([...Object.values(variables).map(({ name }) => name), ...otherNames]);

const blocks = operationsPages.flatMap(blocksOf);
const named = (some: PageBlock[]) => some.map((block) => [`${block.page}, ${block.heading}`, block] as const);
const shell = named(blocks.filter(({ language }) => language === 'sh'));

/** Its words, as a shell splits them; gaps for the reader are words too. */
const words = (line: string) =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );

/** Commands of one line each: continued lines are joined, comments and redirections are gone. */
function commandsIn(code: string): string[] {
  return code
    .replace(/\\\n\s*/g, ' ')
    .split(/\n|&&|\|\||[|;()]/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').replace(/\s+[<>]{1,2}\s*\S+/g, ''))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The arguments of every call of the admin CLI, however it is started. */
function adminCalls(code: string): string[][] {
  return commandsIn(code).flatMap((line) => {
    const [, args] =
      /(?:npm run (?:-s )?admin --|entrypoint\.sh admin|docker compose run (?:-\S+ |[A-Z_]+ )*admin) (.+)$/.exec(
        line,
      ) ?? [];
    return args === undefined ? [] : [words(args)];
  });
}

describe('every block of the pages on operations', () => {
  test('has a language that is run or checked', () => {
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(['sh', 'sql', 'yaml']);
    expect(blocks.length).toBeGreaterThan(20);
  });

  test.each(shell)('is a script that a shell understands: %s', (_name, { code }) => {
    // A placeholder like <commit> would be a redirection.
    const script = code.replace(/<(\w+)>/g, '$1');
    const { exitCode, stderr } = Bun.spawnSync(['bash', '-n', '-c', script]);
    expect({ exitCode, errors: stderr.toString() }).toEqual({ exitCode: 0, errors: '' });
  });

  test.each(shell)('names files that exist: %s', (_name, { code }) => {
    const paths = [
      ...code.matchAll(/(?<![\w./-])(?:\/opt\/launchwire\/current\/)?((?:ops|packages|src)\/[\w./@-]*)/g),
    ];
    for (const [, path = ''] of paths)
      expect({ path, exists: existsSync(`${root}${path}`) }).toEqual({ path, exists: true });
  });

  test.each(shell)('names variables that somebody reads: %s', (_name, { code }) => {
    // Assigned for the shell itself in small letters; passwords by the names that their file gives them.
    const names = [
      ...code.matchAll(
        /^(?:echo ")?([A-Z][A-Z_]+)=|\bexport ([A-Z_]+)=|-e ([A-Z_]+)|--build-arg ([A-Z_]+)=/gm,
      ),
    ];
    for (const found of names) {
      const name = found.slice(1).find((one) => one !== undefined) ?? '';
      expect({ name, isKnown: knownNames.has(name) }).toEqual({ name, isKnown: true });
    }
  });

  test.each(shell)('calls the admin CLI with commands and options that it has: %s', (_name, { code }) => {
    for (const args of adminCalls(code)) {
      const filled = args.map((word) =>
        word === '…' ? '7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj' : word,
      );
      expect(readLine(administration, filled)).toMatchObject({ kind: 'run' });
    }
  });

  test.each(shell)('names services, programs and scripts that exist: %s', (_name, { code }) => {
    for (const line of commandsIn(code)) {
      const [, script] = /npm run (?:-s )?([\w:-]+)/.exec(line) ?? [];
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
      const [, program] = /entrypoint\.sh (\w+)/.exec(line) ?? [];
      if (program !== undefined) expect(programs as readonly string[]).toContain(program);
      const [, verb, rest = ''] =
        /^docker compose (?:--profile \w+ )?(up|stop|exec|run)\b(.*)$/.exec(line) ?? [];
      const operands = rest
        .replace(/ -e \w+/g, '')
        .split(' ')
        .filter((word) => /^\w/.test(word));
      for (const service of verb === 'up' || verb === 'stop' ? operands : operands.slice(0, 1))
        expect(Object.keys(services)).toContain(service);
    }
  });

  test('the checks find calls of the admin CLI, and mistakes in them', () => {
    expect(shell.flatMap(([, { code }]) => adminCalls(code)).map(([group]) => group)).toEqual(
      expect.arrayContaining(['doctor', 'key', 'token', 'secret', 'service-key']),
    );
    const [call = []] = adminCalls('(set -a; docker compose run --rm -e SECRET_KEY admin key lst)');
    expect(call).toEqual(['key', 'lst']);
    expect(() => readLine(administration, call)).toThrow('key needs one of create, list, revoke, not "lst"');
  });

  test.each(named(blocks.filter(({ language }) => language === 'yaml')))('is YAML: %s', (_name, { code }) => {
    expect(Bun.YAML.parse(code)).toBeObject();
  });
});

test('the roles and the login users of ops/postgres are those of the code, as is the page that makes them by hand', () => {
  const rolesIn = (text: string) => [...new Set(text.match(/\blaunchwire_[a-z]+(?=_login|\b)/g))].sort();
  const all = [...databaseRoles].sort();
  expect(rolesIn(read('ops/postgres/roles.sql'))).toEqual(all);
  expect(rolesIn(read('ops/postgres/users.sql').replaceAll('_login', ''))).toEqual(all);
  const byHand = blocks.find(({ language, heading }) => language === 'sql' && heading === 'Database users');
  const made = [
    ...(byHand?.code ?? '').matchAll(/^create user (\w+)_login with password '…' in role (\w+);$/gm),
  ];
  expect(made.map(([, user, role]) => [user, role])).toEqual(databaseRoles.map((role) => [role, role]));
});
