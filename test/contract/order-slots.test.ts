import { beforeAll, describe, expect, test } from 'bun:test';
import {
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { COMPUTE_BUDGET, SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { advanceOrderSlots } from '../../src/features/orders/slots/advance-slots.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { interceptNode, type NodeInterceptor } from '../support/chain/node-interceptor.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { signIntent } from '../support/launches/launch-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const SOL = 1_000_000_000;

let chain: SandboxChain;
let node: NodeInterceptor;
let connection: Connection;
let api: TestApi;

beforeAll(async () => {
  chain = await startChain({ slotMs: 300 });
  atEnd(() => chain.stop());
  node = interceptNode(chain.rpcUrl);
  atEnd(() => node.stop());
  connection = new Connection(chain.rpcUrl, 'confirmed');
  api = await startTestApi({ environment: { SOLANA_RPC_URL: node.rpcUrl } });
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());
});

/** A wallet with a key of an account of its own. */
async function owner(lamports = 10 * SOL, accountId?: string) {
  const wallet = Keypair.generate();
  if (lamports > 0) await connection.requestAirdrop(wallet.publicKey, lamports);
  if (lamports > 0)
    await eventually('the wallet has SOL', async () => (await connection.getBalance(wallet.publicKey)) > 0);
  const walletAddress = wallet.publicKey.toBase58();
  const key = await createTestKey(api.dependencies.database, {
    walletAddress,
    ...(accountId === undefined ? {} : { accountId }),
  });
  return { wallet, walletAddress, key };
}

function post(path: string, key: TestKey, body: unknown = {}, idempotencyKey = crypto.randomUUID()) {
  return fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested with OpenAPI
async function created(path: string, key: TestKey, body: unknown = {}): Promise<any> {
  const response = await post(path, key, body);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const result = (await response.json()) as any;
  expect([response.status, result.code]).toEqual([201, undefined]);
  return result;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function listed(key: TestKey, query = ''): Promise<any> {
  return (await fetch(`${api.baseUrl}/order-slots${query}`, { headers: key.header })).json();
}

const closures = (slotId: string) => `/order-slots/${slotId}/closures`;

async function landed(signature: string): Promise<void> {
  await eventually('the transaction is confirmed', async () => {
    const { value } = await connection.getSignatureStatus(signature);
    return value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized';
  });
}

/** The wallet signs an intent and submits it, and it lands. */
async function signedAndLanded(
  intent: { id: string; serializedTransaction: string },
  { wallet, key }: { wallet: Keypair; key: TestKey },
): Promise<void> {
  const signed = signIntent(intent.serializedTransaction, wallet);
  const response = await submitIntent(api.baseUrl, intent.id, { key, signed });
  expect(response.status).toBe(202);
  await landed(bs58.encode(Buffer.from(signed, 'base64').subarray(1, 65)));
  await api.dependencies.database`
    update transaction_intents set status = 'confirmed', version = version + 1, completed_at = now()
    where id = ${intent.id}`;
}

async function run(wallet: Keypair, instructions: readonly TransactionInstruction[], ...signers: Keypair[]) {
  const transaction = new Transaction({
    feePayer: wallet.publicKey,
    ...(await connection.getLatestBlockhash()),
  });
  transaction.add(...instructions).sign(wallet, ...signers);
  const config = { preflightCommitment: 'confirmed' } as const;
  await landed(await connection.sendRawTransaction(transaction.serialize(), config));
}

/** Works as one worker until the slot has another state. */
async function advancedTo(slotId: string, status: string): Promise<void> {
  const { database: db, outbox, clock, rpcs, chainHead, pipeline } = api.dependencies;
  const metrics = { onOrdersEnded() {} };
  const onStatusChanged = (ids: readonly string[]) => pipeline.waits.wake(ids);
  await eventually(`the slot is ${status}`, async () => {
    await db`update order_slots set due_at = now() where id = ${slotId}`;
    await advanceOrderSlots({ db, outbox, clock, metrics, rpcs, chainHead, onStatusChanged });
    const [slot] = await db<{ status: string }[]>`select status from order_slots where id = ${slotId}`;
    return slot?.status === status;
  });
}

/** A nonce account that a wallet made without the service. */
async function ownNonce(payer: Keypair, authority = payer.publicKey): Promise<PublicKey> {
  const account = Keypair.generate();
  const { instructions } = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    noncePubkey: account.publicKey,
    authorizedPubkey: authority,
    lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
  });
  await run(payer, instructions, account);
  return account.publicKey;
}

describe('createOrderSlot (contract/orders#create-slot)', () => {
  test('prepares a nonce account of the wallet, and the slot is ready when the chain shows it', async () => {
    const { wallet, walletAddress, key } = await owner();
    const response = await post('/order-slots', key);
    expect(response.headers.get('etag')).toBe('"1"');
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { intent, sending, ...slot } = (await response.json()) as any;
    const address = await PublicKey.createWithSeed(
      wallet.publicKey,
      slot.id.replaceAll('-', ''),
      SystemProgram.programId,
    );
    expect(slot).toEqual({
      id: expect.any(String),
      nonceAddress: address.toBase58(),
      walletAddress,
      status: 'pending',
      nonce: null,
      readSlot: null,
      intentId: intent.id,
      closingIntentId: null,
      createdAt: expect.any(String),
      completedAt: null,
    });
    expect(sending).toMatchObject({ route: 'fast', tipLamports: '0' });
    expect(intent).toMatchObject({
      kind: 'order_slot',
      status: 'prepared',
      expectedSigner: walletAddress,
      mintAddress: null,
      policy: { allowedPrograms: [COMPUTE_BUDGET, SYSTEM_PROGRAM], requireSimulation: true },
    });
    expect((await listed(key)).data).toEqual([slot]);
    await signedAndLanded(intent, { wallet, key });
    await advancedTo(slot.id, 'ready');
    const [ready] = (await listed(key)).data;
    const nonce = await connection.getNonce(address);
    expect(nonce?.authorizedPubkey.toBase58()).toBe(walletAddress);
    expect(ready).toEqual({ ...slot, status: 'ready', nonce: nonce?.nonce, readSlot: expect.any(String) });
  });

  test('a repeated request is one slot, other keys are other slots with other accounts', async () => {
    const { key } = await owner();
    const once = crypto.randomUUID();
    const texts = await Promise.all(
      [once, once, crypto.randomUUID()].map(async (idempotencyKey) => {
        const response = await post('/order-slots', key, {}, idempotencyKey);
        return response.status === 409 ? '' : response.text();
      }),
    );
    const repeated = await (await post('/order-slots', key, {}, once)).text();
    expect(texts).toContain(repeated);
    const { data } = await listed(key);
    expect(data).toHaveLength(2);
    expect(new Set(data.map((slot: { nonceAddress: string }) => slot.nonceAddress)).size).toBe(2);
  });

  test('takes an account that the wallet may advance, once, and again after it was closed', async () => {
    const { wallet, walletAddress, key } = await owner();
    const nonceAddress = (await ownNonce(wallet)).toBase58();
    const response = await post('/order-slots', key, { nonceAddress });
    expect(response.status).toBe(201);
    expect(response.headers.get('etag')).toBeNull();
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const slot = (await response.json()) as any;
    const nonce = await connection.getNonce(new PublicKey(nonceAddress));
    expect(slot).toMatchObject({ nonceAddress, walletAddress, status: 'ready', nonce: nonce?.nonce });
    expect([slot.intent, slot.sending, slot.intentId]).toEqual([null, null, null]);
    const { context } = await expectProblem(
      await post('/order-slots', key, { nonceAddress }),
      'order_slot_exists',
    );
    expect(context).toEqual({ slotId: slot.id });
    await api.dependencies.database`
      update order_slots set status = 'closed', completed_at = now() where id = ${slot.id}`;
    expect((await created('/order-slots', key, { nonceAddress })).id).not.toBe(slot.id);
  });

  test('takes no other account', async () => {
    const { wallet, walletAddress, key } = await owner();
    const foreign = (await ownNonce(wallet, Keypair.generate().publicKey)).toBase58();
    for (const [nonceAddress, reason] of [
      [Keypair.generate().publicKey.toBase58(), 'no_nonce_account'],
      [walletAddress, 'no_nonce_account'],
      [foreign, 'other_authority'],
    ]) {
      const refused = await expectProblem(
        await post('/order-slots', key, { nonceAddress }),
        'nonce_account_unusable',
      );
      expect(refused.context).toEqual({ reason });
    }
    const invalid = await expectProblem(
      await post('/order-slots', key, { nonceAddress: 'nonsense' }),
      'validation_failed',
    );
    expect(invalid.errors).toMatchObject([{ path: '/body/nonceAddress' }]);
    expect((await listed(key)).data).toEqual([]);
  });

  test('an account has at most 20 open slots, however many requests come at once', async () => {
    const { walletAddress, key } = await owner();
    await api.dependencies.database`
      insert into order_slots (id, account_id, nonce_address, wallet_address, status, due_at, created_at)
      select gen_random_uuid(), ${key.accountId}, 'nonce' || n, ${walletAddress}, 'pending', now(), now()
      from generate_series(1, 19) as n`;
    const responses = await Promise.all([post('/order-slots', key), post('/order-slots', key)]);
    const [ok, refused] = responses.toSorted((one, other) => one.status - other.status);
    if (ok === undefined || refused === undefined) throw new Error('two requests were sent');
    expect(ok.status).toBe(201);
    const { context } = await expectProblem(refused, 'order_slot_limit_reached');
    expect(context).toEqual({ limit: 20 });
  });
});

describe('closeOrderSlot (contract/orders#close-slot)', () => {
  test('returns all lamports of the account to the wallet, and the slot is closed', async () => {
    const { wallet, walletAddress, key } = await owner();
    const address = await ownNonce(wallet);
    const slot = await created('/order-slots', key, { nonceAddress: address.toBase58() });
    const { slot: closing, intent, sending } = await created(closures(slot.id), key);
    expect(closing).toMatchObject({ id: slot.id, status: 'ready', closingIntentId: intent.id });
    expect(sending).toMatchObject({ route: 'fast' });
    expect(intent).toMatchObject({
      kind: 'order_slot_closure',
      expectedSigner: walletAddress,
      policy: { allowedPrograms: [COMPUTE_BUDGET, SYSTEM_PROGRAM] },
    });
    const before = await connection.getBalance(wallet.publicKey);
    const rent = await connection.getBalance(address);
    await signedAndLanded(intent, { wallet, key });
    expect(await connection.getBalance(wallet.publicKey)).toBe(before + rent - 5_000);
    await advancedTo(slot.id, 'closed');
    const [closed] = (await listed(key)).data;
    expect(closed).toMatchObject({ status: 'closed', completedAt: expect.any(String) });
    const { context } = await expectProblem(await post(closures(slot.id), key), 'order_slot_not_ready');
    expect(context).toEqual({ status: 'closed' });
  });

  test('may be asked for several times within one blockhash, and each is a transaction of its own', async () => {
    const { wallet, key } = await owner();
    const nonceAddress = (await ownNonce(wallet)).toBase58();
    const slot = await created('/order-slots', key, { nonceAddress });
    const closings = await Promise.all([1, 2, 3].map(() => created(closures(slot.id), key)));
    const bytes = closings.map(({ intent }) => intent.serializedTransaction);
    expect(new Set(bytes).size).toBe(3);
    await signedAndLanded(closings[1].intent, { wallet, key });
    await advancedTo(slot.id, 'closed');
  });

  test('is refused for a slot that is not ready, or that its wallet has closed itself', async () => {
    const { wallet, key } = await owner();
    const { id } = await created('/order-slots', key);
    const { context } = await expectProblem(await post(closures(id), key), 'order_slot_not_ready');
    expect(context).toEqual({ status: 'pending' });
    const address = await ownNonce(wallet);
    const slot = await created('/order-slots', key, { nonceAddress: address.toBase58() });
    const lamports = await connection.getBalance(address);
    const ends = {
      noncePubkey: address,
      authorizedPubkey: wallet.publicKey,
      toPubkey: wallet.publicKey,
      lamports,
    };
    await run(wallet, [SystemProgram.nonceWithdraw(ends)]);
    const gone = await post(closures(slot.id), key);
    expect((await expectProblem(gone, 'order_slot_not_ready')).context).toEqual({ status: 'closed' });
    await advancedTo(slot.id, 'closed');
  });

  test('knows no slot of another account, and none that does not exist', async () => {
    const { wallet, key } = await owner();
    const other = await owner();
    const nonceAddress = (await ownNonce(wallet)).toBase58();
    const slot = await created('/order-slots', key, { nonceAddress });
    await expectProblem(await post(closures(slot.id), other.key), 'order_slot_not_found');
    await expectProblem(await post(closures(crypto.randomUUID()), key), 'order_slot_not_found');
    expect((await listed(other.key)).data).toEqual([]);
  });
});

describe('getOrderSlot (contract/orders#get-slot)', () => {
  const held = (slotId: string, key: TestKey, headers: Record<string, string> = { prefer: 'wait=25' }) =>
    fetch(`${api.baseUrl}/order-slots/${slotId}`, { headers: { ...key.header, ...headers } });
  const waiting = () =>
    eventually('a request waits', async () => api.dependencies.pipeline.waits.count === 1);

  test('waits while the slot is about to change, and returns what nothing changes at once', async () => {
    const { wallet, key } = await owner();
    const { intent, id } = await created('/order-slots', key);
    const untilReady = held(id.toUpperCase(), key);
    await waiting();
    await signedAndLanded(intent, { wallet, key });
    await advancedTo(id, 'ready');
    const response = await untilReady;
    expect(response.headers.get('preference-applied')).toBe('wait=25');
    const ready = await response.json();
    expect(ready).toMatchObject({ id, status: 'ready', nonce: expect.any(String) });
    expect(await (await held(id, key)).json()).toEqual(ready);
    const closing = await created(closures(id), key);
    const untilClosed = held(id, key);
    await waiting();
    await signedAndLanded(closing.intent, { wallet, key });
    await advancedTo(id, 'closed');
    expect(await (await untilClosed).json()).toMatchObject({ status: 'closed' });
    expect(await (await held(id, key)).json()).toMatchObject({ status: 'closed' });
  });

  test('shows no slot of another account', async () => {
    const { key } = await owner();
    const other = await owner(0);
    const { id } = await created('/order-slots', key);
    expect(await (await held(id, key, {})).json()).toMatchObject({ id, status: 'pending' });
    await expectProblem(await held(id, other.key), 'order_slot_not_found');
    await expectProblem(await held(crypto.randomUUID(), key), 'order_slot_not_found');
  });
});

describe('a slot is neither created nor closed', () => {
  test('by a wallet that cannot pay', async () => {
    const { wallet } = await owner();
    const poor = await owner(0);
    const refused = await expectProblem(await post('/order-slots', poor.key), 'order_slot_refused');
    expect(refused.context).toMatchObject({ reason: 'insufficient_funds' });
    const nonceAddress = (await ownNonce(wallet, poor.wallet.publicKey)).toBase58();
    const slot = await created('/order-slots', poor.key, { nonceAddress });
    const still = await expectProblem(await post(closures(slot.id), poor.key), 'order_slot_refused');
    expect(still.context).toMatchObject({ reason: 'insufficient_funds' });
    const almost = await owner(1_000_000);
    const short = await expectProblem(await post('/order-slots', almost.key), 'order_slot_refused');
    expect(short.context).toMatchObject({
      reason: 'insufficient_funds',
      programError: { program: SYSTEM_PROGRAM, number: 1, name: 'ResultWithNegativeLamports' },
    });
  });

  test('by the protected route where no address has the mark, or while no node answers', async () => {
    const { wallet, key } = await owner();
    const nonceAddress = (await ownNonce(wallet)).toBase58();
    const slot = await created('/order-slots', key, { nonceAddress });
    for (const path of ['/order-slots', closures(slot.id)]) {
      const refused = await expectProblem(
        await post(path, key, { route: 'protected' }),
        'send_route_unavailable',
      );
      expect(refused.context).toEqual({ route: 'protected' });
      // The rent of an order slot is known by now (cluster-rent.test.ts).
      const needed = path === '/order-slots' ? [] : ['getMultipleAccounts'];
      for (const down of ['simulateTransaction', ...needed]) {
        node.answer = (method) => (method === down ? { code: -32_000, message: 'down' } : null);
        await expectProblem(await post(path, key), 'chain_unavailable');
        node.answer = () => null;
      }
    }
    node.answer = (method) => (method === 'getMultipleAccounts' ? { code: -32_000, message: 'down' } : null);
    await expectProblem(await post('/order-slots', key, { nonceAddress }), 'chain_unavailable');
    node.answer = () => null;
    const intents = await api.dependencies.database`
      select from transaction_intents where account_id = ${key.accountId}`;
    expect(intents).toHaveLength(0);
  });
});

test('the list has pages, newest first, of its account alone (contract/orders#list-slots)', async () => {
  const { walletAddress, key } = await owner(0);
  await api.dependencies.database`
    insert into order_slots (id, account_id, nonce_address, wallet_address, status, due_at, created_at, completed_at)
    select ('01a20000-0000-7000-8000-00000000000' || n)::uuid, ${key.accountId}, 'nonce', ${walletAddress}, 'closed',
      now(), now(), now()
    from generate_series(1, 5) as n`;
  const seen: string[] = [];
  let query = '?limit=2';
  for (let pages = 0; pages < 3; pages += 1) {
    const { data, page } = await listed(key, query);
    seen.push(...data.map(({ id }: { id: string }) => id.slice(-1)));
    expect(page.hasMore).toBe(pages < 2);
    query = `?limit=2&cursor=${page.nextCursor}`;
  }
  expect(seen).toEqual(['5', '4', '3', '2', '1']);
  const other = await owner(0);
  const { page } = await listed(key, '?limit=2');
  const foreign = await fetch(`${api.baseUrl}/order-slots?cursor=${page.nextCursor}`, {
    headers: other.key.header,
  });
  await expectProblem(foreign, 'cursor_invalid');
});
