import { beforeEach, expect, test } from 'bun:test';
import { JUP_LOCK } from '../../src/chain/accounts/programs.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { endIntents, type IntentEnd } from '../../src/intents/end/end-intents.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import {
  claimBroadcasts,
  recordAcceptance,
  recordSignatureMismatch,
  uncountSend,
} from '../../src/intents/send/claim-broadcasts.ts';
import { forwardRpc } from '../support/chain/forward-rpc.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { startSubmittedIntents } from '../support/intents/submitted-intent.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const { chain, db, clock, submit, intent, context, broadcast, clear } = await startSubmittedIntents();

beforeEach(clear);

test('a submitted transaction reaches the chain byte for byte and the intent shows its signature', async () => {
  const { id, signature } = await submit();
  expect(await broadcast(chain.rpcUrl)).toBe(1);
  expect(await intent(id)).toMatchObject({
    status: 'submitted',
    transactionSignature: signature,
    version: 2,
  });
  expect(chain.ledger.history.statusOf(signature)).not.toBeNull();
});

test('the same bytes go out again every two seconds, also after they landed', async () => {
  const { id } = await submit();
  await broadcast(chain.rpcUrl);
  clock.advance(1_999);
  expect(await broadcast(chain.rpcUrl)).toBe(0);
  clock.advance(1);
  expect(await broadcast(chain.rpcUrl)).toBe(1);
  chain.advanceSlots(1);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'confirmed' });
  clock.advance(2_000);
  expect(await broadcast(chain.rpcUrl)).toBe(0);
});

test('two workers at once never claim the same transaction', async () => {
  for (let count = 0; count < 20; count += 1) await submit();
  const workers = [1, 2, 3, 4].map(() => broadcastDue(context(chain.rpcUrl), 64));
  const claims = await Promise.all(workers);
  await Promise.all(claims.map(({ sent }) => sent));
  expect(claims.reduce((sum, { due }) => sum + due, 0)).toBe(20);
});

test('a node that hangs does not keep another’s acceptance from being stored', async () => {
  const hanging = chain.addNode({ latencyMs: 60_000 });
  atEnd(() => hanging.stop());
  const { id, signature } = await submit();
  const { sent } = await broadcastDue(context(hanging.rpcUrl, chain.rpcUrl), 64);
  let isSent = false;
  void sent.then(() => {
    isSent = true;
  });
  await eventually('acceptance', async () => (await intent(id)).transactionSignature === signature);
  expect(isSent).toBe(false);
  await sent;
});

test('a transaction that breaks its policy is never sent', async () => {
  const { id, signature } = await submit();
  const policy = { allowedPrograms: [JUP_LOCK], maxComputeUnitPrice: null, requireSimulation: false };
  await db`update transaction_intents set policy = ${db.json(policy)} where id = ${id}`;
  await broadcast(chain.rpcUrl);
  expect(await intent(id)).toMatchObject({
    status: 'failed',
    errorCode: 'transaction_intent_invalid_state',
    transactionSignature: null,
  });
  expect(chain.ledger.history.statusOf(signature)).toBeNull();
});

test.each([429, 502, 503])(
  'a send that reaches no node leaves no trace, and one that gets a %i is counted as possibly on its way',
  async (status) => {
    const { id } = await submit();
    chain.setFaults({ down: 'refuse' });
    await broadcast(chain.rpcUrl);
    const proxy = Bun.serve({ port: 0, fetch: () => new Response(null, { status }) });
    atEnd(() => proxy.stop(true));
    const sendCount = async () => (await db`select send_count from intent_broadcasts`)[0]?.sendCount;
    expect(await sendCount()).toBe(0);
    clock.advance(2_000);
    await broadcast(`http://127.0.0.1:${proxy.port}`);
    expect(await sendCount()).toBe(1);
    expect(await intent(id)).toMatchObject({ status: 'submitted', transactionSignature: null });
  },
);

test('a transaction that a proxy passed on before its 503 is not given up while no node can be asked, and ends as it landed', async () => {
  const { id } = await submit();
  const proxy = Bun.serve({
    port: 0,
    async fetch(request) {
      await forwardRpc(chain.rpcUrl, request, await request.text());
      return new Response('upstream reset', { status: 503 });
    },
  });
  atEnd(() => proxy.stop(true));
  await broadcast(`http://127.0.0.1:${proxy.port}`);
  chain.advanceSlots(1);
  clock.advance(3_600_000);
  await confirmSubmitted(context(`http://127.0.0.1:${proxy.port}`));
  expect(await intent(id)).toMatchObject({ status: 'submitted' });
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(id)).toMatchObject({ status: 'confirmed' });
});

test('sending resumes when the node is back', async () => {
  const { id, signature } = await submit();
  chain.setFaults({ down: 'unavailable' });
  await broadcast(chain.rpcUrl);
  chain.setFaults({});
  clock.advance(2_000);
  await broadcast(chain.rpcUrl);
  expect(await intent(id)).toMatchObject({ transactionSignature: signature });
});

test('an intent without a known send is given up only if no worker is about to send it', async () => {
  chain.setFaults({ down: 'unavailable' });
  const sending = await submitUnsent();
  const { db: worker } = context(chain.rpcUrl);
  expect(await claimBroadcasts(worker, clock.now(), nominalPace, 1)).toHaveLength(1);
  const idle = await submitUnsent();
  const ends = [sending, idle].map(
    ({ id }): IntentEnd => ({
      intentId: id,
      status: 'failed',
      errorCode: 'transaction_intent_broadcast_exhausted',
      transactionSignature: null,
      onlyIfUnsent: true,
    }),
  );
  expect(await endIntents(context(chain.rpcUrl), ends)).toBe(1);
  expect(await intent(sending.id)).toMatchObject({ status: 'submitted' });
  expect(await intent(idle.id)).toMatchObject({ status: 'failed' });
  // Its sender died: it may have been sent, so it waits until nodes can be asked.
  clock.advance(3_600_000);
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(sending.id)).toMatchObject({ status: 'submitted' });
});

test('a send is subtracted once, from its own job, and the count never falls below zero', async () => {
  const [taken, other] = [await submit(), await submit()];
  const { db: worker } = context(chain.rpcUrl);
  expect(await claimBroadcasts(worker, clock.now(), nominalPace, 2)).toHaveLength(2);
  const counts = async () => {
    const rows = await db<
      { intentId: string; sendCount: number }[]
    >`select intent_id, send_count from intent_broadcasts`;
    return [taken, other].map(({ id }) => rows.find(({ intentId }) => intentId === id)?.sendCount);
  };
  expect(await counts()).toEqual([1, 1]);
  await uncountSend(worker, taken.id);
  expect(await counts()).toEqual([0, 1]);
  // Below zero, the next send would not count, and the intent would be given up although it may land.
  await uncountSend(worker, taken.id);
  expect(await counts()).toEqual([0, 1]);
});

test('an acceptance is stored once, for a submitted intent, and a wrong answer is remembered for its own job', async () => {
  const [first, other] = [await submit(), await submit()];
  const { db: worker } = context(chain.rpcUrl);
  await recordAcceptance(worker, first.id, first.signature);
  await recordAcceptance(worker, first.id, 'another');
  await recordSignatureMismatch(worker, other.id);
  expect(await intent(first.id)).toMatchObject({ transactionSignature: first.signature });
  expect(await intent(other.id)).toMatchObject({ transactionSignature: null });
  const misanswered = await db`select intent_id from intent_broadcasts where misanswered`;
  expect(misanswered.map(({ intentId }) => intentId)).toEqual([other.id]);
  await endIntents(context(chain.rpcUrl), [
    {
      intentId: other.id,
      status: 'failed',
      errorCode: 'solana_blockhash_expired',
      transactionSignature: null,
    },
  ]);
  await recordAcceptance(worker, other.id, other.signature);
  expect(await intent(other.id)).toMatchObject({ status: 'failed', transactionSignature: null });
});

test('an intent that a node accepted after it was judged does not end as never accepted', async () => {
  const { id, signature } = await submit();
  expect(await broadcast(chain.rpcUrl)).toBe(1);
  const worker = context(chain.rpcUrl);
  const endWith = (errorCode: 'transaction_intent_broadcast_exhausted' | 'solana_blockhash_expired') =>
    endIntents(worker, [{ intentId: id, status: 'failed', errorCode, transactionSignature: null }]);
  expect(await endWith('transaction_intent_broadcast_exhausted')).toBe(0);
  expect(await intent(id)).toMatchObject({ status: 'submitted', transactionSignature: signature });
  expect(await endWith('solana_blockhash_expired')).toBe(1);
  expect(await intent(id)).toMatchObject({ status: 'failed', errorCode: 'solana_blockhash_expired' });
});

async function submitUnsent() {
  chain.setFaults({});
  const submitted = await submit();
  chain.setFaults({ down: 'unavailable' });
  return submitted;
}
