import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { createClient, type Launchwire, secretKeySigner, type TransactionSigner } from 'launchwire';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { advanceOrderSlots } from '../../src/features/orders/slots/advance-slots.ts';
import { createSlotDependents } from '../../src/features/orders/slots/settle-slot-intents.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { TestApi } from '../support/api/api.ts';
import type { TestKey } from '../support/api/api-keys.ts';
import { setFeature } from '../support/chain/feature-accounts.ts';
import { runCommandLine } from '../support/client/command-line.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { TradedMarket } from '../support/trading/traded-market.ts';

let chain: SandboxChain;
let market: TradedMarket;
let api: TestApi;
let mint: string;
let client: Launchwire;
let signer: TransactionSigner;
let key: TestKey;
const keyFile = join(createTempDir('order-wallet'), 'wallet.json');

beforeAll(async () => {
  chain = await startChain({ slotMs: 300 });
  atEnd(() => chain.stop());
  const gate = newAddress();
  setFeature(chain, gate, null);
  market = await TradedMarket.over(chain, { NONCE_GATES: `priority=${gate}` });
  ({ api } = market);
  const { nonceGates } = api.dependencies;
  await eventually('the gate is known', async () => nonceGates.states().every(({ state }) => state !== null));
  ({ mint } = await market.launch());
  const trader = await market.trader();
  writeFileSync(keyFile, JSON.stringify([...trader.wallet.secretKey]));
  signer = await secretKeySigner(trader.wallet);
  ({ key } = trader);
  client = createClient({ baseUrl: api.origin, apiKey: key.text });
  startWorker();
});

/** Broadcasts, confirms and looks at slots for as long as the tests run. */
function startWorker(): void {
  const rpcs = [createChainRpc(chain.rpcUrl)];
  const { database, pipeline, chainHead } = api.dependencies;
  const { context } = intentContext(database, rpcs, systemClock);
  const metrics = { onOrdersEnded() {} };
  context.onStatusChanged = (ids) => pipeline.waits.wake(ids);
  context.dependents = createSlotDependents({ ...context, metrics });
  let isEnding = false;
  const working = (async () => {
    while (!isEnding) {
      await (await broadcastDue(context, 64)).sent;
      await confirmSubmitted(context);
      await advanceOrderSlots({ ...context, metrics, rpcs, chainHead });
      // biome-ignore lint/plugin: the pace of a worker in the background; nothing is asserted of it
      await Bun.sleep(50);
    }
  })();
  atEnd(() => {
    isEnding = true;
    return working;
  });
}

const cli = (...words: string[]) => runCommandLine(words, { url: api.origin, apiKey: key.text });

test('a slot is opened and closed, each with one call, and a call under its key happens once', async () => {
  const steps: string[] = [];
  const opening = () =>
    client.openSlot({}, signer, {
      idempotencyKey: 'slot of today',
      onStep: (step) => void steps.push(step),
    });
  const slot = await opening();
  expect(slot).toMatchObject({ status: 'ready', walletAddress: signer.address, nonce: expect.any(String) });
  expect(steps).toEqual(['prepared', 'submitted', 'confirmed']);
  expect(await opening()).toMatchObject({ id: slot.id });
  const closed = await client.closeSlot({ slotId: slot.id }, signer);
  expect(closed).toMatchObject({ id: slot.id, status: 'closed' });
  const { data } = await client.listOrderSlots();
  expect(data).toEqual([closed]);
});

test('the command line creates, lists, shows and closes slots', async () => {
  const created = await cli('order-slot', 'create', '--key-file', keyFile, '--json');
  expect(created).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^prepared: intent \S+\nsubmitted: /),
  });
  const { id, nonceAddress } = JSON.parse(created.out);
  const shown = await cli('order-slot', 'show', id, '--json');
  expect(JSON.parse(shown.out)).toMatchObject({ id, nonceAddress, status: 'ready' });
  const listed = await cli('order-slot', 'list', '--limit', '1');
  expect(listed.out).toMatch(/^ID +STATUS +NONCE ADDRESS +WALLET ADDRESS +CREATED AT\n/);
  expect(listed.out).toContain(`${id}  ready   ${nonceAddress}`);
  const taken = await cli('order-slot', 'create', '--nonce-account', nonceAddress);
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('order_slot_exists') });
  const closed = await cli('order-slot', 'close', id, '--key-file', keyFile);
  expect(closed).toMatchObject({ code: 0 });
  expect(closed.out).toMatch(/^status +closed$/m);
  const gone = await cli('order-slot', 'create', '--nonce-account', nonceAddress);
  expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('nonce_account_unusable') });
  const both = await cli('order-slot', 'create', '--nonce-account', nonceAddress, '--key-file', keyFile);
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining('--nonce-account signs nothing') });
  expect(await cli('order-slot', 'create')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--key-file'),
  });
});

/** A buy that waits for a price which never comes. */
const waiting = (slotId: string) =>
  ({
    slotId,
    mint,
    side: 'buy',
    amountRaw: '50000000',
    slippageBps: 500,
    trigger: { price: '0.000000000001', when: 'at_or_below' },
  }) as const;

test('an order is placed with one call, and once under its key, whatever the wallet signs', async () => {
  const slot = await client.openSlot({}, signer);
  const steps: string[] = [];
  const placing = (by = signer) =>
    client.placeOrder(waiting(slot.id), by, {
      idempotencyKey: 'order of today',
      onStep: (step) => void steps.push(step),
    });
  const order = await placing();
  expect(order).toMatchObject({ status: 'open', slotId: slot.id, trigger: waiting(slot.id).trigger });
  expect(order.transactions.map(({ venue, signed }) => [venue, signed])).toEqual([
    ['curve', true],
    ['amm', true],
  ]);
  expect(steps).toEqual(['prepared', 'opened']);
  const together = await Promise.all([placing(), placing()]);
  expect(together.map(({ id, status }) => [id, status])).toEqual([
    [order.id, 'open'],
    [order.id, 'open'],
  ]);
  const open = [];
  for await (const { id } of client.orders({ status: 'open', mint })) open.push(id);
  expect(open).toEqual([order.id]);
  const stranger = await secretKeySigner(Keypair.generate());
  const foreign = client.placeOrder(waiting((await client.openSlot({}, signer)).id), stranger);
  expect(await foreign.catch((error) => error)).toBeInstanceOf(TypeError);

  const { order: stopped, intent } = await client.withdrawOrder({ orderId: order.id }, signer, {
    idempotencyKey: 'end of today’s order',
  });
  expect(stopped).toMatchObject({ id: order.id, status: 'cancelled', reason: 'requested' });
  expect(intent).toMatchObject({ kind: 'order_slot_advance', status: 'confirmed' });
  expect(await placing()).toMatchObject({ id: order.id, status: 'cancelled' });
  expect(await client.waitForOrder(order.id)).toMatchObject({ status: 'cancelled' });
  const again = await client.withdrawOrder({ orderId: order.id }, signer);
  expect(again).toMatchObject({ order: { status: 'cancelled' }, intent: null });
});

test('a withdrawal that landed has ended the other orders of its nonce, and nothing else', async () => {
  const slot = await client.openSlot({}, signer);
  const apart = await client.placeOrder(waiting((await client.openSlot({}, signer)).id), signer);
  const [first, second] = [
    await client.placeOrder({ ...waiting(slot.id), oco: 'exit' }, signer),
    await client.placeOrder({ ...waiting(slot.id), oco: 'exit' }, signer),
  ];
  const { intent } = await client.withdrawOrder({ orderId: first.id }, signer);
  expect(intent).toMatchObject({ status: 'confirmed' });
  expect(await client.getOrder({ orderId: second.id })).toMatchObject({
    status: 'voided',
    reason: 'withdrawn',
  });
  expect(await client.getOrder({ orderId: first.id })).toMatchObject({ reason: 'requested' });
  expect(await client.getOrder({ orderId: apart.id })).toMatchObject({ status: 'open' });
  await client.closeSlot({ slotId: apart.slotId }, signer);
  expect(await client.getOrder({ orderId: apart.id })).toMatchObject({
    status: 'voided',
    reason: 'slot_closed',
  });
});

test('an order that its wallet does not sign in time is placed anew under the same key', async () => {
  const slot = await client.openSlot({}, signer);
  const options = { idempotencyKey: 'order of yesterday' };
  const refusing: TransactionSigner = {
    address: signer.address,
    signTransaction: () => Promise.reject(new Error('the user declined')),
  };
  const declined = client.placeOrder(waiting(slot.id), refusing, options);
  expect(await declined.catch((error: Error) => error.message)).toBe('the user declined');
  const [first] = (await client.listOrders({ status: 'unsigned' })).data;
  await api.dependencies.database`
    update orders set status = 'expired', reason = 'not_signed', completed_at = now(), version = version + 1
    where id = ${first?.id ?? ''}`;
  const placed = await client.placeOrder(waiting(slot.id), signer, options);
  expect(placed).toMatchObject({ status: 'open' });
  expect(placed.id).not.toBe(first?.id ?? '');
});

test('the command line places, lists, shows and cancels orders, and waits for their ends', async () => {
  const { id: slotId } = await client.openSlot({}, signer);
  const place = (...more: string[]) => [
    'order',
    'place',
    mint,
    '--side',
    'sell',
    '--amount',
    '12.5tokens',
    '--slot',
    slotId,
    '--key-file',
    keyFile,
    ...more,
  ];
  const above = ['--at-or-above', '1000', '--oco', 'exit'];
  const placed = await cli(...place(...above, '--least', '0.5sol', '--this-pool-only', '--json'));
  const steps = /^prepared: order \S+\nnotice: nonce_priority_end_scheduled\nopened: /;
  expect(placed).toMatchObject({ code: 0, err: expect.stringMatching(steps) });
  const order = JSON.parse(placed.out);
  expect(order).toMatchObject({
    status: 'open',
    amountRaw: '12500000',
    limitRaw: '500000000',
    slippageBps: null,
    trigger: { price: '1000', when: 'at_or_above', of: 'spot' },
    transactions: [{ signed: true }, { signed: false }],
  });
  const other = await cli(
    ...place('--at-or-below', '0.000000001', '--of', 'spot', '--slippage', '300', '--oco', 'exit'),
  );
  expect(other).toMatchObject({ code: 0 });
  expect(other.out).toMatch(/^trigger +spot <= 0\.000000001$/m);
  expect(other.out).toMatch(/^amountRaw +12500000 \(12\.5 tokens\)$/m);
  expect(other.out).toMatch(/^venues +curve, amm$/m);
  const listed = await cli('order', 'list', '--status', 'open', '--mint', mint, '--limit', '2');
  expect(listed.out).toMatch(/^ID +STATUS +SIDE +MINT ADDRESS +AMOUNT RAW +TRIGGER +OCO +CREATED AT\n/);
  expect(listed.out).toContain('spot >= 1000');
  const shown = await cli('order', 'show', order.id);
  expect(shown.out).toMatch(/^venues +curve, amm \(not signed\)$/m);
  expect(shown.out).toMatch(/^limitRaw +500000000 \(0\.5 SOL\)$/m);

  const stopped = await cli('order', 'cancel', order.id);
  expect(stopped).toMatchObject({ code: 0, err: expect.stringContaining('The signature stays good') });
  expect(stopped.out).toMatch(/^status +cancelled$/m);
  const revoked = await cli('order', 'cancel', order.id, '--key-file', keyFile);
  expect(revoked).toMatchObject({ code: 0, err: expect.stringMatching(/confirmed: intent \S+\n$/) });
  const waited = await cli('order', 'wait', order.id);
  expect(waited).toMatchObject({ code: 1, err: expect.stringContaining('cancelled (requested)') });

  for (const [words, message] of [
    [place('--slippage', '300'), 'one of --at-or-above and --at-or-below'],
    [place('--at-or-above', '1', '--at-or-below', '1', '--slippage', '300'), 'one of --at-or-above'],
    [place(...above), 'one of --slippage and --least'],
    [place('--at-or-above', '1e-9', '--slippage', '300'), 'the price is a decimal of SOL'],
    [place(...above, '--least', '5tokens'), '--least is in sol here'],
    [place(...above, '--slippage', '300', '--expires', 'tomorrow'), '--expires must be a time'],
  ] as const)
    expect(await cli(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
