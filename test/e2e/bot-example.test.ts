import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SandboxState } from '../../sandbox/shared/state-file.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { installPackedClient } from '../support/client/packed-client.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';
import { useSandbox } from '../support/sandbox/shared-sandbox.ts';

const STEPS = ['quoted', 'prepared', 'submitted', 'confirmed', 'filled', 'cost', 'traded', 'webhook'];

const dir = createTempDir('bot');
let stateFile: string;
let database: Database;
let state: SandboxState;

beforeAll(async () => {
  ({ state, stateFile } = await useSandbox());
  database = connectDatabase(state.databaseUrl, { applicationName: 'test', connections: 1 });
  atEnd(() => database.end());
});

/** The intent with which the bot traded. It prepares another one when the market moves too far, so the last
 * one counts. */
function intentOf(output: string): string {
  return [...output.matchAll(/^prepared .* intent ([0-9a-f-]{36})$/gm)].at(-1)?.[1] ?? '';
}

test('the example bot quotes, swaps, signs, submits, and sees its trade and its webhook, again and again, and knows no database', async () => {
  // The bot gets only these values.
  const { baseUrl, apiKey, wallet, inboxUrl, mint } = state;
  const ownState = join(dir, 'bot-only.json');
  writeFileSync(ownState, JSON.stringify({ baseUrl, apiKey, wallet, inboxUrl, mint }));
  const environment = { LAUNCHWIRE_STATE: ownState };

  const first = await runBun(['examples/bot.ts'], environment);
  expect(first).toMatchObject({ code: 0 });
  for (const step of STEPS) expect(first.output).toMatch(new RegExp(`^${step} +\\d+ ms`, 'm'));
  const [, roundTrips = ''] = /^landed .* (\d+) round trips/m.exec(first.output) ?? [];
  const preparations = [...first.output.matchAll(/^prepared /gm)].length;
  // A refused preparation is one more.
  expect(Number(roundTrips)).toBeGreaterThanOrEqual(2 * preparations);
  if (preparations === 1) expect(Number(roundTrips)).toBeLessThanOrEqual(2 + 4);
  const event = JSON.parse(first.output.slice(first.output.indexOf('{')));
  const intentId = intentOf(first.output);
  expect(event).toMatchObject({
    specversion: '1.0',
    type: 'build.service.transaction_intent.confirmed.v1',
    subject: intentId,
    data: { id: intentId, kind: 'swap', status: 'confirmed' },
  });
  expect(event.data.transactionSignature).toBeString();
  expect(await runBun(['examples/bot.ts'], { LAUNCHWIRE_STATE: stateFile })).toMatchObject({ code: 0 });
});

test('the same bot runs on Node', async () => {
  // Users install the package from its tarball. The example runs as JavaScript, because old versions of
  // Node cannot read types.
  const { folder } = await installPackedClient();
  const source = await Bun.file('examples/bot.ts').text();
  const script = join(folder, 'bot.mjs');
  writeFileSync(script, new Bun.Transpiler({ loader: 'ts', target: 'node' }).transformSync(source));
  const node = Bun.spawn(['node', script], {
    cwd: folder,
    env: { ...process.env, LAUNCHWIRE_STATE: stateFile },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  expect(await new Response(node.stdout).text()).toMatch(/^webhook +\d+ ms/m);
  expect(await node.exited).toBe(0);
});

test('a bot without a sandbox says how to start one', async () => {
  const { code, output } = await runBun(['examples/bot.ts'], { LAUNCHWIRE_STATE: join(dir, 'none.json') });
  expect(code).toBe(1);
  expect(output).toContain('start the sandbox first, with npm start');
});

interface Submission {
  key: string | string[] | undefined;
  status: number;
  replayed: string | null;
}

/** A proxy for the api that forwards everything, but spoils the first response to a submission. */
async function startBreakingProxy(apiOrigin: string, spoil: (answer: ServerResponse, body: Buffer) => void) {
  const submissions: Submission[] = [];
  const server = createServer((request, answer) => {
    // The client sees its connection end, as when a proxy loses its server.
    passOn(request, answer).catch(() => answer.destroy());
  });
  async function passOn(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const sent = Buffer.concat(await request.toArray());
    const { host: _host, connection: _connection, ...passed } = headers;
    const gone = new AbortController();
    answer.once('close', () => gone.abort());
    const response = await fetch(apiOrigin + url, {
      method,
      signal: gone.signal,
      headers: passed as Record<string, string>,
      ...(method === 'POST' && { body: sent }),
    });
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      answer.writeHead(response.status, { 'content-type': 'text/event-stream' });
      for await (const chunk of response.body ?? []) answer.write(chunk);
      return void answer.end();
    }
    const body = Buffer.from(await response.arrayBuffer());
    if (url.endsWith('/submissions')) {
      const replayed = response.headers.get('idempotent-replayed');
      submissions.push({ key: headers['idempotency-key'], status: response.status, replayed });
      if (submissions.length === 1) return spoil(answer, body);
    }
    const { connection: _, ...shown } = Object.fromEntries(response.headers);
    answer.writeHead(response.status, shown).end(body);
  }
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, submissions };
}

test.each<[string, (answer: ServerResponse, body: Buffer) => void]>([
  ['is dropped instead of the answer', (answer) => void answer.socket?.destroy()],
  [
    'breaks in the middle of the answer',
    (answer, body) => {
      answer.writeHead(202, { 'content-type': 'application/json', 'content-length': body.byteLength });
      answer.write(body.subarray(0, body.byteLength / 2), () => answer.socket?.destroy());
    },
  ],
])(
  'a bot whose connection %s repeats under the same key, and nothing happens twice',
  async (_name, spoil) => {
    const { origin, pathname } = new URL(state.baseUrl);
    const proxy = await startBreakingProxy(origin, spoil);
    const ownState = join(dir, 'bot-state.json');
    writeFileSync(ownState, JSON.stringify({ ...state, baseUrl: proxy.origin + pathname }));

    const bot = await runBun(['examples/bot.ts'], { LAUNCHWIRE_STATE: ownState });
    expect(bot).toMatchObject({ code: 0 });
    expect(bot.output).toMatch(/^webhook +\d+ ms/m);

    const intentId = intentOf(bot.output);
    const key = String(proxy.submissions[0]?.key);
    expect(key).toBe(`submit-${intentId}`);
    expect(proxy.submissions).toEqual([
      { key, status: 202, replayed: null },
      { key, status: 202, replayed: 'true' },
    ]);
    const [stored] = await database`
    select status,
      (select count(*)::int from idempotency_records where key = ${key}) as responses,
      (select array_agg(split_part(type, '.', 4) order by recorded_in, id) from events
        where subject = ${intentId} and type not like '%.finalized.v1') as events
    from transaction_intents where id = ${intentId}`;
    expect(stored).toEqual({
      status: 'confirmed',
      responses: 1,
      events: ['prepared', 'submitted', 'confirmed'],
    });
  },
);
