import { beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTempDir } from '../support/run/temp-dir.ts';

const root = new URL('../../', import.meta.url).pathname;

/** A change as a contributor makes it: in each file, text that is put before the first place of `before`. */
interface Edit {
  file: string;
  /** If unset, the file is new. */
  before?: string;
  text: string;
}

const operation = (id: string, path: string) => `
const ${id} = {
  id: '${id}', method: 'GET', path: '${path}', tag: 'System', summary: 'An example', description: 'An example.',
  auth: 'anonymous', ratePolicy: 'public-read-cheap', successStatus: 200, maxAgeSeconds: 60,
  response: ExampleSchema, problems: [],
} satisfies RouteDefinition;
`;

const examples: Readonly<Record<string, readonly Edit[]>> = {
  'an operation': [
    {
      file: 'src/features/manifest/routes.ts',
      before: '\nexport const manifestDefinitions',
      text: `import { ExampleSchema } from './schema.ts';\n${operation('getExample', '/example')}`,
    },
    {
      file: 'src/features/manifest/routes.ts',
      before: 'getSolanaManifest];',
      text: 'getExample, ',
    },
    {
      file: 'src/features/manifest/schema.ts',
      before: '\nexport const NetworkSchema',
      text: "\nexport const ExampleSchema = Type.Object({ text: described('A text.', Type.String()) });\n",
    },
  ],
  'a feature': [
    {
      file: 'src/features/example/schema.ts',
      text: "import { Type } from '@sinclair/typebox';\nexport const ExampleSchema = Type.Object({ text: Type.String() });\n",
    },
    {
      file: 'src/features/example/routes.ts',
      text: `import type { RouteDefinition } from '../../http/route.ts';
import { ExampleSchema } from './schema.ts';
${operation('getNewExample', '/new-example')}
export const exampleDefinitions: readonly RouteDefinition[] = [getNewExample];
`,
    },
    {
      file: 'src/features/example/api.ts',
      text: `import { exampleDefinitions } from './routes.ts';
export const exampleApi = { operations: [{ definitions: exampleDefinitions, routes: () => [] }] };
`,
    },
    {
      file: 'src/api/doors.ts',
      before: 'import { feeApi }',
      text: "import { exampleApi } from '../features/example/api.ts';\n",
    },
    { file: 'src/api/doors.ts', before: '  manifestApi,\n', text: '  exampleApi,\n' },
  ],
  'a job': [
    {
      file: 'src/features/fees/worker.ts',
      before: '    // Announces claims that have landed.',
      text: "    { name: 'example', everyMs: 1_000, step: () => Promise.resolve(false) },\n",
    },
  ],
  'a cache': [
    {
      file: 'src/features/staking/api.ts',
      before: '    return { stakingCaches };',
      text: "    caches.open('staking.example', { gate: 'reads', entriesMax: 1, ...ofToken });\n",
    },
  ],
  'a problem': [
    {
      file: 'src/shared/problems/trading.ts',
      before: '  token_not_tradable: {',
      text: "  example_refused: { status: 409, title: 'Example', detail: 'An example.', when: ['Never.'], action: 'Nothing.' },\n",
    },
  ],
  'an event': [
    {
      file: 'src/shared/events/catalogue.ts',
      before: "  'presale.settled':",
      text: "  'presale.example': { audience: 'public', subject: 'presale id' },\n",
    },
    {
      file: 'src/documentation/events/presales.ts',
      before: "  'presale.settled': {",
      text: "  'presale.example': { ...presaleRecord, meaning: 'An example.', reaction: 'Nothing.', example: presale },\n",
    },
  ],
  'a trigger': [
    {
      file: 'drizzle/functions/log_example.sql',
      text: 'create or replace function log_example() returns trigger language plpgsql as $$ begin return null; end $$;\n',
    },
    {
      file: 'drizzle/0099_example.sql',
      text: 'create trigger example after insert on presales for each statement execute function log_example();\n',
    },
  ],
};

/** Prints what a process sees of the examples. */
const LOOK = `
  const { contractDefinitions } = await import('./src/api/routes.ts');
  const { feeWorker } = await import('./src/features/fees/worker.ts');
  const { stakingApi } = await import('./src/features/staking/api.ts');
  const { CacheRegistry } = await import('./src/http/caches/cache-registry.ts');
  const { createReadGates } = await import('./src/http/caches/read-gates.ts');
  const { problemTable } = await import('./src/shared/problem-table.ts');
  const { documentedEvents } = await import('./src/documentation/events/documented-events.ts');
  const caches = new CacheRegistry(createReadGates());
  stakingApi.open({ caches });
  console.log(JSON.stringify({
    operations: contractDefinitions.map(({ id }) => id).filter((id) => id.endsWith('Example')),
    jobs: feeWorker.jobs({}).map(({ name }) => name),
    caches: [...caches.all.keys()],
    problem: 'example_refused' in problemTable,
    event: 'presale.example' in documentedEvents,
  }));`;

let seen: Record<string, unknown>;

beforeAll(async () => {
  const copy = createTempDir('worked-examples');
  for (const name of ['src', 'drizzle']) cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const name of readdirSync(root))
    if (!['src', 'drizzle', '.git', '.sandbox'].includes(name))
      symlinkSync(join(root, name), join(copy, name));
  for (const { file, before, text } of Object.values(examples).flat()) {
    const path = join(copy, file);
    mkdirSync(dirname(path), { recursive: true });
    const source = before === undefined ? '' : readFileSync(path, 'utf8');
    const at = before === undefined ? 0 : source.indexOf(before);
    if (at < 0) throw new Error(`${file} has no ${before}`);
    writeFileSync(path, source.slice(0, at) + text + source.slice(at));
  }
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, '-e', LOOK], { cwd: copy });
  if (exitCode !== 0) throw new Error(stderr.toString());
  seen = JSON.parse(stdout.toString());
});

describe('a change touches its room alone (CONTRIBUTING.md)', () => {
  test('and works in the programs', () => {
    expect(seen).toEqual({
      operations: expect.arrayContaining(['getExample', 'getNewExample']),
      jobs: ['example', 'fee-claims'],
      caches: expect.arrayContaining(['staking.example']),
      problem: true,
      event: true,
    });
  });

  const named = new Map(
    [...readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^\| (an? \w+) \| (.+?) \|/gm)].map(
      ([, change = '', files = '']) => [
        change,
        [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
      ],
    ),
  );

  test.each(Object.entries(examples))('%s has the files that the table names', (change, edits) => {
    const patterns = (named.get(change) ?? []).filter((file) => /^(src|drizzle)\//.test(file));
    const matches = (file: string) =>
      patterns.filter((pattern) => new RegExp(`^${pattern.replace(/<\w+>/g, '[\\w-]+')}$`).test(file));
    const files = [...new Set(edits.map(({ file }) => file))];
    for (const file of files) expect([file, matches(file)]).toEqual([file, [expect.any(String)]]);
    expect(files.length).toBe(patterns.length);
  });
});
