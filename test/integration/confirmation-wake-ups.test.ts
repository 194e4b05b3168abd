import { beforeEach, expect, test } from 'bun:test';
import type { StreamTimes } from '../../src/chain/streams/keep-connected.ts';
import { SignatureWakeUps } from '../../src/chain/streams/signature-wake-ups.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { intentWatcher } from '../../src/intents/confirm/watch-intents.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { forwardRpc } from '../support/chain/forward-rpc.ts';
import { pacedSlot } from '../support/chain/nominal-pace.ts';
import { SignatureSocket } from '../support/chain/signature-socket.ts';
import { startSubmittedIntents } from '../support/intents/submitted-intent.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { eventsOf, silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';

// No poll runs in this file unless a test calls it: intents end by wake-ups.
/** A process may stand still for some seconds, and its node is not silent for that. */
const FAST: StreamTimes = { silenceMs: 30_000, firstBackoffMs: 20, lastBackoffMs: 100, distrustMs: 100 };
const { chain, db, submit, intent, context, broadcast, clear } = await startSubmittedIntents();
const nats = await createTestNats();
const connection = await connectBus(nats.url, 'test');
atEnd(() => connection.close());

beforeEach(clear);

interface WatchOptions {
  rpcUrls?: readonly string[];
  head?: () => bigint | null;
  times?: StreamTimes;
}

/** A worker that watches submitted intents over these sockets. */
async function watching(
  urls: readonly string[],
  use: (wakeUps: SignatureWakeUps) => Promise<void>,
  { rpcUrls = [chain.rpcUrl], head = () => null, times = FAST }: WatchOptions = {},
): Promise<void> {
  const stop = new AbortController();
  const wakeUps = new SignatureWakeUps({ urls, head: () => pacedSlot(head()), log: silentLog, times });
  const watcher = intentWatcher({ context: context(...rpcUrls), connection, wakeUps, log: silentLog });
  const running = runTestJob(watcher, { signal: stop.signal });
  try {
    await use(wakeUps);
  } finally {
    stop.abort();
    await running;
  }
}

/** Submitted, sent, and subscribed to by the worker. */
async function subscribed(socket: SignatureSocket, shape?: Parameters<typeof submit>[0]) {
  const submitted = await submit(shape);
  connection.publish(hints.statusChanged, submitted.id);
  await broadcast(chain.rpcUrl);
  await eventually('subscribed', async () => socket.subscribed.includes(submitted.signature));
  return submitted;
}

const isEnded = (id: string, status: string) =>
  eventually(`${id} is ${status}`, async () => (await intent(id)).status === status);

test('a notification of the chain confirms the intent, once, and nothing is left subscribed', async () => {
  await watching([chain.socketUrl], async (wakeUps) => {
    const { id, signature } = await submit();
    await broadcast(chain.rpcUrl);
    await eventually('subscribed', async () => wakeUps.states[0]?.subscriptions === 1);
    expect(await intent(id)).toMatchObject({ status: 'submitted' });
    chain.advanceSlots(1);
    await isEnded(id, 'confirmed');
    expect(await intent(id)).toMatchObject({ transactionSignature: signature, version: 3 });
    expect(await eventsOf(db)).toEqual([`transaction_intent.confirmed ${id}`]);
    await eventually('ended', async () => wakeUps.states[0]?.subscriptions === 0);
    // It is counted after the commit that ends the intent.
    await eventually('counted', async () => wakeUps.states[0]?.proven === 1);
    expect(wakeUps.states[0]).toMatchObject({ proven: 1, unproven: 0, missed: 0, refused: 0 });
  });
});

test('a wake-up and a poll write the same record and the same event', async () => {
  const [woken, polled] = [await submit(), await submit({ lamports: 5_000_000 })];
  await broadcast(chain.rpcUrl);
  const socket = new SignatureSocket();
  await watching([socket.url], async () => {
    await eventually('subscribed', async () => socket.subscribed.length === 2);
    chain.advanceSlots(1);
    socket.notify(woken.signature);
    await isEnded(woken.id, 'confirmed');
  });
  await confirmSubmitted(context(chain.rpcUrl));
  const rows = await db`
    select i.*, e.type, e.account_id as event_account_id, e.created_at as event_created_at, e.traceparent, e.body
    from transaction_intents i join events e on e.subject = i.id::text where i.id in (${woken.id}, ${polled.id})`;
  const [first, second] = [woken, polled].map(({ id, signature }) => {
    const { body, ...row } = rows.find((candidate) => candidate.id === id) ?? {};
    const { id: _eventId, ...event } = JSON.parse(body);
    const text = JSON.stringify({ row, event }, (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    return text.replaceAll(id, '<id>').replaceAll(signature, '<signature>');
  });
  // They differ in their bytes, which the record keeps.
  const withoutBytes = (text = '') => text.replaceAll(/"(prepared|signed)Transaction":\{[^}]*\}/g, '');
  expect(withoutBytes(first)).toBe(withoutBytes(second));
  expect(withoutBytes(first)).toContain('<signature>');
});

test('a transaction that is confirmed before the worker subscribes is found too', async () => {
  const { id } = await submit();
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(3);
  await watching([chain.socketUrl], () => isEnded(id, 'confirmed').then(() => {}));
});

test('an intent that a hint names is subscribed to, whenever it was submitted', async () => {
  const socket = new SignatureSocket();
  await watching([socket.url], async (wakeUps) => {
    await subscribed(socket);
    const { id, signature } = await submit();
    // Older than what is looked for by time.
    await db`update intent_broadcasts set created_at = created_at - interval '1 hour' where intent_id = ${id}`;
    connection.publish(hints.statusChanged, `${crypto.randomUUID()},${id}`);
    await eventually('subscribed', async () => socket.subscribed.includes(signature));
    expect(wakeUps.states[0]).toMatchObject({ subscriptions: 2 });
  });
});

test('a transaction that landed and failed ends as failed, with its detail', async () => {
  await watching([chain.socketUrl], async (wakeUps) => {
    const { id } = await submit({ lamports: 1_000_000_000_000 });
    await broadcast(chain.rpcUrl);
    await eventually('subscribed', async () => wakeUps.states[0]?.subscriptions === 1);
    chain.advanceSlots(1);
    await isEnded(id, 'failed');
    const { errorCode, errorDetail } = await intent(id);
    expect(errorCode).toBe('solana_transaction_failed');
    expect(errorDetail).toContain('ResultWithNegativeLamports');
  });
});

test('one node that reports a failure ends nothing where two have to agree', async () => {
  const socket = new SignatureSocket();
  const behind = chain.addNode({ hideStatuses: true });
  atEnd(() => behind.stop());
  const rpcUrls = [chain.rpcUrl, behind.rpcUrl];
  await watching(
    [socket.url],
    async (wakeUps) => {
      const failing = await subscribed(socket, { lamports: 1_000_000_000_000 });
      const good = await subscribed(socket);
      chain.advanceSlots(1);
      socket.notify(failing.signature);
      socket.notify(good.signature);
      await isEnded(good.id, 'confirmed');
      // The last of the reads of a notification that no node bears out comes after those of the failing one.
      const absent = await subscribed(socket);
      chain.setFaults({ hideStatuses: true });
      socket.notify(absent.signature);
      await eventually('judged', async () => wakeUps.states[0]?.unproven === 1);
      expect(await intent(failing.id)).toMatchObject({ status: 'submitted', version: 2 });
      behind.setFaults({});
      chain.setFaults({});
      await confirmSubmitted(context(...rpcUrls));
      expect(await intent(failing.id)).toMatchObject({ status: 'failed' });
    },
    { rpcUrls },
  );
});

test('a notification that comes several times confirms once', async () => {
  const socket = new SignatureSocket();
  await watching([socket.url, socket.url], async () => {
    const { id, signature } = await subscribed(socket);
    chain.advanceSlots(1);
    socket.notify(signature, { times: 5 });
    await isEnded(id, 'confirmed');
    expect(await intent(id)).toMatchObject({ version: 3 });
    expect(await eventsOf(db)).toEqual([`transaction_intent.confirmed ${id}`]);
  });
});

test('a lying socket changes nothing, is abandoned, and does not block an honest one', async () => {
  const liar = new SignatureSocket();
  const honest = new SignatureSocket();
  chain.setFaults({ dropSends: 'all' });
  await watching([liar.url, honest.url], async (wakeUps) => {
    const submitted = await Promise.all(
      Array.from({ length: 8 }, (_, at) => submit({ lamports: 2_000_000 + at })),
    );
    await eventually('subscribed', async () => liar.subscribed.length === 8);
    for (const { signature } of submitted) liar.notify(signature);
    await eventually('left', async () => wakeUps.states[0]?.left.lying === 1);
    expect(wakeUps.states[0]).toMatchObject({ proven: 0, unproven: 8 });
    expect(wakeUps.states[1]).toMatchObject({ isUp: true, unproven: 0 });
    for (const { id } of submitted)
      expect(await intent(id)).toMatchObject({ status: 'submitted', version: 2 });
    const [first] = submitted;
    if (first === undefined) throw new Error('nothing was submitted');
    chain.setFaults({});
    await Bun.fetch(chain.rpcUrl, { method: 'POST', body: sendBody(first.bytes) });
    chain.advanceSlots(1);
    honest.notify(first.signature);
    await isEnded(first.id, 'confirmed');
  });
});

function sendBody(bytes: Uint8Array): string {
  const wire = Buffer.from(bytes).toString('base64');
  const params = [wire, { encoding: 'base64', skipPreflight: true }];
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params });
}

test('a node that knows a transaction a moment later than its socket says is read again', async () => {
  const socket = new SignatureSocket();
  let reads = 0;
  const node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text();
      if (!body.includes('getSignatureStatuses')) return forwardRpc(chain.rpcUrl, request, body);
      reads += 1;
      chain.setFaults({ hideStatuses: reads <= 2 });
      return forwardRpc(chain.rpcUrl, request, body);
    },
  });
  atEnd(() => node.stop(true));
  await watching(
    [socket.url],
    async (wakeUps) => {
      const { id, signature } = await subscribed(socket);
      chain.advanceSlots(1);
      socket.notify(signature);
      await isEnded(id, 'confirmed');
      expect(reads).toBe(3);
      expect(wakeUps.states[0]).toMatchObject({ unproven: 0 });
    },
    { rpcUrls: [`http://127.0.0.1:${node.port}`] },
  );
});

test('a socket whose slots are far ahead of the believed head wakes nobody', async () => {
  const socket = new SignatureSocket({ slot: () => 1_000_000n });
  const { id, signature } = await submit();
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(1);
  await watching(
    [socket.url],
    async (wakeUps) => {
      await eventually('asked', async () => socket.asked.length > 0);
      socket.notify(signature);
      await eventually('left', async () => (wakeUps.states[0]?.left.lying ?? 0) >= 2);
      expect(await intent(id)).toMatchObject({ status: 'submitted' });
      expect(wakeUps.states[0]).toMatchObject({ isUp: false, proven: 0 });
    },
    { head: () => chain.ledger.slot },
  );
});

test('after a lost connection every open signature is subscribed again', async () => {
  const socket = new SignatureSocket();
  await watching([socket.url], async (wakeUps) => {
    const first = await subscribed(socket);
    const second = await subscribed(socket);
    socket.hangUp();
    await eventually('again', async () => socket.connections === 2 && socket.subscribed.length === 2);
    expect(wakeUps.states[0]?.left.ended).toBe(1);
    chain.advanceSlots(1);
    for (const { id, signature } of [first, second]) {
      socket.notify(signature);
      await isEnded(id, 'confirmed');
    }
  });
});

test('a node that acknowledges and stays silent is abandoned, and used again when it sends', async () => {
  chain.setFaults({ silentSockets: true });
  await watching(
    [chain.socketUrl],
    async (wakeUps) => {
      const { id } = await submit();
      await broadcast(chain.rpcUrl);
      chain.advanceSlots(1);
      await eventually('left', async () => (wakeUps.states[0]?.left.silent ?? 0) >= 2);
      expect(await intent(id)).toMatchObject({ status: 'submitted' });
      chain.setFaults({});
      await isEnded(id, 'confirmed');
    },
    { times: { ...FAST, silenceMs: 1_000 } },
  );
});

test('a node that reports slots and no signature is counted and abandoned', async () => {
  const socket = new SignatureSocket();
  await watching([socket.url], async (wakeUps) => {
    for (let count = 0; count < 8; count += 1) await subscribed(socket, { lamports: 3_000_000 + count });
    chain.advanceSlots(1);
    await confirmSubmitted(context(chain.rpcUrl));
    await eventually('left', async () => wakeUps.states[0]?.left.silent === 1);
    expect(wakeUps.states[0]).toMatchObject({ missed: 8, proven: 0 });
  });
});

test('an intent that a poll has ended is unsubscribed', async () => {
  const socket = new SignatureSocket();
  await watching([socket.url], async (wakeUps) => {
    const { signature } = await subscribed(socket);
    const other = await subscribed(socket);
    await db`update transaction_intents set status = 'failed', error_code = 'solana_blockhash_expired', error_detail = '',
      completed_at = now() where id = ${other.id}`;
    chain.advanceSlots(1);
    await confirmSubmitted(context(chain.rpcUrl));
    await eventually('unsubscribed', async () => socket.ended.length === 2);
    expect(socket.ended.toSorted()).toEqual([signature, other.signature].toSorted());
    // Only what landed should have been reported.
    expect(wakeUps.states[0]).toMatchObject({ missed: 1, subscriptions: 0 });
  });
});

test('a node with fewer places gets the next signature when one comes free', async () => {
  const socket = new SignatureSocket({ places: 2 });
  await watching([socket.url], async (wakeUps) => {
    const first = await subscribed(socket);
    await subscribed(socket);
    const third = await submit();
    await broadcast(chain.rpcUrl);
    await eventually('refused', async () => wakeUps.states[0]?.refused === 1);
    expect(wakeUps.states[0]).toMatchObject({ isUp: true, subscriptions: 2 });
    chain.advanceSlots(1);
    socket.notify(first.signature);
    await eventually('a place', async () => socket.subscribed.includes(third.signature));
    socket.notify(third.signature);
    await isEnded(third.id, 'confirmed');
    expect(wakeUps.states[0]).toMatchObject({ refused: 1 });
  });
});

test('a node without signatureSubscribe is left', async () => {
  const socket = new SignatureSocket({ places: 0 });
  await submit();
  await watching([socket.url], async (wakeUps) => {
    await eventually('left', async () => (wakeUps.states[0]?.left.ended ?? 0) >= 2);
  });
});

test.each([
  [
    'a notification without a slot',
    { method: 'signatureNotification', params: { subscription: 1, result: {} } },
  ],
  ['a slot that is no number', { method: 'slotNotification', params: { result: { slot: '1' } } }],
  ['more than a notification can have', { padding: 'x'.repeat(70_000) }],
])('a node that sends %s loses its stream', async (_what, message) => {
  const socket = new SignatureSocket({ places: 1 });
  const { id } = await submit();
  await watching([socket.url], async (wakeUps) => {
    await eventually('left', async () => {
      socket.send(message);
      return (wakeUps.states[0]?.left.ended ?? 0) >= 2;
    });
    expect(await intent(id)).toMatchObject({ status: 'submitted' });
  });
});

test.each([
  ['no number', 'one'],
  ['one number for two subscriptions', 7],
])('a node that acknowledges with %s loses its stream', async (_what, acknowledgement) => {
  const socket = new SignatureSocket({ acknowledgement });
  await Promise.all([submit(), submit({ lamports: 4_000_000 })]);
  await watching([socket.url], async (wakeUps) => {
    await eventually('left', async () => (wakeUps.states[0]?.left.ended ?? 0) >= 2);
    expect(wakeUps.states[0]).toMatchObject({ proven: 0, unproven: 0 });
  });
});

test('of two workers one subscribes, and the other takes over when it stops', async () => {
  const first = new SignatureSocket();
  const second = new SignatureSocket();
  await watching([second.url], async () => {
    const before = await subscribed(second);
    await watching([first.url], async () => {
      const { id, signature } = await subscribed(second);
      expect(first.connections).toBe(0);
      chain.advanceSlots(1);
      second.notify(signature);
      await isEnded(id, 'confirmed');
    });
    expect(await intent(before.id)).toMatchObject({ status: 'submitted' });
  });
  await watching([first.url], async () => {
    const taken = await subscribed(first);
    chain.advanceSlots(1);
    first.notify(taken.signature);
    await isEnded(taken.id, 'confirmed');
  });
});
