import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { createSendOnlyTargets } from '../../src/chain/rpc/send-target.ts';
import { keepWarm, sendTransaction } from '../../src/chain/rpc/send-transaction.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { namedNode } from '../../src/shared/node-address.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { type SendAnswer, signatureOf, startSendingNode } from '../support/intents/sending-node.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { intentContext, silentLog } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

const node = startSendingNode();
const fast = startSendingNode();
const other = startSendingNode();
const wallet = Keypair.generate();
const sendHeaders = { [new URL(fast.url).host]: { 'x-token': 'landing-secret-1' } };
let api: TestApi;
let db: Database;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi({
    environment: {
      SOLANA_RPC_URL: node.url,
      SOLANA_SEND_URL: `${fast.url}/send,${other.url}`,
      SOLANA_SEND_HEADERS: JSON.stringify(sendHeaders),
    },
  });
  db = api.dependencies.database;
  key = await createTestKey(db, { walletAddress: wallet.publicKey.toBase58() });
});

beforeEach(async () => {
  await api.dependencies.firstBroadcaster.drain();
  await db`delete from intent_broadcasts`;
  for (const each of [node, fast, other]) Object.assign(each, { answer: 'accept', sent: [], headers: [] });
});

async function submit() {
  const { id, unsigned } = await createPreparedIntent(db, { accountId: key.accountId, wallet });
  const signedTransaction = Buffer.from(signWith(unsigned, wallet)).toString('base64');
  const response = await submitIntent(api.baseUrl, id, { key, signed: signedTransaction });
  expect(response.status).toBe(202);
  return { id, wire: signedTransaction };
}

async function stored(id: string) {
  const [row] = await db<{ signature: string | null; misanswered: boolean; sendCount: number }[]>`
    select i.transaction_signature as signature, b.misanswered, b.send_count
    from transaction_intents i join intent_broadcasts b on b.intent_id = i.id where i.id = ${id}`;
  return row;
}

/** A worker of the same configuration, when everything submitted is due; ends when all have answered. */
async function repeat() {
  const clock = createTestClock(new Date(Date.now() + 60_000));
  const { context } = intentContext(db, createChainRpcs([node.url], 2), clock);
  const addresses = {
    solanaSendAddresses: [`${fast.url}/send`, other.url].map((url) => ({
      ...namedNode(url),
      isProtected: false,
    })),
    solanaSendHeaders: sendHeaders,
  };
  const { sent } = await broadcastDue({ ...context, sendOnly: createSendOnlyTargets(addresses, 1) }, 64);
  await sent;
}

test('api and worker send to every address, and headers go to the host that they are for', async () => {
  const { wire } = await submit();
  await api.dependencies.firstBroadcaster.drain();
  expect([node.sent, fast.sent, other.sent]).toEqual([[wire], [wire], [wire]]);
  await repeat();
  expect([node.sent, fast.sent, other.sent]).toEqual([
    [wire, wire],
    [wire, wire],
    [wire, wire],
  ]);
  expect(fast.headers.map((headers) => headers.get('x-token'))).toEqual(Array(2).fill('landing-secret-1'));
  expect([...node.headers, ...other.headers].some((headers) => headers.has('x-token'))).toBe(false);
});

test.each<SendAnswer>(['refuse', 'unavailable', 'hold'])(
  'one that answers “%s” does not hold up the others, and its answer decides nothing',
  async (answer) => {
    fast.answer = answer;
    const { id, wire } = await submit();
    await eventually('the record', async () => (await stored(id))?.signature === signatureOf(wire));
    fast.release();
    await api.dependencies.firstBroadcaster.drain();
    expect([node.sent, other.sent]).toEqual([[wire], [wire]]);
    expect(await stored(id)).toEqual({ signature: signatureOf(wire), misanswered: false, sendCount: 1 });
  },
);

test('one address that accepts it is enough when no node does', async () => {
  node.answer = 'unavailable';
  const { id, wire } = await submit();
  await api.dependencies.firstBroadcaster.drain();
  expect(await stored(id)).toMatchObject({ signature: signatureOf(wire), sendCount: 1 });
});

test('another transaction’s signature from one that only sends is no statement of a node', async () => {
  fast.answer = 'other signature';
  const { id, wire } = await submit();
  await api.dependencies.firstBroadcaster.drain();
  expect(await stored(id)).toEqual({ signature: signatureOf(wire), misanswered: false, sendCount: 1 });
  // Its word counts again from the first right answer after the quarantine.
  expect(api.dependencies.rpcs.every(({ quarantine }) => !quarantine.isActive)).toBe(true);
});

test('a quarantine ends by a probe when nobody submits anything', async () => {
  const lying = startSendingNode('other signature');
  const [target] = createChainRpcs([lying.url]);
  if (target === undefined) throw new Error('no target');
  const clock = createTestClock();
  const dependencies = { clock, log: silentLog };
  const signedTransaction = Uint8Array.of(1, ...new Uint8Array(64).fill(3), 0);
  await sendTransaction(
    target,
    { signedTransaction, signature: bs58.encode(signedTransaction.subarray(1, 65)) },
    dependencies,
  );
  expect(target.quarantine.isActive).toBe(true);
  lying.answer = 'accept';
  clock.advance(30_000);
  const ended = new AbortController();
  const kept = keepWarm([target], dependencies, ended.signal);
  await eventually('the release', async () => !target.quarantine.isActive);
  ended.abort();
  await kept;
});

test('it gets only sends and health checks', async () => {
  const methods: string[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      methods.push(((await request.json()) as { method: string }).method);
      return new Response('nothing here', { status: 404 });
    },
  });
  const watched = await startTestApi({
    environment: { SOLANA_RPC_URL: node.url, SOLANA_SEND_URL: `http://127.0.0.1:${server.port}` },
  });
  await eventually('the connection is made', async () => methods.length > 0);
  await watched.stop();
  await server.stop(true);
  expect(new Set(methods)).toEqual(new Set(['getHealth']));
});
