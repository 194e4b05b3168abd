import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { KILL_API_LINE, SandboxApi } from '../../sandbox/inbox/api-process.ts';
import { DemoWallet } from '../../sandbox/inbox/demo-wallet.ts';
import { ReceivedDeliveries } from '../../sandbox/inbox/received-deliveries.ts';
import { serveInbox } from '../../sandbox/inbox/server.ts';

const KEY = 'lw_test_key';
const owner = Keypair.generate();
const mint = Keypair.generate();
interface Asked {
  method: string;
  path: string;
  authorization: string | null;
  key: string | null;
  ifMatch: string | null;
  type: string | null;
  body: string;
}
const asked: Asked[] = [];
/** What the api returns for these paths; an empty list for others. */
const answers = new Map<string, () => Response>();
let kills = 0;
let api: Bun.Server<undefined>;
let inbox: Bun.Server<undefined>;
let origin: string;

beforeAll(() => {
  api = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push({
        method: request.method,
        path: `${pathname}${search}`,
        authorization: request.headers.get('authorization'),
        key: request.headers.get('idempotency-key'),
        ifMatch: request.headers.get('if-match'),
        type: request.headers.get('content-type'),
        body: await request.text(),
      });
      const answer = answers.get(pathname);
      if (answer !== undefined) return answer();
      return Response.json({ data: [] }, { headers: { 'Set-Cookie': 'a=b', 'X-Request-Id': 'one' } });
    },
  });
  inbox = serveInbox({
    port: 0,
    deliveries: new ReceivedDeliveries(),
    secret: Promise.resolve('whsec_none'),
    api: { baseUrl: `http://127.0.0.1:${api.port}/api/v2`, apiKey: KEY },
    wallet: new DemoWallet(bs58.encode(owner.secretKey)),
    apiProcess: {
      isSupervised: () => true,
      kill: async () => {
        kills += 1;
        return { restartedAfterMs: 12 };
      },
    },
  });
  origin = `http://127.0.0.1:${inbox.port}`;
});

afterAll(async () => {
  await inbox.stop(true);
  await api.stop(true);
});

test('the page reads the api with a key that it never gets', async () => {
  const response = await fetch(`${origin}/api/tokens?limit=2`, {
    headers: { Authorization: 'Bearer other' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-request-id')).toBe('one');
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(asked.at(-1)).toMatchObject({ path: '/api/v2/tokens?limit=2', authorization: `Bearer ${KEY}` });
  const files = ['/', '/page.js', '/api.js', '/stream.js', '/launch.html', '/launch.js', '/addresses'];
  for (const path of files) {
    const text = await (await fetch(`${origin}${path}`)).text();
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(bs58.encode(owner.secretKey));
  }
});

test('only reads of the page and requests that repeat a delivery are passed on', async () => {
  const before = asked.length;
  const refused = [
    ['GET', '/api/me'],
    ['GET', '/api/webhook-endpoints/1/pings'],
    ['GET', '/api/events'],
    ['GET', '/api/tokens/a/b/c'],
    ['GET', '/api/../metrics'],
    ['GET', '/api/stream/../me'],
    ['POST', '/api/launches'],
    ['POST', '/api/images/1'],
    ['GET', '/images/1'],
    ['POST', '/wallet/signatures'],
    ['GET', '/wallet/launches'],
    ['POST', '/api/orders'],
    ['DELETE', '/api/orders/1'],
    ['POST', '/api/order-slots'],
    ['DELETE', '/wallet/orders/..%2Fme'],
    ['DELETE', '/api/webhook-endpoints/1'],
    ['GET', '/metrics'],
  ] as const;
  for (const [method, path] of refused) {
    const response = await fetch(`${origin}${path}`, { method, headers: { Origin: origin } });
    expect(response.status, `${method} ${path}`).toBe(404);
  }
  expect(asked).toHaveLength(before);
});

test.each(['replays', 'retries'])(
  '%s are asked for by the page itself, not by a page of another site',
  async (action) => {
    const path = `${origin}/api/webhook-deliveries/1/${action}`;
    const before = asked.length;
    for (const from of ['https://example.com', 'null', undefined]) {
      const headers: Record<string, string> = from === undefined ? {} : { Origin: from };
      expect((await fetch(path, { method: 'POST', headers })).status).toBe(403);
    }
    expect(asked).toHaveLength(before);
    const headers = { Origin: origin, 'Idempotency-Key': 'once' };
    expect((await fetch(path, { method: 'POST', headers })).status).toBe(200);
    expect(asked.at(-1)).toMatchObject({
      method: 'POST',
      path: `/api/v2/webhook-deliveries/1/${action}`,
      key: 'once',
    });
  },
);

test('a picture is uploaded by the page itself, and read without the key and from no other origin', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const upload = (from: string) =>
    fetch(`${origin}/api/images`, {
      method: 'POST',
      headers: { Origin: from, 'Content-Type': 'image/png' },
      body: bytes,
    });
  expect((await upload('https://example.com')).status).toBe(403);
  expect((await upload(origin)).status).toBe(200);
  expect(asked.at(-1)).toMatchObject({
    path: '/api/v2/images',
    type: 'image/png',
    body: '\u0001\u0002\u0003',
  });

  const path = `/images/${'ab'.repeat(32)}`;
  answers.set(
    path,
    () =>
      new Response(bytes, {
        headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=31536000, immutable' },
      }),
  );
  const image = await fetch(`${origin}${path}`);
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(image.headers.get('cache-control')).toContain('immutable');
  expect(image.headers.get('content-security-policy')).toContain("img-src 'self'");
  expect(asked.at(-1)).toMatchObject({ path, authorization: null });
});

/** A transaction of two signers, of which the mint has signed. */
function prepared(): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: owner.publicKey,
    recentBlockhash: Keypair.generate().publicKey.toBase58(),
    instructions: [
      SystemProgram.createAccount({
        fromPubkey: owner.publicKey,
        newAccountPubkey: mint.publicKey,
        lamports: 1,
        space: 0,
        programId: SystemProgram.programId,
      }),
    ],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([mint]);
  return transaction;
}

const inBase64 = (transaction: VersionedTransaction) =>
  Buffer.from(transaction.serialize()).toString('base64');

describe('a launch by the wallet of the sandbox', () => {
  const launchAs = (from: string, body = '{"name":"Copper"}') =>
    fetch(`${origin}/wallet/launches`, {
      method: 'POST',
      headers: { Origin: from, 'Content-Type': 'application/json', 'Idempotency-Key': 'one-launch' },
      body,
    });

  test('is prepared by the api, signed here, and submitted once', async () => {
    const transaction = prepared();
    const intent = { id: 'intent-1', version: 3, serializedTransaction: inBase64(transaction) };
    answers.set('/api/v2/launches', () => Response.json({ id: 'launch-1', intent }, { status: 201 }));
    answers.set('/api/v2/transaction-intents/intent-1/submissions', () =>
      Response.json({ id: 'intent-1', status: 'confirmed' }, { status: 202 }),
    );
    for (const _ of [1, 2]) {
      const before = asked.length;
      const response = await launchAs(origin);
      expect(response.status).toBe(201);
      expect(await response.json()).toEqual({
        record: { id: 'launch-1' },
        intent: { id: 'intent-1', status: 'confirmed' },
      });
      const [preparation, submission] = asked.slice(before);
      expect(preparation).toMatchObject({
        path: '/api/v2/launches',
        key: 'one-launch',
        body: '{"name":"Copper"}',
      });
      expect(submission).toMatchObject({ key: 'submit-intent-1', ifMatch: '"3"' });
      const { signedTransaction } = JSON.parse(submission?.body ?? '');
      const signed = VersionedTransaction.deserialize(Buffer.from(signedTransaction, 'base64'));
      expect(signed.message.serialize()).toEqual(transaction.message.serialize());
      expect(signed.signatures[1]).toEqual(transaction.signatures[1] ?? expect.unreachable());
      expect(signed.signatures[0]?.some((byte) => byte !== 0)).toBe(true);
    }
  });

  test('is asked for by the page itself, in JSON', async () => {
    const before = asked.length;
    expect((await launchAs('https://example.com')).status).toBe(403);
    expect((await launchAs('null')).status).toBe(403);
    expect((await launchAs(origin, 'name=Copper')).status).toBe(400);
    expect(asked).toHaveLength(before);
  });

  test('shows the refusal of the api as it is', async () => {
    const problem = { code: 'launch_refused', detail: 'The wallet has too little SOL.' };
    answers.set('/api/v2/launches', () => Response.json(problem, { status: 409 }));
    const response = await launchAs(origin);
    expect(response.status).toBe(409);
    expect(await response.json()).toEqual(problem);
  });
});

describe('an order by the wallet of the sandbox', () => {
  const ORDER_ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
  const fields = { mint: 'mint', side: 'buy', amountRaw: '1' };
  const request = (method: string, path: string, from: string, key: string, body?: string) =>
    fetch(`${origin}${path}`, {
      method,
      headers: { Origin: from, 'Idempotency-Key': key },
      ...(body !== undefined && { body }),
    });
  const place = (key: string, from = origin) =>
    request('POST', '/wallet/orders', from, key, JSON.stringify(fields));
  const changes = (from: number) =>
    asked.slice(from).filter(({ method, path }) => method !== 'GET' || path.includes('/order-slots/'));

  beforeAll(() => {
    const slot = { id: 'slot-1', status: 'pending' };
    const intent = { id: 'intent-2', version: 1, serializedTransaction: inBase64(prepared()) };
    answers.set('/api/v2/order-slots/slot-1', () => Response.json({ ...slot, status: 'ready' }));
    answers.set('/api/v2/order-slots', () =>
      asked.at(-1)?.method === 'POST' ? Response.json({ ...slot, intent }) : Response.json({ data: [] }),
    );
    for (const id of ['intent-2', 'intent-3'])
      answers.set(`/api/v2/transaction-intents/${id}/submissions`, () =>
        Response.json({ id, status: 'confirmed' }, { status: 202 }),
      );
    answers.set('/api/v2/orders', () =>
      asked.at(-1)?.method === 'POST'
        ? Response.json({
            id: ORDER_ID,
            transactions: ['curve', 'amm'].map((id) => ({ id, serializedTransaction: inBase64(prepared()) })),
          })
        : Response.json({ data: [{ id: 'other', slotId: 'slot-2', status: 'open' }] }),
    );
    answers.set(`/api/v2/orders/${ORDER_ID}/signatures`, () =>
      Response.json({ id: ORDER_ID, status: 'open' }),
    );
  });

  test('gets a slot of its own, has every variant signed, and is placed once however often it is asked for', async () => {
    const before = asked.length;
    const responses = await Promise.all([place('one-order'), place('one-order')]);
    for (const response of responses) {
      expect(response.status).toBe(201);
      expect(await response.json()).toEqual({ id: ORDER_ID, status: 'open' });
    }
    const [slot, submission, ready, order, signatures, ...more] = changes(before);
    expect(more).toEqual([]);
    expect(slot).toMatchObject({ path: '/api/v2/order-slots', key: 'slot-one-order' });
    expect(submission).toMatchObject({ key: 'submit-intent-2', ifMatch: '"1"' });
    expect(ready?.path).toBe('/api/v2/order-slots/slot-1');
    expect(order).toMatchObject({ path: '/api/v2/orders', key: 'one-order' });
    expect(JSON.parse(order?.body ?? '')).toEqual({ ...fields, slotId: 'slot-1' });
    const { transactions } = JSON.parse(signatures?.body ?? '');
    expect(transactions.map(({ id }: { id: string }) => id)).toEqual(['curve', 'amm']);
    for (const { signedTransaction } of transactions) {
      const signed = VersionedTransaction.deserialize(Buffer.from(signedTransaction, 'base64'));
      expect(signed.signatures[0]?.some((byte) => byte !== 0)).toBe(true);
    }
  });

  test('takes a ready slot that no open order uses', async () => {
    const slots = [
      { id: 'slot-2', status: 'ready' },
      { id: 'slot-3', status: 'closed' },
      { id: 'slot-4', status: 'ready' },
    ];
    answers.set('/api/v2/order-slots', () => Response.json({ data: slots }));
    const before = asked.length;
    expect((await place('second-order')).status).toBe(201);
    const [order] = changes(before);
    expect(JSON.parse(order?.body ?? '')).toMatchObject({ slotId: 'slot-4' });
  });

  test('is cancelled with the advance of its nonce, when there is one to sign', async () => {
    const intent = { id: 'intent-3', version: 1, serializedTransaction: inBase64(prepared()) };
    const cancelled = { order: { id: ORDER_ID, status: 'cancelled' } };
    for (const advance of [intent, null]) {
      answers.set(`/api/v2/orders/${ORDER_ID}`, () => Response.json({ ...cancelled, intent: advance }));
      const before = asked.length;
      const response = await request('DELETE', `/wallet/orders/${ORDER_ID}`, origin, 'cancel');
      expect(await response.json()).toMatchObject({ record: cancelled });
      expect(changes(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
        `DELETE /api/v2/orders/${ORDER_ID}`,
        ...(advance === null ? [] : ['POST /api/v2/transaction-intents/intent-3/submissions']),
      ]);
    }
  });

  test('is placed and cancelled by the page itself', async () => {
    const before = asked.length;
    expect((await place('third-order', 'https://example.com')).status).toBe(403);
    const path = `/wallet/orders/${ORDER_ID}`;
    expect((await request('DELETE', path, 'https://example.com', 'cancel')).status).toBe(403);
    expect(asked).toHaveLength(before);
  });

  test('shows the refusal of the api, and the next order is placed all the same', async () => {
    const problem = { code: 'order_limit_reached', detail: 'Too many.' };
    const accepts = answers.get('/api/v2/orders') ?? expect.unreachable();
    answers.set('/api/v2/orders', () =>
      asked.at(-1)?.method === 'POST' ? Response.json(problem, { status: 409 }) : accepts(),
    );
    const refused = await place('fourth-order');
    expect([refused.status, await refused.json()]).toEqual([409, problem]);
    answers.set('/api/v2/orders', accepts);
    expect((await place('fifth-order')).status).toBe(201);
  });
});

describe('the api of the sandbox', () => {
  const kill = (from: string | null, at = origin, method = 'POST') =>
    fetch(`${at}/api-process/kills`, { method, headers: from === null ? {} : { Origin: from } });

  test('is killed by the page itself, not by a page of another site or a program without an origin', async () => {
    for (const from of ['https://example.com', 'null', null]) expect((await kill(from)).status).toBe(403);
    expect(kills).toBe(0);
    const response = await kill(origin);
    expect([response.status, await response.json()]).toEqual([200, { restartedAfterMs: 12 }]);
    expect(kills).toBe(1);
    expect((await kill(origin, origin, 'GET')).status).toBe(404);
    expect(kills).toBe(1);
  });

  test('cannot be killed where nothing starts it again', async () => {
    const alone = serveInbox({
      port: 0,
      deliveries: new ReceivedDeliveries(),
      secret: Promise.resolve('whsec_none'),
      api: { baseUrl: `http://127.0.0.1:${api.port}/api/v2`, apiKey: KEY },
    });
    try {
      const at = `http://127.0.0.1:${alone.port}`;
      expect((await kill(at, at)).status).toBe(409);
      expect(await (await fetch(`${at}/addresses`)).json()).toMatchObject({ canKillApi: false });
    } finally {
      await alone.stop(true);
    }
  });

  test('is asked of the launcher that started this process, and of no other', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'inbox-')), 'state.json');
    const write = (pids: object) => writeFileSync(file, JSON.stringify({ pids }));
    const lines: string[] = [];
    const sandboxApi = new SandboxApi(file, (line) => {
      lines.push(line);
      write({ launcher: process.ppid, api: 11 });
    });
    expect(sandboxApi.isSupervised()).toBe(false);
    for (const pids of [{ launcher: process.pid, api: 10 }, { launcher: process.ppid }]) {
      write(pids);
      expect(sandboxApi.isSupervised()).toBe(false);
      expect(await sandboxApi.kill(AbortSignal.timeout(10_000))).toBeNull();
    }
    expect(lines).toEqual([]);
    write({ launcher: process.ppid, api: 10 });
    expect(sandboxApi.isSupervised()).toBe(true);
    expect(await sandboxApi.kill(AbortSignal.timeout(10_000))).toEqual({
      restartedAfterMs: expect.any(Number),
    });
    expect(lines).toEqual([KILL_API_LINE]);
  });
});

test('a foreign host name that resolves here reads nothing', async () => {
  const response = await fetch(`${origin}/api/tokens`, { headers: { Host: 'example.com' } });
  expect(response.status).toBe(421);
});

test('while the api is away the page gets 502', async () => {
  const away = serveInbox({
    port: 0,
    deliveries: new ReceivedDeliveries(),
    secret: Promise.resolve('whsec_none'),
    api: { baseUrl: 'http://127.0.0.1:1/api/v2', apiKey: KEY },
  });
  try {
    expect((await fetch(`http://127.0.0.1:${away.port}/api/tokens`)).status).toBe(502);
  } finally {
    await away.stop(true);
  }
});
