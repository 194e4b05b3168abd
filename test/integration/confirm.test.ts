import { beforeEach, expect, test } from 'bun:test';
import { Connection, Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { CLUSTER_SLOT_MS } from '../../sandbox/chain/cluster-facts.ts';
import { confirmSubmitted, PollMemory } from '../../src/intents/confirm/confirm-submitted.ts';
import { forwardRpc } from '../support/chain/forward-rpc.ts';
import { interceptNode } from '../support/chain/node-interceptor.ts';
import { nonceAccountData, nonceTransfer } from '../support/intents/intent-transactions.ts';
import { insertIntent, startSubmittedIntents } from '../support/intents/submitted-intent.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const WINDOW_SLOTS = 150;
/** Slots after which block times have moved by 64 s: those of a chain may be wrong by a minute. */
const TIMED_SLOTS = 64_000 / CLUSTER_SLOT_MS;
const { chain, db, clock, accountId, submit, intent, context, broadcast, clear } =
  await startSubmittedIntents();

beforeEach(clear);

test('a landed transaction confirms its intent once, with one event and no job left', async () => {
  const { id, signature } = await submit();
  await broadcast(chain.rpcUrl);
  expect(await confirmSubmitted(context(chain.rpcUrl))).toBe(1);
  chain.advanceSlots(1);
  await Promise.all([1, 2, 3].map(() => confirmSubmitted(context(chain.rpcUrl))));
  expect(await intent(id)).toMatchObject({
    status: 'confirmed',
    transactionSignature: signature,
    version: 3,
    errorCode: null,
    completedAt: clock.now(),
  });
  expect(await eventsOf(db)).toEqual([`transaction_intent.confirmed ${id}`]);
  expect(await db`select 1 from intent_broadcasts`).toHaveLength(0);
});

test('the event carries the intent without its transaction', async () => {
  const { id, signature } = await submit();
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(1);
  await confirmSubmitted(context(chain.rpcUrl));
  const [event] = await db`select body, account_id from events`;
  const { data } = JSON.parse(event?.body);
  expect(event?.accountId).toBe(accountId);
  expect(data).toMatchObject({
    id,
    status: 'confirmed',
    version: 3,
    transactionSignature: signature,
    error: null,
  });
  expect(data).not.toHaveProperty('serializedTransaction');
});

test('a transaction that lands and fails is a failed intent that keeps its signature', async () => {
  const { id, signature } = await submit({ lamports: 1_000_000_000_000 });
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(1);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({
    status: 'failed',
    errorCode: 'solana_transaction_failed',
    errorDetail:
      'Instruction 0, of the system program (11111111111111111111111111111111), failed with error 1 ' +
      'ResultWithNegativeLamports: the account has not enough SOL.',
    transactionSignature: signature,
  });
});

test('a transaction that landed without our knowing is confirmed by its own bytes', async () => {
  const { id, bytes, signature } = await submit();
  const wire = Buffer.from(bytes).toString('base64');
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'sendTransaction',
    params: [wire, { encoding: 'base64', skipPreflight: true }],
  });
  await fetch(chain.rpcUrl, { method: 'POST', body });
  chain.advanceSlots(1);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'confirmed', transactionSignature: signature });
});

test('a dropped transaction fails when its blockhash window has closed, and not one block before', async () => {
  chain.setFaults({ dropSends: 'all' });
  const { id, lastValidBlockHeight } = await submit();
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(WINDOW_SLOTS);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'submitted', lastValidBlockHeight });
  chain.advanceSlots(2);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'failed', errorCode: 'solana_blockhash_expired' });
});

test('a landed transaction is never reported expired by a node that lags behind', async () => {
  const { id } = await submit();
  const lagging = chain.addNode({ lagSlots: WINDOW_SLOTS + 50 });
  atEnd(() => lagging.stop());
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(WINDOW_SLOTS + 20);
  expect(await confirmSubmitted(context(lagging.rpcUrl))).toBe(1);
  expect(await intent(id)).toMatchObject({ status: 'submitted' });
  await confirmSubmitted(context(lagging.rpcUrl, chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'confirmed' });
});

test('a node that knows nothing is outvoted by one that does', async () => {
  const { id } = await submit();
  const blind = chain.addNode({ hideStatuses: true });
  atEnd(() => blind.stop());
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(WINDOW_SLOTS + 20);
  await confirmSubmitted(context(blind.rpcUrl, chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'confirmed' });
});

test('a transaction that landed long ago is found by the look-up with history', async () => {
  const { id } = await submit();
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(10 * WINDOW_SLOTS);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'confirmed' });
});

test('a transaction that landed before the recent statuses begin is confirmed while its window is open', async () => {
  const memory = new PollMemory();
  const { id } = await submit();
  await db`update transaction_intents set last_valid_block_height = 100000 where id = ${id}`;
  const other = await submit();
  await db`update transaction_intents set last_valid_block_height = 100000 where id = ${other.id}`;
  await db`update intent_broadcasts set created_at = ${clock.now()}`;
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(10 * WINDOW_SLOTS);
  expect(await confirmSubmitted(context(chain.rpcUrl), memory)).toBe(2);
  clock.advance(21_000);
  const dropped = await submit();
  await db`update transaction_intents set last_valid_block_height = 100000 where id = ${dropped.id}`;
  expect(await confirmSubmitted(context(chain.rpcUrl), memory)).toBe(1);
  expect(await intent(id)).toMatchObject({ status: 'confirmed' });
  expect(await intent(other.id)).toMatchObject({ status: 'confirmed' });
  expect(await intent(dropped.id)).toMatchObject({ status: 'submitted' });
});

test('the history of nodes is searched every 20 s for what is older, and for nothing younger', async () => {
  const memory = new PollMemory();
  const node = interceptNode(chain.rpcUrl);
  atEnd(() => node.stop());
  await submit();
  await db`update intent_broadcasts set created_at = ${clock.now()}`;
  const lookups: number[] = [];
  for (const waitMs of [0, 10_000, 9_999, 2, 10_000, 10_000]) {
    clock.advance(waitMs);
    node.forget();
    await confirmSubmitted(context(node.rpcUrl), memory);
    lookups.push(node.seen('getSignatureStatuses'));
  }
  expect(lookups).toEqual([1, 1, 1, 2, 1, 2]);
});

test('while every node is down an accepted transaction keeps waiting, however late it is', async () => {
  const { id } = await submit();
  await broadcast(chain.rpcUrl);
  chain.setFaults({ down: 'unavailable' });
  clock.advance(3_600_000);
  expect(await confirmSubmitted(context(chain.rpcUrl))).toBe(1);
  chain.setFaults({});
  chain.advanceSlots(1);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'confirmed' });
});

test('a transaction that no node ever took is an exhausted broadcast at its expiry', async () => {
  chain.setFaults({ down: 'refuse' });
  const { id } = await submitWhileDown();
  await broadcast(chain.rpcUrl);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'submitted' });
  clock.advance(60_000);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({
    status: 'failed',
    errorCode: 'transaction_intent_broadcast_exhausted',
  });
});

async function submitWhileDown() {
  chain.setFaults({});
  const submitted = await submit();
  chain.setFaults({ down: 'refuse' });
  return submitted;
}

/** Sets our clock by the chain's own, which moves with its slots: only states younger than an intent end its lifetime. */
function setClockByChain(aheadMs = 0): void {
  clock.set(new Date(chain.ledger.clock.unixMsOf(chain.ledger.slot) + aheadMs));
}

test('an intent without a block height ends when its blockhash does, not by the clock', async () => {
  chain.setFaults({ dropSends: 'all' });
  setClockByChain();
  const { id } = await submit({ timed: true });
  await broadcast(chain.rpcUrl);
  clock.advance(61_000);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'submitted' });
  chain.advanceSlots(TIMED_SLOTS);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'failed', errorCode: 'transaction_intent_expired' });
});

test('a state that is older than the intent proves nothing: it may not know the blockhash yet', async () => {
  chain.setFaults({ dropSends: 'all' });
  setClockByChain(20_000);
  const { id } = await submit({ timed: true });
  await broadcast(chain.rpcUrl);
  clock.advance(61_000);
  chain.advanceSlots(TIMED_SLOTS);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'submitted' });
});

test('an intent with a nonce stays submitted until the nonce is advanced, and is sent once a minute', async () => {
  const [nonceAccount, nonce] = [1, 2].map((byte) => bs58.encode(Buffer.alloc(32, byte))) as [string, string];
  const hold = (held: string) => holdNonce(nonceAccount, held);
  hold(nonce);
  chain.setFaults({ dropSends: 'all' });
  const transaction = nonceTransfer(Keypair.generate().publicKey, nonceAccount, nonce);
  transaction.fill(7, 1, 65);
  setClockByChain();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + 1_000);
  const id = await insertIntent(db, accountId, { transaction, lastValidBlockHeight: null, expiresAt, now });
  await broadcast(chain.rpcUrl);
  clock.advance(300_000);
  chain.advanceSlots(WINDOW_SLOTS * 5);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'submitted' });
  expect(await broadcast(chain.rpcUrl)).toBe(1);
  clock.advance(59_000);
  expect(await broadcast(chain.rpcUrl)).toBe(0);
  hold(bs58.encode(Buffer.alloc(32, 3)));
  chain.advanceSlots(1);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({
    status: 'failed',
    errorDetail: `Another transaction has spent the nonce of account ${nonceAccount}, or closed the account: this one can never land.`,
  });
});

test('stored bytes without a signature end as an invalid state instead of being polled for ever', async () => {
  const id = await insertIntent(db, accountId, {
    transaction: new Uint8Array([1, 2, 3]),
    lastValidBlockHeight: null,
    expiresAt: new Date(clock.now().getTime() + 60_000),
    now: clock.now(),
  });
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'failed', errorCode: 'transaction_intent_invalid_state' });
});

test('more intents than one status request takes are all confirmed in one round', async () => {
  const submitted: string[] = [];
  const connection = new Connection(chain.rpcUrl);
  for (let count = 0; count < 270; count += 1) {
    const { id, bytes } = await submit({ lamports: 900_000 + count });
    submitted.push(id);
    // Not by the broadcaster: on a busy machine some of 270 sends at once reach their time limit.
    await connection.sendRawTransaction(bytes, { skipPreflight: true });
  }
  chain.advanceSlots(1);
  expect(await confirmSubmitted(context(chain.rpcUrl))).toBe(0);
  const [row] =
    await db`select count(*)::int as confirmed from transaction_intents where status = 'confirmed'`;
  expect(row?.confirmed).toBe(submitted.length);
});

/** Holds a nonce in an account of the chain. */
function holdNonce(nonceAccount: string, nonce: string): void {
  chain.ledger.setAccount(nonceAccount, {
    lamports: 10n ** 9n,
    owner: '1'.repeat(32),
    data: nonceAccountData(nonce),
    executable: false,
    rentEpoch: 0n,
  });
}

const random = () => bs58.encode(crypto.getRandomValues(new Uint8Array(32)));

/** Submitted intents with a nonce each, whose time is over; the oldest first. */
async function overdueWithNonce(count: number): Promise<{ id: string; nonceAccount: string }[]> {
  const now = clock.now();
  const intents: { id: string; nonceAccount: string }[] = [];
  for (let made = 0; made < count; made += 1) {
    const [nonceAccount, nonce] = [random(), random()];
    holdNonce(nonceAccount, nonce);
    const transaction = nonceTransfer(Keypair.generate().publicKey, nonceAccount, nonce);
    transaction.set(crypto.getRandomValues(new Uint8Array(64)), 1);
    const facts = { transaction, lastValidBlockHeight: null, expiresAt: now, now };
    intents.push({ id: await insertIntent(db, accountId, facts), nonceAccount });
  }
  clock.advance(300_000);
  chain.advanceSlots(WINDOW_SLOTS * 5);
  return intents;
}

test('every intent with a nonce gets its turn, even one after a hundred that stay open', async () => {
  setClockByChain();
  const intents = await overdueWithNonce(230);
  const last = intents.at(-1);
  if (last === undefined) throw new Error('intents were made');
  holdNonce(last.nonceAccount, random());
  chain.advanceSlots(1);
  const memory = new PollMemory();
  const rounds: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    await confirmSubmitted(context(chain.rpcUrl), memory);
    rounds.push((await intent(last.id)).status);
  }
  expect(rounds).toEqual(['submitted', 'submitted', 'failed']);
});

test('intents with a nonce are polled after intents with a blockhash, a page in a round, and again after ten seconds', async () => {
  setClockByChain();
  await overdueWithNonce(3);
  const node = interceptNode(chain.rpcUrl);
  atEnd(() => node.stop());
  const asked: string[] = [];
  node.answer = (method) => {
    asked.push(method);
    return null;
  };
  const memory = new PollMemory();
  const round = async () => {
    asked.length = 0;
    await confirmSubmitted(context(node.rpcUrl), memory);
    return asked.filter((method) => method !== 'getEpochInfo');
  };
  await submit();
  const [statuses, accounts] = ['getSignatureStatuses', 'getMultipleAccounts'];
  expect(await round()).toEqual([statuses, statuses, accounts]);
  clock.advance(9_999);
  expect(await round()).toEqual([statuses]);
  clock.advance(1);
  expect(await round()).toEqual([statuses, statuses, accounts]);
});

test('every blockhash of a page is checked, not only the first', async () => {
  chain.setFaults({ dropSends: 'all' });
  setClockByChain();
  const ids: string[] = [];
  for (let made = 0; made < 40; made += 1) {
    ids.push((await submit({ timed: true })).id);
    chain.advanceSlots(1);
  }
  clock.advance(200_000);
  chain.advanceSlots(WINDOW_SLOTS * 3);
  await confirmSubmitted(context(chain.rpcUrl));
  const [row] = await db`select count(*)::int as failed from transaction_intents where status = 'failed'`;
  expect(row?.failed).toBe(ids.length);
});

test('a node that hangs costs one timeout, not one for each batch or round, and is asked again when it answers', async () => {
  const asked: string[] = [];
  let hangs = true;
  const node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text();
      asked.push((JSON.parse(body) as { method: string }).method);
      if (!hangs) return forwardRpc(chain.rpcUrl, request, body);
      return new Promise<Response>(() => {});
    },
  });
  atEnd(() => node.stop(true));
  const worker = context(`http://127.0.0.1:${node.port}`, chain.rpcUrl);
  const memory = new PollMemory();
  for (let count = 0; count < 520; count += 1) await submit({ lamports: 900_000 + count });
  expect(await broadcast(chain.rpcUrl)).toBe(520);
  chain.advanceSlots(1);
  expect(await confirmSubmitted(worker, memory)).toBe(0);
  expect(asked.sort()).toEqual(['getEpochInfo', 'getSignatureStatuses']);

  await submit();
  asked.length = 0;
  await confirmSubmitted(worker, memory);
  // Beside the round, which does not wait for the answer.
  await eventually('the question', async () => asked.length > 0);
  expect(asked).toEqual(['getEpochInfo']);

  hangs = false;
  await eventually('its part in a round', async () => {
    await confirmSubmitted(worker, memory);
    return asked.includes('getSignatureStatuses');
  });
});
