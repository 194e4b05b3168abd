import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { Keypair, NONCE_ACCOUNT_LENGTH, NonceAccount, SystemProgram } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { COMPUTE_BUDGET, SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { lifetimeOf } from '../../src/chain/transaction-lifetime.ts';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import { enterWorkerKeys } from '../../src/db/worker-keys.ts';
import { changeOrder } from '../../src/features/orders/change-orders.ts';
import { lockOrders } from '../../src/features/orders/order-rows.ts';
import { openOrderTransaction } from '../../src/features/orders/sealed-transaction.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { rentOn } from '../support/chain/cluster-rent.ts';
import { setFeature } from '../support/chain/feature-accounts.ts';
import { interceptNode, type NodeInterceptor } from '../support/chain/node-interceptor.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { landNonceAccount } from '../support/orders/land-nonce-account.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { signBytes, TradedMarket, type Trader } from '../support/trading/traded-market.ts';

let market: TradedMarket;
let node: NodeInterceptor;
let token: LaunchAddresses;

beforeAll(async () => {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  node = interceptNode(chain.rpcUrl);
  atEnd(() => node.stop());
  const [priority, removal] = [newAddress(), newAddress()];
  setFeature(chain, priority, null);
  market = await TradedMarket.over(chain, {
    SOLANA_RPC_URL: node.rpcUrl,
    NONCE_GATES: `priority=${priority},removal=${removal}`,
  });
  const { nonceGates } = market.api.dependencies;
  await eventually('the gates are known', async () =>
    nonceGates.states().every(({ state }) => state !== null),
  );
  token = await market.launch();
});
beforeEach(() => {
  node.answer = () => null;
  market.settle();
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested with OpenAPI
type Body = any;

function request(
  method: string,
  path: string,
  { key }: Pick<Trader, 'key'>,
  body?: unknown,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Response> {
  const headers = { ...key.header, 'idempotency-key': idempotencyKey };
  return fetch(`${market.api.baseUrl}${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function answered(response: Response, status: number): Promise<Body> {
  const body: Body = await response.json();
  expect([response.status, body.code]).toEqual([status, undefined]);
  return body;
}

const read = async (orderId: string, trader: Trader): Promise<Body> =>
  answered(await request('GET', `/orders/${orderId}`, trader), 200);

/** A nonce account of the wallet, and its slot. */
async function slotOf(trader: Trader): Promise<{ slotId: string; account: Keypair }> {
  const { wallet } = trader;
  const account = landNonceAccount(market, wallet);
  const created = await request('POST', '/order-slots', trader, {
    nonceAddress: account.publicKey.toBase58(),
  });
  return { slotId: (await answered(created, 201)).id, account };
}

function nonceOf(account: Keypair): string {
  const held = market.chain.ledger.vm.getAccount(account.publicKey.toBase58());
  if (held === null || held === undefined || held.data.byteLength !== NONCE_ACCOUNT_LENGTH)
    throw new Error('no nonce account');
  return NonceAccount.fromAccountData(Buffer.from(held.data)).nonce;
}

/** The wallet advances its nonce without the service. */
function advance({ wallet }: Trader, account: Keypair): void {
  const advanced = { noncePubkey: account.publicKey, authorizedPubkey: wallet.publicKey };
  market.land([SystemProgram.nonceAdvance(advanced)], [wallet]);
}

const buyAt = (slotId: string, more: Record<string, unknown> = {}) => ({
  slotId,
  mint: token.mint,
  side: 'buy',
  amountRaw: '100000000',
  trigger: { price: '0.00000003', when: 'at_or_below' },
  limitRaw: '1',
  ...more,
});

const created = async (trader: Trader, body: unknown): Promise<Body> =>
  answered(await request('POST', '/orders', trader, body), 201);

/** Signed transactions of an order, all of them or those of some venues. */
function signaturesOf(order: Body, { wallet }: Trader, venues: readonly string[] = ['curve', 'amm']) {
  return {
    transactions: order.transactions
      .filter(({ venue }: Body) => venues.includes(venue))
      .map(({ id, serializedTransaction }: Body) => ({
        id,
        signedTransaction: Buffer.from(
          signBytes(Buffer.from(serializedTransaction, 'base64'), wallet),
        ).toString('base64'),
      })),
  };
}

const sign = (order: Body, trader: Trader, body: unknown = signaturesOf(order, trader)) =>
  request('POST', `/orders/${order.id}/signatures`, trader, body);

async function opened(trader: Trader, body: unknown): Promise<Body> {
  const order = await created(trader, body);
  return answered(await sign(order, trader), 200);
}

async function eventsOf(orderId: string): Promise<{ name: string; data: Body }[]> {
  const rows = await market.api.dependencies.database<{ type: string; body: string }[]>`
    select type, body from events where subject = ${orderId} order by id`;
  return rows.map(({ type, body }) => ({
    name: type.replace('build.service.', '').replace('.v1', ''),
    data: JSON.parse(body).data,
  }));
}

const errorsOf = async (response: Response) =>
  ((await expectProblem(response, 'validation_failed')).errors ?? []).map(({ path, code }) => [path, code]);

describe('createOrder (contract/orders#create)', () => {
  test('prepares a transaction for the curve and one for its pool, over the nonce of the chain', async () => {
    const trader = await market.trader();
    const { slotId, account } = await slotOf(trader);
    // The nonce that the slot lists is older.
    advance(trader, account);
    const nonce = nonceOf(account);
    const order = await created(trader, {
      ...buyAt(slotId, { limitRaw: undefined, slippageBps: 300, oco: 'exit' }),
      computeUnitPrice: '1000',
    });
    const walletAddress = trader.key.walletAddress;
    // 0.1 SOL at 0.00000003 SOL, less three percent.
    expect(order).toMatchObject({
      status: 'unsigned',
      version: 1,
      walletAddress,
      mintAddress: token.mint,
      limitRaw: '3233333333333',
      slippageBps: 300,
      trigger: { price: '0.00000003', when: 'at_or_below', of: 'spot' },
      slotId,
      oco: 'exit',
      route: 'fast',
      triggeredBy: null,
      intentId: null,
      attempts: 0,
      openedAt: null,
    });
    expect(order.transactions).toMatchObject([
      { venue: 'curve', signed: false, sending: { computeUnitLimit: 200_000, computeUnitPrice: '1000' } },
      { venue: 'amm', signed: false },
    ]);
    for (const { serializedTransaction } of order.transactions) {
      const bytes = Buffer.from(serializedTransaction, 'base64');
      const view = readTransaction(bytes);
      if (view === null) throw new Error('not a transaction');
      const nonceAccount = account.publicKey.toBase58();
      expect(lifetimeOf(bytes, view)).toEqual({ kind: 'nonce', nonceAccount, nonce });
    }
    expect(await read(order.id, trader)).toEqual(order);
    const [row] = await market.api.dependencies.database`
      select policy, quote, message_hash from order_transactions where order_id = ${order.id} and venue = 'curve'`;
    expect(row).toMatchObject({
      policy: { requireSimulation: true },
      quote: { side: 'buy', inputMint: WRAPPED_SOL_MINT, outputRaw: '3333333333333' },
    });
    expect(row?.policy.allowedPrograms).toEqual(expect.arrayContaining([SYSTEM_PROGRAM, COMPUTE_BUDGET]));
    const message = Buffer.from(order.transactions[0].serializedTransaction, 'base64').subarray(65);
    expect(row?.messageHash).toEqual(createHash('sha256').update(message).digest());
    expect(await eventsOf(order.id)).toEqual([]);
  });

  test('says what the cluster is about to do with its nonce, also when it is read later; lists do not', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const order = await created(trader, buyAt(slotId));
    expect(order.notices).toEqual(['nonce_priority_end_scheduled']);
    expect((await read(order.id, trader)).notices).toEqual(order.notices);
    const [listed] = (await answered(await request('GET', '/orders', trader), 200)).data;
    expect([listed.id, listed.notices]).toEqual([order.id, undefined]);
  });

  test('the signed transaction of the curve lands, and that of the pool after the migration', async () => {
    const trader = await market.trader();
    const moving = await market.launch();
    const { slotId, account } = await slotOf(trader);
    const buy = { ...buyAt(slotId), mint: moving.mint };
    const signedBy = (order: Body, venue: string) =>
      Buffer.from(signaturesOf(order, trader, [venue]).transactions[0].signedTransaction, 'base64');
    const first = await created(trader, buy);
    const [onCurve, beforeMigration] = [signedBy(first, 'curve'), signedBy(first, 'amm')];
    expect(market.landSigned(onCurve)).toBeNull();
    // One nonce, one landing.
    expect(() => market.landSigned(beforeMigration)).toThrow('refused without a trace');
    await answered(await request('DELETE', `/orders/${first.id}`, trader), 200);
    const second = await created(trader, buy);
    const late = signedBy(second, 'amm');
    await answered(await request('DELETE', `/orders/${second.id}`, trader), 200);
    await market.complete(moving);
    market.migrate(moving);
    const held = nonceOf(account);
    expect(market.landSigned(late)).toBeNull();
    expect(nonceOf(account)).not.toBe(held);
    const third = await created(trader, buy);
    expect(third.transactions).toMatchObject([{ venue: 'amm' }]);
    expect(market.landSigned(signedBy(third, 'amm'))).toBeNull();
  });

  test('refuses fields that contradict each other or the contract', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();
    const day = 24 * 3_600_000;
    for (const [change, path, code] of [
      [{ amountRaw: '0' }, '/body/amountRaw', 'out_of_range'],
      [{ amountRaw: String(2n ** 64n) }, '/body/amountRaw', 'out_of_range'],
      [{ limitRaw: '0' }, '/body/limitRaw', 'out_of_range'],
      [{ limitRaw: String(2n ** 64n) }, '/body/limitRaw', 'out_of_range'],
      [{ slippageBps: 100 }, '/body/limitRaw', 'invalid_value'],
      [{ limitRaw: undefined }, '/body/slippageBps', 'required'],
      [{ limitRaw: undefined, slippageBps: 10_000 }, '/body/amountRaw', 'out_of_range'],
      [
        {
          limitRaw: undefined,
          slippageBps: 0,
          trigger: { price: '0.000000000000000001', when: 'at_or_below' },
          amountRaw: String(2n ** 63n),
        },
        '/body/amountRaw',
        'out_of_range',
      ],
      [{ trigger: { price: '0', when: 'at_or_below' } }, '/body/trigger/price', 'out_of_range'],
      [
        { trigger: { price: `0.${'0'.repeat(18)}1`, when: 'at_or_below' } },
        '/body/trigger/price',
        'out_of_range',
      ],
      [{ trigger: { price: '1'.repeat(13), when: 'at_or_below' } }, '/body/trigger/price', 'out_of_range'],
      [{ trigger: { price: '1', when: 'above' } }, '/body/trigger/when', 'invalid_value'],
      [{ trigger: { price: '1', when: 'at_or_above', of: 'mid' } }, '/body/trigger/of', 'invalid_value'],
      [{ expiresAt: ahead(1_000) }, '/body/expiresAt', 'out_of_range'],
      [{ expiresAt: ahead(91 * day) }, '/body/expiresAt', 'out_of_range'],
      [{ oco: 'a b' }, '/body/oco', 'invalid_format'],
      [{ computeUnitPrice: String(2n ** 63n) }, '/body/computeUnitPrice', 'out_of_range'],
    ] as const)
      expect([
        change,
        await errorsOf(await request('POST', '/orders', trader, buyAt(slotId, change))),
      ]).toEqual([change, [[path, code]]]);
    const protectedOrder = buyAt(slotId, { route: 'protected' });
    await expectProblem(await request('POST', '/orders', trader, protectedOrder), 'send_route_unavailable');
    expect((await answered(await request('GET', '/orders', trader), 200)).data).toEqual([]);
  });

  test('refuses slots that hold no nonce of the account, and tokens that nobody can trade', async () => {
    const trader = await market.trader();
    const { slotId, account } = await slotOf(trader);
    const other = await market.trader();
    const post = (body: unknown, by = trader) => request('POST', '/orders', by, body);
    await expectProblem(await post(buyAt(crypto.randomUUID())), 'order_slot_not_found');
    await expectProblem(await post(buyAt(slotId), other), 'order_slot_not_found');
    const unknown = Keypair.generate().publicKey.toBase58();
    await expectProblem(await post(buyAt(slotId, { mint: unknown })), 'token_not_found');
    await market.list(unknown, null);
    const untradable = await expectProblem(
      await post(buyAt(slotId, { mint: unknown })),
      'token_not_tradable',
    );
    expect(untradable.context).toMatchObject({ reason: 'not_launched' });
    node.answer = (method) => (method === 'getMultipleAccounts' ? { code: -32_000, message: 'down' } : null);
    await expectProblem(await post(buyAt(slotId)), 'chain_unavailable');
    node.answer = () => null;
    const ends = {
      noncePubkey: account.publicKey,
      authorizedPubkey: trader.wallet.publicKey,
      toPubkey: trader.wallet.publicKey,
      lamports: Number(rentOn(market.chain.ledger, NONCE_ACCOUNT_LENGTH)),
    };
    market.land([SystemProgram.nonceWithdraw(ends)], [trader.wallet]);
    const gone = await expectProblem(await post(buyAt(slotId)), 'order_slot_not_ready');
    expect(gone.context).toEqual({ status: 'closed' });
    await market.api.dependencies.database`
      update order_slots set status = 'closed', completed_at = now() where id = ${slotId}`;
    await expectProblem(await post(buyAt(slotId)), 'order_slot_not_ready');
  });

  test('a slot holds one order, or those of one group, however many requests come at once', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const race = await Promise.all([1, 2, 3].map(() => request('POST', '/orders', trader, buyAt(slotId))));
    const statuses = race.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 409, 409]);
    const [alone] = (await answered(await request('GET', '/orders', trader), 200)).data;
    const refused = await request('POST', '/orders', trader, buyAt(slotId, { oco: 'exit' }));
    expect((await expectProblem(refused, 'order_slot_in_use')).context).toEqual({ orderId: alone.id });
    await answered(await request('DELETE', `/orders/${alone.id}`, trader), 200);
    const exit = buyAt(slotId, { oco: 'exit' });
    await created(trader, exit);
    await created(trader, { ...exit, side: 'sell' });
    await expectProblem(await request('POST', '/orders', trader, buyAt(slotId)), 'order_slot_in_use');
    const otherGroup = buyAt(slotId, { oco: 'entry' });
    await expectProblem(await request('POST', '/orders', trader, otherGroup), 'order_slot_in_use');
  });

  test('an account has at most 100 orders, and 20 of one token', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const group = buyAt(slotId, { oco: 'exit' });
    const { id } = await created(trader, group);
    const copies = (count: number, mint: string) => market.api.dependencies.database`
      insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, oco_group, mint_address, side,
        amount_raw, limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version,
        expires_at, ends_at, created_at)
      select gen_random_uuid(), account_id, slot_id, wallet_address, nonce_address, nonce, oco_group, ${mint}, side,
        amount_raw, limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version,
        expires_at, ends_at, created_at
      from orders, generate_series(1, ${count}::int) where id = ${id}`;
    await copies(18, token.mint);
    const race = await Promise.all([group, group].map((body) => request('POST', '/orders', trader, body)));
    const [ok, refused] = race.toSorted((one, two) => one.status - two.status);
    if (ok === undefined || refused === undefined) throw new Error('two requests were sent');
    expect(ok.status).toBe(201);
    const { context } = await expectProblem(refused, 'order_limit_reached');
    expect(context).toEqual({ of: 'token', limit: 20 });
    await copies(80, 'another');
    const other = await market.launch();
    const full = await request('POST', '/orders', trader, { ...group, mint: other.mint });
    expect((await expectProblem(full, 'order_limit_reached')).context).toEqual({ of: 'account', limit: 100 });
  });

  test('a repeated request is one order', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const key = crypto.randomUUID();
    const texts = [];
    for (let time = 0; time < 2; time += 1)
      texts.push(await (await request('POST', '/orders', trader, buyAt(slotId), key)).text());
    expect(texts[1]).toBe(texts[0] ?? '');
    expect((await answered(await request('GET', '/orders', trader), 200)).data).toHaveLength(1);
  });
});

describe('signOrder (contract/orders#sign)', () => {
  test('opens the order, appends its event, and seals the bytes', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const order = await created(trader, buyAt(slotId));
    const body = signaturesOf(order, trader);
    const open = await answered(await sign(order, trader, body), 200);
    expect(open).toMatchObject({
      status: 'open',
      version: 2,
      openedAt: expect.any(String),
      transactions: [
        { venue: 'curve', signed: true },
        { venue: 'amm', signed: true },
      ],
    });
    expect(await eventsOf(order.id)).toEqual([{ name: 'order.opened', data: open }]);
    const { database, orderBox } = market.api.dependencies;
    const rows = await database<{ id: string; sealedTransaction: Uint8Array }[]>`
      select id, sealed_transaction from order_transactions where order_id = ${order.id} order by venue desc`;
    for (const [at, { id, signedTransaction }] of body.transactions.entries()) {
      const sealed = rows[at]?.sealedTransaction ?? new Uint8Array();
      const signed = Buffer.from(signedTransaction, 'base64');
      expect(Buffer.from(sealed).includes(signed.subarray(1, 65))).toBe(false);
      expect(Buffer.from(openOrderTransaction(orderBox, id, sealed))).toEqual(signed);
    }
    const again = await expectProblem(await sign(order, trader, body), 'order_not_unsigned');
    expect(again.context).toEqual({ status: 'open' });
    const [row] = await database`select ends_at = expires_at as lives from orders where id = ${order.id}`;
    expect(row?.lives).toBe(true);
  });

  test('takes the curve alone, and never the pool alone, nor what is no transaction of the order', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const order = await created(trader, buyAt(slotId));
    const [curve] = signaturesOf(order, trader, ['curve']).transactions;
    const ammAlone = signaturesOf(order, trader, ['amm']);
    expect(await errorsOf(await sign(order, trader, ammAlone))).toEqual([['/body/transactions', 'required']]);
    const strange = { transactions: [{ ...curve, id: crypto.randomUUID() }] };
    expect(await errorsOf(await sign(order, trader, strange))).toEqual([
      ['/body/transactions/0/id', 'invalid_value'],
    ]);
    const twice = { transactions: [curve, curve] };
    expect(await errorsOf(await sign(order, trader, twice))).toEqual([
      ['/body/transactions', 'invalid_value'],
    ]);
    const garbage = { transactions: [{ ...curve, signedTransaction: 'AAAA' }] };
    expect(await errorsOf(await sign(order, trader, garbage))).toEqual([
      ['/body/transactions/0/signedTransaction', 'invalid_format'],
    ]);
    const open = await answered(await sign(order, trader, { transactions: [curve] }), 200);
    expect(open.transactions).toMatchObject([{ signed: true }, { signed: false }]);
  });

  test('refuses changed bytes, wrong signers and missing signatures', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const order = await created(trader, buyAt(slotId));
    const [{ id, serializedTransaction }] = order.transactions;
    const unsigned = Buffer.from(serializedTransaction, 'base64');
    const body = (bytes: Uint8Array) => ({
      transactions: [{ id, signedTransaction: Buffer.from(bytes).toString('base64') }],
    });
    const signed = signBytes(unsigned, trader.wallet);
    const changed = Uint8Array.from(signed);
    const at = readTransaction(signed)?.blockhashOffset ?? 0;
    changed.set([(changed[at] ?? 0) ^ 1], at);
    await expectProblem(await sign(order, trader, body(changed)), 'transaction_intent_tampered');
    const missing = await expectProblem(
      await sign(order, trader, body(unsigned)),
      'transaction_intent_invalid_signature',
    );
    expect(missing.detail).toContain('unsigned');
    const stranger = signBytes(unsigned, Keypair.generate());
    await expectProblem(await sign(order, trader, body(stranger)), 'transaction_intent_invalid_signature');
    const second = Keypair.generate();
    const key = await createTestKey(market.api.dependencies.database, {
      walletAddress: second.publicKey.toBase58(),
      accountId: trader.key.accountId,
    });
    const wrong = 'transaction_intent_wrong_signer';
    await expectProblem(await sign(order, { ...trader, key }, body(signed)), wrong);
    await expectProblem(await sign(order, trader, body(signBytes(unsigned, second))), wrong);
    const other = await market.trader();
    await expectProblem(await sign(order, other, body(signed)), 'order_not_found');
    expect(await read(order.id, trader)).toEqual(order);
  });

  test('refuses a spent nonce, an ended order, and is undecided while no node answers', async () => {
    const trader = await market.trader();
    const { slotId, account } = await slotOf(trader);
    const { database } = market.api.dependencies;
    const order = await created(trader, buyAt(slotId));
    node.answer = (method) => (method === 'getMultipleAccounts' ? { code: -32_000, message: 'down' } : null);
    await expectProblem(await sign(order, trader), 'chain_unavailable');
    node.answer = () => null;
    advance(trader, account);
    await expectProblem(await sign(order, trader), 'order_nonce_spent');
    await database`update orders set ends_at = now() - interval '1 second' where id = ${order.id}`;
    const late = await expectProblem(await sign(order, trader), 'order_not_unsigned');
    expect(late.context).toEqual({ status: 'expired' });
    await expectProblem(
      await request('POST', `/orders/${crypto.randomUUID()}/signatures`, trader, signaturesOf(order, trader)),
      'order_not_found',
    );
  });
});

test('no order is taken or opened while no worker has the key (contract/orders#unavailable)', async () => {
  const trader = await market.trader();
  const { slotId } = await slotOf(trader);
  const { database } = market.api.dependencies;
  const order = await created(trader, buyAt(slotId, { oco: 'exit' }));
  const [other, keys] = [Buffer.alloc(32, 1), market.api.config];
  await database`delete from worker_keys`;
  for (const orderKeys of [[], [other]]) {
    await enterWorkerKeys(database, { ...keys, orderKeys });
    const again = await request('POST', '/orders', trader, buyAt(slotId, { oco: 'exit' }));
    await expectProblem(again, 'orders_unavailable');
    await expectProblem(await sign(order, trader), 'orders_unavailable');
    expect(await read(order.id, trader)).toEqual(order);
  }
  await enterWorkerKeys(database, { ...keys, orderKeys: [other, ...keys.orderKeys] });
  await answered(await sign(order, trader), 200);
  await created(trader, buyAt(slotId, { oco: 'exit' }));
});

describe('cancelOrder (contract/orders#cancel)', () => {
  const remove = (orderId: string, trader: Trader) => request('DELETE', `/orders/${orderId}`, trader);

  test('stops the order, erases the bytes, and carries the intent that makes them worthless', async () => {
    const trader = await market.trader();
    const { slotId, account } = await slotOf(trader);
    const order = await opened(trader, buyAt(slotId));
    const before = await read(order.id, trader);
    const signed = signaturesOf(before, trader, ['curve']).transactions[0].signedTransaction;
    const {
      order: cancelled,
      intent,
      sending,
      missing,
    } = await answered(await remove(order.id, trader), 200);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      reason: 'requested',
      version: 3,
      completedAt: expect.any(String),
      advanceIntentId: intent.id,
    });
    expect([missing, sending.route]).toEqual([null, 'fast']);
    expect(intent).toMatchObject({ kind: 'order_slot_advance', status: 'prepared' });
    expect((await eventsOf(order.id)).at(-1)).toEqual({ name: 'order.cancelled', data: cancelled });
    const [sealed] = await market.api.dependencies.database`
      select count(sealed_transaction)::int as left from order_transactions where order_id = ${order.id}`;
    expect(sealed?.left).toBe(0);
    const held = nonceOf(account);
    expect(market.landSigned(await market.sign(intent.id, trader))).toBeNull();
    expect(nonceOf(account)).not.toBe(held);
    expect(() => market.landSigned(Buffer.from(signed, 'base64'))).toThrow('refused without a trace');
    const again = await answered(await remove(order.id, trader), 200);
    expect(again).toMatchObject({ intent: null, missing: 'nonce_spent', order: { version: 3 } });
  });

  test('stops the order although the chain gives no intent, and gives it to a later request', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const order = await opened(trader, buyAt(slotId, { oco: 'exit' }));
    for (const down of ['getMultipleAccounts', 'simulateTransaction']) {
      node.answer = (method) => (method === down ? { code: -32_000, message: 'down' } : null);
      const stopped = await answered(await remove(order.id, trader), 200);
      expect(stopped).toMatchObject({
        order: { status: 'cancelled', version: 3 },
        intent: null,
        sending: null,
        missing: 'chain_unavailable',
      });
    }
    node.answer = () => null;
    const later = await answered(await remove(order.id, trader), 200);
    expect(later).toMatchObject({
      order: { version: 3 },
      intent: { kind: 'order_slot_advance' },
      missing: null,
    });
    const poor = { wallet: trader.wallet, lamports: market.lamportsOf(trader) };
    const target = Keypair.generate().publicKey;
    const rest = Number(poor.lamports) - 5_000;
    market.land(
      [SystemProgram.transfer({ fromPubkey: trader.wallet.publicKey, toPubkey: target, lamports: rest })],
      [trader.wallet],
    );
    expect(await answered(await remove(order.id, trader), 200)).toMatchObject({
      intent: null,
      missing: 'refused',
    });
  });

  test('of an unsigned order needs no intent', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const order = await created(trader, buyAt(slotId));
    const { missing, order: cancelled } = await answered(await remove(order.id, trader), 200);
    expect([missing, cancelled.status, cancelled.version]).toEqual(['nothing_signed', 'cancelled', 2]);
    await expectProblem(await sign(order, trader), 'order_not_unsigned');
  });

  test('is refused after the order was sent, and for what can never land', async () => {
    const trader = await market.trader();
    const { slotId } = await slotOf(trader);
    const { database } = market.api.dependencies;
    const order = await opened(trader, buyAt(slotId));
    const trigger = { tradeId: crypto.randomUUID(), slot: 7n, price: '0.000000029' };
    await database.begin(async (transaction) => {
      const [row] = await lockOrders(transaction, [order.id]);
      if (row === undefined) throw new Error('no order');
      await changeOrder(transaction, { order: row, to: 'triggered', trigger }, market.api.dependencies);
    });
    const triggered = await read(order.id, trader);
    expect(triggered).toMatchObject({
      status: 'triggered',
      triggeredBy: { tradeId: trigger.tradeId, slot: '7', price: '0.000000029' },
    });
    const swap = await market.prepared(token.mint, trader, { side: 'buy', amountRaw: '1000000' });
    await database`update orders set intent_id = ${swap.intentId}, version = version + 1 where id = ${order.id}`;
    const refused = await expectProblem(await remove(order.id, trader), 'order_not_cancellable');
    expect(refused.context).toEqual({ status: 'triggered' });
    await database.begin(async (transaction) => {
      const [row] = await lockOrders(transaction, [order.id]);
      if (row === undefined) throw new Error('no order');
      await changeOrder(
        transaction,
        { order: row, to: 'voided', reason: 'nonce_spent' },
        market.api.dependencies,
      );
    });
    const voided = await expectProblem(await remove(order.id, trader), 'order_not_cancellable');
    expect(voided.context).toEqual({ status: 'voided' });
    const other = await market.trader();
    await expectProblem(await remove(order.id, other), 'order_not_found');
    await expectProblem(await remove(crypto.randomUUID(), trader), 'order_not_found');
    await expectProblem(await request('GET', `/orders/${order.id}`, other), 'order_not_found');
  });
});

test('the list has pages and filters, newest first, of its account alone (contract/orders#list)', async () => {
  const trader = await market.trader();
  const { slotId } = await slotOf(trader);
  const group = buyAt(slotId, { oco: 'exit' });
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift((await created(trader, group)).id);
  for (const id of ids.slice(0, 2)) await answered(await request('DELETE', `/orders/${id}`, trader), 200);
  const listed = async (query: string): Promise<Body> =>
    answered(await request('GET', `/orders${query}`, trader), 200);
  const seen: string[] = [];
  let query = '?limit=2';
  for (let pages = 0; pages < 3; pages += 1) {
    const { data, page } = await listed(query);
    seen.push(...data.map(({ id }: Body) => id));
    expect(page.hasMore).toBe(pages < 2);
    query = `?limit=2&cursor=${page.nextCursor}`;
  }
  expect(seen).toEqual(ids);
  const idsOf = async (filter: string) => (await listed(filter)).data.map(({ id }: Body) => id);
  expect(await idsOf('?status=cancelled')).toEqual(ids.slice(0, 2));
  expect(await idsOf(`?status=unsigned&mint=${token.mint}`)).toEqual(ids.slice(2));
  expect(await idsOf(`?mint=${WRAPPED_SOL_MINT}`)).toEqual([]);
  const { page } = await listed('?limit=2');
  const other = await market.trader();
  await expectProblem(await request('GET', `/orders?cursor=${page.nextCursor}`, other), 'cursor_invalid');
});
