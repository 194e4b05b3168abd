import { afterEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import postgres, { type Sql } from 'postgres';
import { type ChildOptions, type RunningChild, startChild } from '../../sandbox/services/child-process.ts';
import { runCommand } from '../../sandbox/services/command.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { silent } from '../../sandbox/services/log.ts';
import { type NatsServer, startNats } from '../../sandbox/services/nats.ts';
import { downloadNatsRelease } from '../../sandbox/services/nats-release.ts';
import { commandLine } from '../../sandbox/services/orphan-process.ts';
import { type PostgresServer, startPostgres } from '../../sandbox/services/postgres.ts';
import { readLocation, removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { startRedis } from '../../sandbox/services/redis.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const isRoot = process.getuid?.() === 0;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
});

async function runPostgres(dataDir: string): Promise<PostgresServer> {
  const server = await startPostgres({ dataDir, durable: false });
  cleanups.push(() => server.stop());
  return server;
}

function createDataDir(): string {
  const dataDir = join(createTempDir('postgres'), 'data');
  atEnd(() => removePostgresData(dataDir));
  return dataDir;
}

async function query<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 60 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const writeRow = (server: PostgresServer) =>
  query(server.url, (sql) => sql.unsafe('create table kept (value int); insert into kept values (7)'));
const readRow = (server: PostgresServer) =>
  query(server.url, async (sql) => (await sql`select value from kept`)[0]?.value);

/** Starts a server from a second process, kills that launcher with SIGKILL, and returns the pid of the server. */
async function orphan(module: string, call: string): Promise<number> {
  const source = `import * as module from '${join(import.meta.dir, '../../sandbox/services', module)}';
    const server = await module.${call};
    console.log('started ' + server.pid);`;
  const launcher = await startChild({
    name: 'launcher',
    command: process.execPath,
    args: ['-e', source],
    ready: /^started \d+/,
  });
  const pid = Number(launcher.lastLines().at(-1)?.split(' ')[1]);
  process.kill(launcher.pid, 'SIGKILL');
  return pid;
}

describe('Postgres', () => {
  // One cluster, which the tests start and stop one after the other: a new one takes a second of CPU.
  const dataDir = createDataDir();

  test('keeps committed rows over a stop and over kill -9', async () => {
    const first = await runPostgres(dataDir);
    await writeRow(first);
    await first.stop();
    const second = await runPostgres(dataDir);
    expect(await readRow(second)).toBe(7);
    await second.kill();
    const third = await runPostgres(dataDir);
    expect(await readRow(third)).toBe(7);
  });

  test('is stopped and taken over after its launcher was killed', async () => {
    const pid = await orphan('postgres.ts', `startPostgres({ dataDir: '${dataDir}', durable: false })`);
    expect(commandLine(pid)).toContain(readLocation(dataDir)?.clusterDir ?? 'no cluster');
    const server = await runPostgres(dataDir);
    expect(commandLine(pid)).toBe('');
    expect(await query(server.url, async (sql) => (await sql`select 1 as one`)[0]?.one)).toBe(1);
  });

  test('a stale pid file that names a living stranger stops nobody and holds nothing up', async () => {
    await (await runPostgres(dataDir)).stop();
    const clusterDir = readLocation(dataDir)?.clusterDir ?? '';
    const stranger = await run({ name: 'stranger', command: 'sleep', args: ['60'] });
    writeFileSync(join(clusterDir, 'postmaster.pid'), `${stranger.pid}\n${clusterDir}\n`);
    await runPostgres(dataDir);
    expect(commandLine(stranger.pid)).toContain('sleep');
  });

  test('listens on loopback only and lets nobody in without the password', async () => {
    const server = await runPostgres(dataDir);
    const listening = await query(server.url, async (sql) => [
      (await sql`show listen_addresses`)[0]?.listen_addresses,
      (await sql`show unix_socket_directories`)[0]?.unix_socket_directories,
    ]);
    expect(listening).toEqual(['127.0.0.1', '']);
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, async (sql) => await sql`select 1`)).rejects.toThrow('password');
  });

  test('removing its data leaves nothing behind and the next start is a new cluster', async () => {
    const first = await runPostgres(dataDir);
    await query(first.url, (sql) => sql`create table removed ()`);
    const clusterDir = readLocation(dataDir)?.clusterDir ?? '';
    await removePostgresData(dataDir);
    expect(existsSync(dataDir) || existsSync(clusterDir)).toBe(false);
    expect(commandLine(first.pid)).toBe('');
    const next = await runPostgres(dataDir);
    await expect(query(next.url, (sql) => sql`select from removed`.execute())).rejects.toThrow(
      'does not exist',
    );
  });

  test.if(isRoot)(
    'started by root in a folder only root may enter, it runs, and is removed, elsewhere',
    async () => {
      const folder = createTempDir('postgres');
      chmodSync(folder, 0o700);
      const dataDir = join(folder, 'data');
      atEnd(() => removePostgresData(dataDir));
      const server = await runPostgres(dataDir);
      await writeRow(server);
      const clusterDir = readLocation(dataDir)?.clusterDir ?? '';
      expect(clusterDir.startsWith(folder)).toBe(false);
      await server.stop();
      expect(await readRow(await runPostgres(dataDir))).toBe(7);
      await removePostgresData(dataDir);
      expect(existsSync(clusterDir)).toBe(false);
    },
  );
});

describe('nats-server', () => {
  async function runNats(storeDir: string, port?: number): Promise<NatsServer> {
    const server = await startNats({ storeDir, ...(port === undefined ? {} : { port }) });
    cleanups.push(() => server.stop());
    return server;
  }

  test('keeps acknowledged messages over kill -9 and comes back on its port', async () => {
    const storeDir = join(createTempDir('nats'), 'store');
    const first = await runNats(storeDir);
    const before = await connect({ servers: first.url });
    await (await jetstreamManager(before)).streams.add({ name: 'KEPT', subjects: ['kept.>'] });
    await jetstream(before).publish('kept.one', 'payload');
    await before.close();
    await first.kill();
    const second = await runNats(storeDir, first.port);
    const after = await connect({ servers: second.url });
    const stream = await (await jetstreamManager(after)).streams.info('KEPT');
    await after.close();
    expect(stream.state.messages).toBe(1);
    expect(second.url).toBe(first.url);
  });

  test('is stopped and taken over after its launcher was killed', async () => {
    const storeDir = join(createTempDir('nats'), 'store');
    const pid = await orphan('nats.ts', `startNats({ storeDir: '${storeDir}' })`);
    expect(commandLine(pid)).toContain(storeDir);
    await runNats(storeDir);
    expect(commandLine(pid)).toBe('');
  });
});

describe('a downloaded nats-server', () => {
  /** A web server with a release archive whose executable is a small script. */
  async function serveRelease() {
    const folder = createTempDir('release');
    mkdirSync(join(folder, 'nats'));
    writeFileSync(join(folder, 'nats', 'nats-server'), '#!/bin/sh\necho "nats-server: v2.11.9"\n');
    await runCommand('tar', ['-czf', 'release.tar.gz', 'nats/nats-server'], { cwd: folder });
    const archive = readFileSync(join(folder, 'release.tar.gz'));
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(archive) });
    cleanups.push(() => server.stop(true));
    const sha256 = createHash('sha256').update(archive).digest('hex');
    return { url: server.url.href, sha256, member: 'nats/nats-server' };
  }

  test('is put in the cache, executable, when its checksum is the pinned one', async () => {
    const target = join(createTempDir('cache'), 'bin', 'nats-server');
    expect(await downloadNatsRelease(target, silent, await serveRelease())).toBe(target);
    expect((await runCommand(target, [])).output).toContain('v2.11.9');
  });

  test('with another checksum is never unpacked, and the next source is asked', async () => {
    const target = join(createTempDir('cache'), 'bin', 'nats-server');
    const release = { ...(await serveRelease()), sha256: '0'.repeat(64) };
    expect(await downloadNatsRelease(target, silent, release)).toBeUndefined();
    expect(existsSync(join(target, '..'))).toBe(false);
  });

  test('that cannot be fetched is no error, so that the next source is asked', async () => {
    const target = join(createTempDir('cache'), 'nats-server');
    const release = { url: `http://127.0.0.1:${await freePort()}/`, sha256: '', member: 'nats-server' };
    expect(await downloadNatsRelease(target, silent, release)).toBeUndefined();
  });
});

describe('redis-server', () => {
  test('answers on its url and is gone after a stop', async () => {
    const server = await startRedis({ dir: createTempDir('redis') });
    cleanups.push(() => server.stop());
    const client = new Bun.RedisClient(server.url);
    expect(await client.ping()).toBe('PONG');
    client.close();
    await server.stop();
    expect(commandLine(server.pid)).toBe('');
  });

  test('is stopped after its launcher was killed', async () => {
    const dir = createTempDir('redis');
    const pid = await orphan('redis.ts', `startRedis({ dir: '${dir}' })`);
    expect(commandLine(pid)).toContain('-server');
    const server = await startRedis({ dir });
    cleanups.push(() => server.stop());
    expect(commandLine(pid)).toBe('');
  });
});

async function run(options: ChildOptions): Promise<RunningChild> {
  const child = await startChild(options);
  cleanups.push(() => child.kill());
  return child;
}

const shell = (script: string) => ({ name: 'script', command: '/bin/sh', args: ['-c', script] });

describe('a child process', () => {
  test('that dies before it is ready is an error with its exit code and last lines', async () => {
    const start = run({ ...shell('echo first; echo the reason >&2; exit 3'), ready: /never/ });
    await expect(start).rejects.toThrow(/exit code 3[\s\S]*the reason/);
  });

  test('that never becomes ready is ended and reported', async () => {
    const pidFile = join(createTempDir('child'), 'pid');
    const start = run({ ...shell('exec sleep 60'), ready: /never/, readyTimeoutMs: 200, pidFile });
    await expect(start).rejects.toThrow('not ready after 200 ms');
    expect(commandLine(Number(readFileSync(pidFile, 'utf8')))).toBe('');
  });

  test('is heard, and stops at the first request, while its log is on a full disk', async () => {
    const heard = Promise.withResolvers<void>();
    const child = await run({
      ...shell('while :; do echo line; sleep 0.01; done'),
      logFile: '/dev/full',
      ownSession: true,
      onLine: () => heard.resolve(),
    });
    await heard.promise;
    expect((await child.stop()).signal).toBe('SIGTERM');
  });

  test('whose pid cannot be recorded on a full disk does not stay behind', async () => {
    const marker = `marker-${crypto.randomUUID()}`;
    const start = run({ ...shell(`sleep 60; echo ${marker}`), pidFile: '/dev/full', ownSession: true });
    await expect(start).rejects.toThrow('ENOSPC');
    const commands = readdirSync('/proc')
      .filter((entry) => /^[0-9]+$/.test(entry))
      .map(Number)
      .map(commandLine);
    expect(commands.filter((command) => command.includes(marker))).toEqual([]);
  });

  test('whose command does not exist is an error that names it', async () => {
    await expect(run({ name: 'nothing', command: '/nonexistent', args: [] })).rejects.toThrow('/nonexistent');
  });

  test('that ignores SIGTERM is killed after the deadline', async () => {
    const child = await run({
      ...shell('trap "" TERM; echo up; while :; do sleep 0.05; done'),
      ready: /up/,
      ownSession: true,
      stopTimeoutMs: 100,
    });
    expect(await child.stop()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await child.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });
});

describe('test databases', () => {
  test('cloned at the same time from one template see nothing of each other', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await one.sql`create table only_here (value int)`;
    const [found] = await two.sql`select to_regclass('only_here') as name`;
    expect(found?.name).toBeNull();
    await one.drop();
    await two.drop();
  });
});

describe('Debian packages', () => {
  const module = join(import.meta.dir, '../../sandbox/services/unpacked-packages.ts');

  /** As an ordinary user, who can write nothing but `folder`. Returns the version that the executable tells. */
  async function unpackAsUser(folder: string, executable: string, packages: string[], systemLists: string) {
    chmodSync(folder, 0o777);
    const source = `import { unpackDebianPackages } from '${module}';
      const options = ${JSON.stringify({ folder, systemLists })};
      console.log(await unpackDebianPackages(${JSON.stringify(packages)}, '${executable}', () => {}, options));`;
    const user = isRoot ? { user: { uid: 65_534, gid: 65_534 } } : {};
    const unpacked = await runCommand(process.execPath, ['-e', source], { ...user, cwd: '/' });
    const path = join(folder, packages[0] ?? '', 'bin', executable);
    expect(unpacked.output.trim()).toBe(path);
    return (await runCommand(path, ['--version'], { ...user, cwd: '/' })).output;
  }

  // Reading the lists takes seconds of CPU each time: one package with each kind.
  test.each([
    [
      'the package lists of the machine',
      '/var/lib/apt/lists',
      'redis-server',
      ['redis-server', 'redis-tools'],
      'Redis server v=',
    ],
    ['no package lists', '/nowhere', 'nats-server', ['nats-server'], 'nats-server: v'],
  ])(
    'are unpacked by an ordinary user with %s, and nothing is installed',
    async (_kind, systemLists, executable, packages, version) => {
      const folder = createTempDir('packages');
      const installed = statSync('/var/lib/dpkg/status').mtimeMs;
      expect(await unpackAsUser(folder, executable, packages, systemLists)).toContain(version);
      expect(statSync('/var/lib/dpkg/status').mtimeMs).toBe(installed);
      expect(readdirSync(folder)).toEqual([executable]);
    },
  );

  test('that do not exist leave nothing behind', async () => {
    const folder = createTempDir('packages');
    // Sources without any package: those of the machine would be downloaded for a second look.
    const configuration = join(createTempDir('apt'), 'apt.conf');
    writeFileSync(configuration, 'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "/dev/null";\n');
    process.env.APT_CONFIG = configuration;
    cleanups.push(async () => void delete process.env.APT_CONFIG);
    const { unpackDebianPackages } = await import(module);
    const options = { folder, systemLists: '/nowhere' };
    expect(await unpackDebianPackages(['no-such-package'], 'none', () => {}, options)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});
