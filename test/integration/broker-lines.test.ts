import { beforeAll, expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { lookUps } from '../../src/shared/bus/managers.ts';
import { consumers, EVENT_STREAM } from '../../src/shared/bus/topology.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { bareEnvironment } from '../support/run/runtime-variables.ts';
import { createTestNats, type TestNats } from '../support/servers/nats.ts';

interface Line extends Record<string, unknown> {
  level: number;
  msg: string;
}

const WARN = 40;
const programs = { worker: 'src/worker/main.ts', relay: 'relay/main.ts', api: 'src/api/main.ts' } as const;
let nats: TestNats;
let environment: Record<string, string>;

beforeAll(async () => {
  nats = await createTestNats();
  const { url } = await createTestDatabase();
  environment = {
    DATABASE_URL: url,
    NATS_URL: nats.url,
    SOLANA_RPC_URL: 'http://127.0.0.1:1',
    SOLANA_WS_URL: 'off',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: 'https://api.example.test',
    HOST: '127.0.0.1',
    PORT: '0',
  };
});

/** Starts a process, and collects the lines of its log. */
function start(program: keyof typeof programs): Line[] {
  const lines: Line[] = [];
  const child = Bun.spawn(
    [process.execPath, fileURLToPath(new URL(`../../${programs[program]}`, import.meta.url))],
    { env: { ...bareEnvironment(), ...environment }, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  );
  atEnd(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  void (async () => {
    let rest = '';
    for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) {
      const parts = `${rest}${piece}`.split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts.filter((text) => text.startsWith('{'))) lines.push(JSON.parse(part) as Line);
    }
  })();
  return lines;
}

const has = (lines: readonly Line[], msg: string) => lines.some((line) => line.msg === msg);

test('a relay that starts before the first worker waits for its streams with one line, and every process logs loss and return of the broker with its server', async () => {
  const relay = start('relay');
  await eventually('the relay waits', async () => has(relay, 'consumer.stream_awaited'));
  const all = { relay, worker: start('worker'), api: start('api') };
  const connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  await eventually('the relay has its consumers', async () => {
    const { consumers: known } = await lookUps(connection);
    const both = [consumers.relayPublic, consumers.relayAccount].map(({ name }) =>
      known.info(EVENT_STREAM, name),
    );
    return (await Promise.allSettled(both)).every(({ status }) => status === 'fulfilled');
  });
  await eventually(
    'all are there',
    async () => has(all.worker, 'worker.started') && has(all.api, 'api.listening'),
  );
  expect(relay.filter(({ msg }) => msg === 'consumer.stream_awaited')).toHaveLength(1);
  // That a busy broker takes a second for an answer is no warning about its streams.
  const isLate = (line: Line) => line.msg === 'loop.failed' && /timeout/i.test(JSON.stringify(line));
  expect(relay.filter((line) => line.level >= WARN && !isLate(line))).toEqual([]);

  await nats.restart();
  const server = new URL(nats.url).host;
  for (const [process, lines] of Object.entries(all)) {
    await eventually(`${process} is connected again`, async () => has(lines, 'bus.reconnected'));
    for (const msg of ['bus.disconnected', 'bus.reconnected'])
      expect(lines.find((line) => line.msg === msg)).toMatchObject({
        server,
        serverName: expect.any(String),
      });
  }
});
