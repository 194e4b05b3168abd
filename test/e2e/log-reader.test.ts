import { describe, expect, test } from 'bun:test';
import { freePort } from '../../sandbox/services/free-port.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { createPausedPipe, type PausedPipe } from '../support/processes/paused-pipe.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { bareEnvironment } from '../support/run/runtime-variables.ts';
import { sharedNatsUrl } from '../support/servers/services.ts';

const root = new URL('../../', import.meta.url).pathname;

function spawnInto(pipe: PausedPipe, args: readonly string[], environment: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...bareEnvironment(), ...environment },
    stdio: ['ignore', 'ignore', pipe.fd],
  });
  atEnd(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  return child;
}

async function startApi(pipe: PausedPipe): Promise<{ origin: string; metricsPort: number }> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${port}`;
  const child = spawnInto(pipe, ['src/api/main.ts'], {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: (await createTestDatabase()).url,
    NATS_URL: await sharedNatsUrl(),
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ACCESS_LOG: 'all',
    RATE_LIMITS: '{"public-read-cheap":{"limit":1000000,"windowSeconds":1}}',
  });
  await eventually('the api', async () => {
    if (child.exitCode !== null) throw new Error(pipe.read());
    return fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { origin, metricsPort };
}

async function droppedLines(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^launchwire_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

describe('a reader of the log that stops', () => {
  test('stops no request; when it is back, lines flow again and the loss is reported exactly', async () => {
    const pipe = createPausedPipe();
    const { origin, metricsPort } = await startApi(pipe);
    expect(await droppedLines(metricsPort)).toBe(0);
    // A log line contains the path of its request. About 1,300 lines fill the pipe and the buffer in memory.
    const path = `/api/v2/tokens/${'a'.repeat(1_800)}`;
    let sent = 0;
    for (let dropped = 0; dropped < 50; dropped = await droppedLines(metricsPort)) {
      await Promise.all(Array.from({ length: 50 }, () => fetch(`${origin}${path}`)));
      sent += 50;
    }
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const dropped = await droppedLines(metricsPort);
    const lines = await pipe.readUntil((line) => line.includes('log.lines_dropped'));
    const parsed = lines.map((line) => JSON.parse(line) as { msg: string; path?: string; lines?: number });
    expect(parsed.at(-1)).toMatchObject({ msg: 'log.lines_dropped', lines: dropped, name: 'api' });
    expect(parsed.filter((line) => line.path?.startsWith('/api/v2/tokens/aaa'))).toHaveLength(sent - dropped);
    await fetch(`${origin}/api/v2/tokens/after`);
    await pipe.readUntil((line) => line.includes('/api/v2/tokens/after'));
    expect(await droppedLines(metricsPort)).toBe(dropped);
  });
});

describe('a process that ends', () => {
  const ending = `
    const { createLogger } = await import('./src/shared/log.ts');
    const { endProcess } = await import('./src/shared/end-process.ts');
    const log = createLogger('test', 'info');
    for (let line = 0; line < 120; line += 1) log.info({ line, text: 'x'.repeat(1_000) }, 'written');
    log.fatal('last');
    await endProcess(3);`;

  test('leaves its last lines to a slow reader', async () => {
    const pipe = createPausedPipe();
    const child = spawnInto(pipe, ['-e', ending]);
    const lines = await pipe.readUntil((line) => line.includes('"last"'));
    expect(lines).toHaveLength(121);
    expect(await child.exited).toBe(3);
  });

  test('does not wait for a reader that has stopped', async () => {
    expect(await spawnInto(createPausedPipe(), ['-e', ending]).exited).toBe(3);
  });
});
