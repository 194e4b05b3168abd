import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readState, type SandboxState } from '../../sandbox/state-file.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createSandboxDir, runBun, startSandbox } from '../support/sandbox/sandbox-process.ts';

const dir = createSandboxDir();
const stateFile = join(dir, 'state.json');
let database: Database;
let lastIntentId: string | null = null;

beforeAll(async () => {
  const { state } = await startSandbox(dir);
  database = connectDatabase(state.databaseUrl, { applicationName: 'test', connections: 1 });
  atEnd(() => database.end());
});

/** The state of the sandbox with an intent that no test has used. */
async function freshState(): Promise<SandboxState & { intentId: string }> {
  const state = await eventually('a fresh intent', async () => {
    const current = readState(stateFile);
    return current?.intentId === lastIntentId ? null : current;
  });
  if (state.intentId === null) throw new Error('the sandbox has no demo intent');
  lastIntentId = state.intentId;
  return { ...state, intentId: state.intentId };
}

test('the example bot signs, submits, sees its confirmation on chain and as a webhook, and finds a fresh intent after it', async () => {
  const { intentId } = await freshState();
  const environment = { LAUNCHWIRE_STATE: stateFile };

  const first = await runBun(['examples/bot.ts'], environment);
  expect(first).toMatchObject({ code: 0 });
  for (const step of ['fetched', 'signed', 'submitted', 'confirmed', 'webhook']) {
    expect(first.output).toMatch(new RegExp(`^${step} +\\d+ ms`, 'm'));
  }
  const event = JSON.parse(first.output.slice(first.output.indexOf('{')));
  expect(event).toMatchObject({
    specversion: '1.0',
    type: 'build.service.transaction_intent.confirmed.v1',
    subject: intentId,
    data: { id: intentId, status: 'confirmed' },
  });
  expect(event.data.transactionSignature).toBeString();

  await freshState();
  expect(await runBun(['examples/bot.ts'], environment)).toMatchObject({ code: 0 });
});

interface Submission {
  key: string | string[] | undefined;
  status: number;
  replayed: string | null;
}

/** Before the api: passes everything on, and spoils what the client gets of the first answer to a submission. */
async function startBreakingProxy(apiOrigin: string, spoil: (answer: ServerResponse, body: Buffer) => void) {
  const submissions: Submission[] = [];
  const server = createServer((request, answer) => {
    // Like a proxy whose other side breaks off: the client sees its connection end.
    passOn(request, answer).catch(() => answer.destroy());
  });
  async function passOn(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const sent = Buffer.concat(await request.toArray());
    const { host: _host, connection: _connection, ...passed } = headers;
    const response = await fetch(apiOrigin + url, {
      method,
      headers: passed as Record<string, string>,
      ...(method === 'POST' && { body: sent }),
    });
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
    const state = await freshState();
    const { intentId } = state;
    const { origin, pathname } = new URL(state.baseUrl);
    const proxy = await startBreakingProxy(origin, spoil);
    const ownState = join(dir, 'bot-state.json');
    writeFileSync(ownState, JSON.stringify({ ...state, baseUrl: proxy.origin + pathname }));

    const bot = await runBun(['examples/bot.ts'], { LAUNCHWIRE_STATE: ownState });
    expect(bot).toMatchObject({ code: 0 });
    expect(bot.output).toMatch(/^webhook +\d+ ms/m);

    const key = `bot-${intentId}`;
    expect(proxy.submissions).toEqual([
      { key, status: 202, replayed: null },
      { key, status: 202, replayed: 'true' },
    ]);
    const [stored] = await database`
    select status || ' v' || version as intent,
      (select count(*)::int from idempotency_records where key = ${key}) as responses,
      (select array_agg(split_part(type, '.', 4) order by id) from events where subject = ${intentId}) as events
    from transaction_intents where id = ${intentId}`;
    expect(stored).toEqual({
      intent: 'confirmed v3',
      responses: 1,
      events: ['prepared', 'submitted', 'confirmed'],
    });
  },
);
