import { beforeAll, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';
import type { TransactionIntent } from '../../src/intents/schema.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { createPreparedIntent, type PreparedIntent, signWith } from '../support/intents/intents.ts';
import { startSendingNode } from '../support/intents/sending-node.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { openDatabase, urlOf } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';

const wallet = Keypair.generate();
const node = startSendingNode();
let database: Database;
let key: TestKey;
let victim: ApiProcess;
let survivor: ApiProcess;

beforeAll(async () => {
  database = await openDatabase();
  const url = urlOf(database);
  [victim, survivor] = await Promise.all([
    startApiProcess(url, { SOLANA_RPC_URL: node.url }),
    startApiProcess(url, { SOLANA_RPC_URL: node.url }),
  ]);
  key = await createTestKey(database, { walletAddress: wallet.publicKey.toBase58() });
});

function submit({ baseUrl }: ApiProcess, { id, unsigned }: PreparedIntent, idempotencyKey: string) {
  const headers = { prefer: 'wait=25' };
  return submitIntent(baseUrl, id, { key, signed: signWith(unsigned, wallet), idempotencyKey, headers });
}

const statusOf = async ({ id }: PreparedIntent) => {
  const [row] = await database<{ status: string }[]>`select status from transaction_intents where id = ${id}`;
  return row?.status;
};

test('a process that is killed while a submission waits loses nothing: the same key gets the stored response elsewhere', async () => {
  const intent = await createPreparedIntent(database, { accountId: key.accountId, wallet });
  const attempt = submit(victim, intent, 'killed-while-waiting-1').catch(() => 'connection lost');
  await eventually('it is sent', async () => node.sent.length === 1);
  expect(await statusOf(intent)).toBe('submitted');
  await victim.child.kill();
  expect(await attempt).toBe('connection lost');
  const replay = await submit(survivor, intent, 'killed-while-waiting-1');
  expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
  expect((await replay.json()) as TransactionIntent).toMatchObject({ status: 'submitted', version: 2 });
  const events =
    await database`select from events where subject = ${intent.id} and type like '%.submitted.%'`;
  expect(events.count).toBe(1);
});
