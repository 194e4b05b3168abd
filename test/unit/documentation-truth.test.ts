import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { synopsis } from '../../packages/client/src/cli/kit/help.ts';
import { commands } from '../../src/admin/commands.ts';
import type { Variables } from '../../src/config/variable.ts';
import { variables } from '../../src/config/variables.ts';
import { databaseFailures } from '../../src/db/failure.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { missingTests } from '../support/documentation/named-tests.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
type Manifest = Record<string, Record<string, string>>;
const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json')) as Manifest;
const development = JSON.parse(read('.config/package.json')) as Manifest;
const documents = [
  'README.md',
  ...readdirSync(`${root}docs`, { recursive: true }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md'));

/** The table of `docs/operations/configuration.md`, from the one list of variables. */
function configurationTable(all: Variables): string {
  const rows = Object.values(all).map((variable) => {
    const unset = variable.missing === undefined ? describeDefault(variable.default) : '**required**';
    return `| \`${variable.name}\` | ${unset} | ${variable.text} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The table of `docs/operations/administration.md`, from the commands themselves. */
function commandTable(): string {
  const rows = commands.map((command) => {
    const options = synopsis(command.options).map((option) => `\`${option.replaceAll('|', '\\|')}\``);
    return `| \`${command.name}\` | ${command.summary} | ${options.join(' ')} |`;
  });
  return ['| command | does | options |', '|---|---|---|', ...rows].join('\n');
}

function describeDefault(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : `\`${value.map((ms: number) => ms / 1000).join(',')}\``;
  if (value instanceof Date) return `\`${value.toISOString()}\``;
  return typeof value === 'object' ? 'none' : `\`${value}\``;
}

/** Files, columns of tables, subjects of the bus and ends of host names, which are spelled like log events. */
const OTHER_NAMES =
  /\.(?:ts|md|yml|yaml|sql|conf|sh|json|csv|env|arpa|local)$|^(?:fee_pools|pg_\w+)\.|^ingest\.(?:trade|trade_reverted|source_proof)$/;

describe('the documents', () => {
  test('list every variable of the configuration, with its default and meaning', () => {
    const text = read('docs/operations/configuration.md');
    expect(text).toContain(configurationTable(variables));
    const listed = text.match(/^\| `[A-Z_]+` \|/gm) ?? [];
    expect(listed).toHaveLength(Object.keys(variables).length);
  });

  test('list the limits of every pool, and every reason why the database cannot be used', () => {
    const text = read('docs/operations/database.md');
    const seconds = (ms: number) => (ms === 0 ? 'none' : `${ms / 1000} s`);
    for (const [pool, { statementMs, lockMs, idleInTransactionMs }] of Object.entries(databaseLimits)) {
      const cells = [statementMs, lockMs, idleInTransactionMs].map(seconds);
      expect(text).toContain(`| ${[pool, ...cells].join(' | ')} |`);
    }
    for (const reason of Object.keys(databaseFailures)) expect(text).toContain(`\`${reason}\``);
  });

  test('list every command of the admin CLI as it describes itself, and which ones ask', () => {
    const text = read('docs/operations/administration.md');
    expect(text).toContain(commandTable());
    const asking = commands.filter(({ destroys }) => destroys !== undefined).map(({ name }) => name);
    const listed = /asked about on a terminal: ([^.]+)\./.exec(text)?.[1] ?? '';
    expect([...listed.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(asking);
    const promised = commands.filter(({ destroys }) => destroys?.isPromisedToScripts).map(({ name }) => name);
    const excepted =
      /except for ([^,]+, which|[^.]+ which) scripts/.exec(text.replaceAll('\n', ' '))?.[1] ?? '';
    expect([...excepted.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(promised);
  });

  test.each([
    ['docs/security.md', 100],
    ['docs/testing.md', 50],
  ])('name only tests that exist where they say what protects what: %s', (document, namedMin) => {
    const text = read(document);
    expect(missingTests(text)).toEqual([]);
    expect(text.match(/`test\//g)?.length).toBeGreaterThan(namedMin);
  });

  test('name a test for a guarantee of every page of the contract', () => {
    const rows = read('docs/testing.md').match(/^\| (?:\[.*|[\w ]*) \| .* \| .*\|$/gm) ?? [];
    const pages = readdirSync(`${root}docs/contract`).filter((name) => name !== 'README.md');
    const unprotected = pages.filter(
      (page) =>
        !rows.some(
          (row) => row.startsWith('| [') && row.includes(`](contract/${page})`) && row.includes('`test/'),
        ),
    );
    expect(unprotected).toEqual([]);
    expect(pages.length).toBeGreaterThan(25);
  });

  test('give a test or a reason for every possible and impossible action', () => {
    const rows = read('docs/security.md').match(/^\| (?:can|cannot)\b.*\|$/gm) ?? [];
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => !/(?:`test\/|reason: )[^|]*\|$/.test(row))).toEqual([]);
  });

  test('have a runbook for every alert', () => {
    const alerts = [...read('ops/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const runbooks = [...read('docs/operations/runbooks.md').matchAll(/^### (\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(alerts.filter((alert) => !runbooks.includes(alert))).toEqual([]);
  });

  test('name only log events that the code has', () => {
    const sources = ['src', 'relay']
      .flatMap((folder) =>
        readdirSync(`${root}${folder}`, { recursive: true }).map((name) => `${folder}/${name}`),
      )
      .filter((path) => path.endsWith('.ts'));
    const logged = new Set(
      sources.flatMap((path) => [...read(path).matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, event]) => event)),
    );
    const named = [
      'runbooks.md',
      'administration.md',
      'configuration.md',
      'database.md',
      'upgrades-and-restore.md',
    ].flatMap((page) =>
      [...read(`docs/operations/${page}`).matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, event = '']) => event),
    );
    const events = named.filter((name) => !OTHER_NAMES.test(name));
    expect(events.length).toBeGreaterThan(40);
    expect([...new Set(events.filter((event) => !logged.has(event)))]).toEqual([]);
  });

  test('name only scripts that exist', () => {
    for (const path of documents) {
      for (const [, script] of read(path).matchAll(/npm run (?:-s )?([\w:-]+)/g)) {
        expect(`${path}: ${script}`).toBe(
          `${path}: ${scripts?.[script ?? ''] === undefined ? 'missing' : script}`,
        );
      }
    }
  });

  test('give a reason for every dependency', () => {
    const text = read('docs/dependencies.md');
    const all = { ...dependencies, ...devDependencies, ...development.devDependencies };
    for (const name of Object.keys(all)) expect(text).toContain(name);
  });
});
