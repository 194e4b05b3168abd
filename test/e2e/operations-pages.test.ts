import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { freePort } from '../../sandbox/services/free-port.ts';
import { databaseRoles } from '../../src/db/roles.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { ComposeWithoutContainers } from '../support/operations/compose-without-containers.ts';
import { blocksOf, operationsPages, type PageBlock } from '../support/operations/page-blocks.ts';
import { findPostgresTools, type PostgresTools } from '../support/operations/postgres-tools.ts';
import {
  startOwnersPostgres,
  startShippedNats,
  startShippedRedis,
} from '../support/operations/shipped-stores.ts';
import { folderOfBun, serveCommands } from '../support/operations/stand-in-commands.ts';
import { SystemdUnits } from '../support/operations/systemd-units.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const ROOT = join(import.meta.dir, '..', '..');
/** Missing programs are installed first. */
const START_TIMEOUT_MS = 300_000;
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Values that the reader fills in. */
const wallet = newAddress();
const mint = newAddress();
let tools: PostgresTools;
let nodeUrl: string;
let bunFolder: string;

beforeAll(async () => {
  tools = await findPostgresTools();
  nodeUrl = startNode();
  bunFolder = folderOfBun();
  await Promise.all([compose.prepare(), plain.prepare()]);
}, START_TIMEOUT_MS);

/** A node that only answers which cluster it belongs to. */
function startNode(): string {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method !== 'POST') return new Response(null, { status: 404 });
      const { id, method } = (await request.json()) as { id: unknown; method: string };
      const position = { absoluteSlot: 9, blockHeight: 9, epoch: 1, slotIndex: 1, slotsInEpoch: 432_000 };
      return Response.json({ jsonrpc: '2.0', result: method === 'getGenesisHash' ? MAINNET : position, id });
    },
  });
  atEnd(async () => void (await server.stop(true)));
  return server.url.origin;
}

/** Runs a block as an operator would in a terminal of their own. */
async function runScript(
  code: string,
  { folder, bin, lastLines }: { folder: string; bin: string; lastLines: () => string[] },
): Promise<string> {
  const file = join(folder, 'block.sh');
  writeFileSync(file, code);
  const { HOME = '', PATH = '' } = process.env;
  const child = Bun.spawn(['bash', '-eu', '-o', 'pipefail', file], {
    cwd: folder,
    env: {
      HOME,
      PATH: [bin, bunFolder, tools.folder, PATH].join(':'),
      // There is no proxy that needs time to notice.
      API_DRAIN_SECONDS: '0',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exitCode !== 0)
    throw new Error([code, `exit code ${exitCode}`, output, errors, ...lastLines()].join('\n'));
  return output;
}

/** Fills in the reader's values. Throws when a placeholder is left. */
function filled(code: string, replacements: Readonly<Record<string, string>>): string {
  const all = { 'https://…': nodeUrl, '--wallet …': `--wallet ${wallet}`, ...replacements };
  const text = Object.entries(all).reduce((rest, [from, to]) => rest.replaceAll(from, to), code);
  expect(text).not.toContain('…');
  return text;
}

interface Installation {
  prepare(): Promise<void>;
  run(block: PageBlock): Promise<string>;
}

/** A checkout with `docker compose`. */
class ComposeInstallation implements Installation {
  readonly folder = createTempDir('compose');
  compose!: ComposeWithoutContainers;
  #bin = '';
  key = '';
  serviceKey = '';

  async prepare(): Promise<void> {
    this.compose = new ComposeWithoutContainers(this.folder, tools);
    this.#bin = serveCommands(this.folder, { docker: (call) => this.compose.call(call) });
    symlinkSync(join(ROOT, 'ops'), join(this.folder, 'ops'));
    writeFileSync(join(this.folder, 'token.json'), JSON.stringify(tokenMessage(mint)));
  }

  async run({ code }: PageBlock): Promise<string> {
    const text = filled(code, { 'http://localhost:3000': await this.apiOrigin() });
    return runScript(text, {
      folder: this.folder,
      bin: this.#bin,
      lastLines: () => this.compose.lastLines(),
    });
  }

  async apiOrigin(): Promise<string> {
    return `http://127.0.0.1:${await this.compose.port('api', 'PORT')}`;
  }

  /** Every process is ready, and the api and the internal API read what was stored. */
  async expectData(processes: readonly string[]): Promise<void> {
    for (const process of processes) await expectReady(await this.compose.port(process, 'METRICS_PORT'));
    await expectToken(await this.apiOrigin());
    await expectEndpoint(await this.apiOrigin(), this.key);
    if (processes.includes('internal')) await this.#expectInternal();
  }

  async #expectInternal(): Promise<void> {
    const origin = `http://127.0.0.1:${await this.compose.port('internal', 'INTERNAL_PORT')}`;
    const answer = await fetch(`${origin}/internal/v1/wallets`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.serviceKey}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ address: wallet }),
    });
    expect(answer.status).toBe(200);
  }
}

/** Processes under systemd, below a folder instead of `/`. */
class PlainInstallation implements Installation {
  readonly root = createTempDir('plain');
  readonly password = 'owners-password';
  readonly ports: Record<string, string> = {};
  superuserUrl = '';
  key = '';
  #bin = '';
  #units: SystemdUnits | undefined;

  async prepare(): Promise<void> {
    for (const folder of ['opt/launchwire', 'etc/systemd/system'])
      mkdirSync(join(this.root, folder), { recursive: true });
    // The block that fetches a release creates this folder.
    symlinkSync(ROOT, join(this.root, 'opt/launchwire/0.2.0'));
    symlinkSync(join(this.root, 'opt/launchwire/0.2.0'), join(this.root, 'opt/launchwire/current'));
    for (const name of ['PORT', '4222', '6379', '9464', '9465', '9466'])
      this.ports[name] = String(await freePort());
    const server = await startOwnersPostgres(tools, this.password);
    this.superuserUrl = server.superuserUrl;
    this.ports['5432'] = String(server.port);
    const units = new SystemdUnits(this.root, { api: { PORT: this.ports.PORT ?? '' } });
    this.#units = units;
    this.#bin = serveCommands(this.root, { systemctl: (call) => units.call(call) });
  }

  async run({ code }: PageBlock): Promise<string> {
    const { PORT, ...others } = this.ports;
    const replacements = Object.fromEntries(
      Object.entries(others).flatMap(([port, own]) => [
        [`@localhost:${port}`, `@127.0.0.1:${own}`],
        [`METRICS_PORT=${port}`, `METRICS_PORT=${own}`],
      ]),
    );
    const text = filled(code, {
      ...replacements,
      'http://localhost:3000': `http://127.0.0.1:${PORT}`,
      'launchwire:…@': `launchwire:${this.password}@`,
    });
    return runScript(text.replace(/(?<![\w.])\/(?=(?:etc|opt)\/)/g, `${this.root}/`), {
      folder: this.root,
      bin: this.#bin,
      lastLines: () => this.#units?.lastLines() ?? [],
    });
  }

  /** Starts the stores. The page sets their passwords. */
  async startStores(): Promise<void> {
    const lines = readFileSync(join(this.root, 'etc/launchwire/stores.env'), 'utf8').trim().split('\n');
    const passwords = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
    const quoted = Object.entries(passwords).map(([name, value]) => [name, `"${value}"`]);
    await startShippedNats(Object.fromEntries(quoted), Number(this.ports['4222']));
    await startShippedRedis(passwords.REDIS_PASSWORD ?? '', Number(this.ports['6379']));
  }

  async expectData(): Promise<void> {
    for (const port of ['9464', '9465', '9466']) await expectReady(Number(this.ports[port]));
    await expectEndpoint(`http://127.0.0.1:${this.ports.PORT}`, this.key);
  }

  /** The worker does so soon after its start. */
  async untilKeysEntered(): Promise<void> {
    const url = new URL(this.superuserUrl);
    url.pathname = '/launchwire';
    const sql = postgres(url.href, { max: 1 });
    await eventually(
      'the worker has entered its keys',
      async () => (await sql`select from worker_keys`).length > 0,
    );
    await sql.end();
  }

  /** Drops the database and all roles except the owner, as on a new server. */
  async loseDatabase(): Promise<void> {
    const sql = postgres(this.superuserUrl, { max: 1, onnotice: () => {} });
    await sql.unsafe('drop database launchwire with (force)');
    for (const role of databaseRoles) await sql.unsafe(`drop role ${role}_login, ${role}`);
    await sql.unsafe('alter role launchwire nosuperuser createdb createrole');
    await sql.end();
  }
}

async function expectReady(port: number): Promise<void> {
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      // Its start does not wait until it listens.
      () => false,
    );
  await eventually(`the process at ${port} is ready`, ready);
}

/** Asks again while the limiter has no answer within its 250 ms, as on a busy machine. */
function answerOf(url: string, init: RequestInit = {}): Promise<Response> {
  return eventually(`an answer of ${url}`, async () => {
    const answer = await fetch(url, init);
    return answer.status !== 503 && answer;
  });
}

async function expectToken(origin: string): Promise<void> {
  const answer = await answerOf(`${origin}/api/v2/tokens/${mint}`);
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 200 });
}

async function makeEndpoint(origin: string, key: string): Promise<void> {
  const answer = await answerOf(`${origin}/api/v2/webhook-endpoints`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ url: 'https://93.184.216.34/hook', eventTypes: ['build.service.token.*'] }),
  });
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 201 });
}

async function expectEndpoint(origin: string, key: string): Promise<void> {
  const answer = await answerOf(`${origin}/api/v2/webhook-endpoints`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as { data: unknown[] };
  expect({ status: answer.status, endpoints: data?.length }).toEqual({ status: 200, endpoints: 1 });
}

/** The doctor has compared the keys and judged the environment, none of which it does without their variables. */
function expectFitting(output: string): void {
  expect(output).toMatch(/deployment\s+ok\s+live, https:\/\/api\.example\.com, mainnet-beta/);
  for (const check of ['order keys', 'result link keys'])
    expect(output).toMatch(new RegExp(`^.*${check}\\s+ok\\s`, 'm'));
}

const keyIn = (output: string) => /\blw_\w+/.exec(output)?.[0] ?? expect.unreachable(output);

const compose = new ComposeInstallation();
const plain = new PlainInstallation();

interface Step {
  page: string;
  heading: string;
  installation: Installation;
  /** Runs before the block. */
  before?(): Promise<void>;
  /** Checks the result of the block. */
  after?(output: string): Promise<void>;
}

const all = ['api', 'worker', 'relay', 'internal'];

/** Every runnable block, in the order in which an operator needs them. */
const days: readonly Step[] = [
  {
    page: 'deployment.md',
    heading: 'Containers',
    installation: compose,
    async after(output) {
      compose.key = keyIn(output);
      expect(output).toContain(mint);
      await makeEndpoint(await compose.apiOrigin(), compose.key);
      await compose.expectData(['api', 'worker', 'relay']);
    },
  },
  {
    page: 'deployment.md',
    heading: 'Containers',
    installation: compose,
    async after(output) {
      compose.serviceKey = /\blws_\w+/.exec(output)?.[0] ?? expect.unreachable(output);
      await compose.expectData(all);
    },
  },
  {
    page: 'database.md',
    heading: 'Database users',
    installation: compose,
    after: () => compose.expectData(all),
  },
  {
    page: 'configuration.md',
    heading: 'Rotating SECRET_KEY',
    installation: compose,
    async after(output) {
      expect(output).toMatch(/found\s+1\b/);
      await compose.expectData(all);
    },
  },
  {
    page: 'configuration.md',
    heading: 'Rotating SECRET_KEY',
    installation: compose,
    async after(output) {
      expect(output).toMatch(/secrets\s+ok\s+\d+ open\s*$/m);
      expectFitting(output);
    },
  },
  {
    page: 'monitoring.md',
    heading: 'Metrics',
    installation: compose,
    async after() {
      const rules = readFileSync(join(compose.folder, 'launchwire-alerts.yml'), 'utf8');
      expect(rules).toContain('runbook_url: "https://docs.example.com/operations/runbooks#');
      expect(rules).not.toContain('{{ $externalLabels');
    },
  },
  {
    page: 'upgrades-and-restore.md',
    heading: 'Upgrades',
    installation: compose,
    async after(output) {
      expect(output).toContain('nothing to apply; the schema is at');
      await compose.expectData(all);
    },
  },
  {
    page: 'upgrades-and-restore.md',
    heading: 'Backup',
    installation: compose,
    async after(output) {
      expect(output).toContain('launchwire');
      await compose.compose.losePostgres();
    },
  },
  {
    page: 'upgrades-and-restore.md',
    heading: 'Restore with compose',
    installation: compose,
    async after() {
      await compose.compose.call({
        args: ['compose', 'up', '--detach', '--no-deps', '--wait', 'internal'],
        input: new Uint8Array(),
        environment: {},
      });
      await compose.expectData(all);
    },
  },
  {
    page: 'deployment.md',
    heading: 'Without containers',
    installation: plain,
    after: () => plain.startStores(),
  },
  {
    page: 'deployment.md',
    heading: 'Without containers',
    installation: plain,
    async after(output) {
      expect(output).toContain('to a database without a schema; the schema is at');
    },
  },
  { page: 'deployment.md', heading: 'Without containers', installation: plain },
  {
    page: 'deployment.md',
    heading: 'Without containers',
    installation: plain,
    before: () => plain.untilKeysEntered(),
    async after(output) {
      expectFitting(output);
      plain.key = keyIn(output);
      await makeEndpoint(`http://127.0.0.1:${plain.ports.PORT}`, plain.key);
    },
  },
  {
    page: 'deployment.md',
    heading: 'Without containers',
    installation: plain,
    async after(output) {
      expect(output).toContain('nothing to apply; the schema is at');
      await plain.expectData();
    },
  },
  {
    page: 'upgrades-and-restore.md',
    heading: 'Backup',
    installation: plain,
    after: () => plain.loseDatabase(),
  },
  {
    page: 'upgrades-and-restore.md',
    heading: 'Restore without compose',
    installation: plain,
    after: () => plain.expectData(),
  },
];

const blocks = operationsPages.flatMap(blocksOf).filter(({ byHand }) => byHand === undefined);
const runnable = blocks.filter(({ language }) => language === 'sh');
const sqlBlocks = blocks.filter(({ language }) => language === 'sql');
const placeOf = ({ page, heading }: { page: string; heading: string }) => `${page}, ${heading}`;

/** The blocks in order, each with its step. */
const course = days.map((step, index) => {
  const nth = days.slice(0, index).filter((one) => placeOf(one) === placeOf(step)).length;
  return [placeOf(step), step, runnable.filter((block) => placeOf(block) === placeOf(step))[nth]] as const;
});

test('every block of the pages on operations is run, or has a reason why not', () => {
  expect(runnable.map(placeOf).sort()).toEqual(days.map(placeOf).sort());
  expect(sqlBlocks.map(placeOf)).toEqual(['database.md, Database users', 'database.md, Connection poolers']);
  expect(blocks.length).toBe(runnable.length + sqlBlocks.length);
});

describe('the blocks of the pages on operations work as described', () => {
  test.each(course)('%s', async (_place, step, block) => {
    await step.before?.();
    const output = await step.installation.run(block ?? expect.unreachable());
    await step.after?.(output);
  });

  test('database.md: the statements make members of one role each, and give one limits', async () => {
    const sql = postgres(plain.superuserUrl, { max: 1, onnotice: () => {} });
    const members = () => sql<{ user: string; role: string }[]>`
      select member.rolname as user, role.rolname as role
      from pg_auth_members
      join pg_roles member on member.oid = member
      join pg_roles role on role.oid = roleid
      where member.rolname like 'launchwire\\_%\\_login' order by 1, 2`;
    await sql.unsafe(`drop role ${databaseRoles.map((role) => `${role}_login`).join(', ')}`);
    for (const { code } of sqlBlocks) await sql.unsafe(code.replaceAll('…', 'a-password'));
    const expected = [...databaseRoles].sort().map((role) => ({ user: `${role}_login`, role }));
    expect([...(await members())]).toEqual(expected);
    const [worker] = await sql`
      select rolconfig as settings from pg_roles where rolname = 'launchwire_worker_login'`;
    expect(worker?.settings).toContain('role=launchwire_worker');
    await sql.end();
  });
});
