import { beforeAll, describe, expect, test } from 'bun:test';
import type { Keypair } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';
import { publishedLimits, unpublishedLimits } from '../../src/shared/contract-limits.ts';
import {
  type Filled,
  fillAccount,
  fillings,
  heldInMemory,
  namesOfAccountLimits,
} from '../support/accounts/full-account.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { landNonceAccount } from '../support/orders/land-nonce-account.ts';
import { TradedMarket } from '../support/trading/traded-market.ts';

const limits = { ...publishedLimits, ...unpublishedLimits };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let market: TradedMarket;
let db: Database;
/** Every account has a key for this wallet. */
let wallet: Keypair;
let mint: string;
let full: Account;

type Account = Filled & { key: TestKey };

beforeAll(async () => {
  market = await TradedMarket.start(() => ({
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  }));
  db = market.api.dependencies.database;
  ({ wallet } = await market.trader());
  ({ mint } = await market.launch());
  full = await createAccount();
  await fillAccount(db, full);
});

async function createAccount(): Promise<Account> {
  const key = await createTestKey(db, { walletAddress: wallet.publicKey.toBase58() });
  return { key, accountId: key.accountId, wallet, mark: key.keyId, mint };
}

const post = (path: string, { key }: Account, body: unknown) =>
  fetch(`${market.api.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...key.header,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });

const takeSlot = (account: Account, nonceAddress = newNonceAddress()) =>
  post('/order-slots', account, { nonceAddress });
const newNonceAddress = () => landNonceAccount(market, wallet).publicKey.toBase58();

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested with OpenAPI
async function answered(response: Response): Promise<any> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const body = (await response.json()) as any;
  expect([response.status, body.code]).toEqual([201, undefined]);
  return body;
}

/** A ready slot that counts to no limit of another. */
async function readySlot(account: Account): Promise<string> {
  return (await answered(await takeSlot(account))).id;
}

const createOrder = (account: Account, slotId: string, more: object = {}) =>
  post('/orders', account, {
    slotId,
    mint,
    side: 'buy',
    amountRaw: '100000000',
    trigger: { price: '0.00000003', when: 'at_or_below' },
    limitRaw: '1',
    ...more,
  });

let exported = 0;
const createExport = (account: Account) => {
  exported += 1;
  return post(`/tokens/${mint}/audience-exports`, account, { top: exported });
};

interface AccountLimit {
  name: keyof typeof fillings;
  /** Makes one more record. @param slotId a ready slot of the account */
  send(account: Account, slotId: string): Promise<Response>;
  code: Parameters<typeof expectProblem>[1];
  context: object;
}

const accountLimits: readonly AccountLimit[] = [
  {
    name: 'webhookEndpointsPerAccount',
    send: (account) => post('/webhook-endpoints', account, { url: 'http://127.0.0.1:8080/hook' }),
    code: 'webhook_endpoint_limit_reached',
    context: { limit: limits.webhookEndpointsPerAccount },
  },
  {
    name: 'openOrderSlotsPerAccount',
    send: (account) => takeSlot(account),
    code: 'order_slot_limit_reached',
    context: { limit: limits.openOrderSlotsPerAccount },
  },
  {
    name: 'openOrdersPerToken',
    send: createOrder,
    code: 'order_limit_reached',
    context: { of: 'token', limit: limits.openOrdersPerToken },
  },
  {
    name: 'openOrdersPerAccount',
    send: createOrder,
    code: 'order_limit_reached',
    context: { of: 'account', limit: limits.openOrdersPerAccount },
  },
  {
    name: 'openAudienceExports',
    send: createExport,
    code: 'operation_limit_reached',
    context: { limit: limits.openAudienceExports },
  },
  {
    name: 'exportBytesPerAccount',
    send: createExport,
    code: 'operation_limit_reached',
    context: { keptBytesMax: String(limits.exportBytesPerAccount) },
  },
];

/** Limits that another file fills while another account is full. */
const filledElsewhere: Readonly<Record<string, string>> = {
  openLaunchesPerAccount: 'test/contract/launches.test.ts',
  imagesPerDay: 'test/contract/images.test.ts, test/contract/accounts-apart.test.ts',
  imageBytesPerDay: 'test/contract/images.test.ts, test/contract/accounts-apart.test.ts',
};

describe('while another account of its wallet is full, an account may have as many as the limit, and no more:', () => {
  test.each(accountLimits)('$name', async ({ name, send, code, context }) => {
    const [account, reached] = [await createAccount(), await createAccount()];
    const [slotId, slotOfReached] = [await readySlot(account), await readySlot(reached)];
    await fillAccount(db, account, [name], 1);
    const last = await send(account, slotId);
    expect([last.ok, await codeOf(last)]).toEqual([true, undefined]);
    await expectProblem(await send(account, slotId), code);
    await fillAccount(db, reached, [name]);
    const refused = await expectProblem(await send(reached, slotOfReached), code);
    expect(refused.context).toMatchObject(context);
  });

  test('every limit of an account is filled here or in the file that is named', () => {
    const known = [...accountLimits.map(({ name }) => name), ...Object.keys(filledElsewhere)];
    expect([...Object.keys(fillings), ...heldInMemory].sort()).toEqual(namesOfAccountLimits().sort());
    expect(known.sort()).toEqual(Object.keys(fillings).sort());
  });
});

async function codeOf(response: Response): Promise<string | undefined> {
  return ((await response.json()) as { code?: string }).code;
}

test('a nonce account that another account of the wallet has taken can be taken, and its slot is not named', async () => {
  const [one, other] = [await createAccount(), await createAccount()];
  const nonceAddress = newNonceAddress();
  await answered(await takeSlot(one, nonceAddress));
  const own = await answered(await takeSlot(other, nonceAddress));
  const { context } = await expectProblem(await takeSlot(other, nonceAddress), 'order_slot_exists');
  expect(context).toEqual({ slotId: own.id });
});

describe('a new order ends', () => {
  let account: Account;
  beforeAll(async () => {
    account = await createAccount();
  });

  const ahead = (ms: number) => ({ expiresAt: new Date(Date.now() + ms).toISOString() });
  /** Milliseconds from its creation to its end as it was stored, and to its expiry. */
  async function storedEnds(more: object): Promise<{ endsMs: number; expiresMs: number }> {
    const { id } = await answered(await createOrder(account, await readySlot(account), more));
    const [order] = await db<Record<'createdAt' | 'endsAt' | 'expiresAt', Date>[]>`
      select created_at, ends_at, expires_at from orders where id = ${id}`;
    if (order === undefined) throw new Error('the order is stored');
    const since = (time: Date) => time.getTime() - order.createdAt.getTime();
    return { endsMs: since(order.endsAt), expiresMs: since(order.expiresAt) };
  }

  test('unless it is signed within orderSigningMinutes, and otherwise after orderDays', async () => {
    const { orderSigningMinutes, orderDays } = unpublishedLimits;
    const ends = { endsMs: orderSigningMinutes * MINUTE_MS, expiresMs: orderDays * DAY_MS };
    expect(await storedEnds({})).toEqual(ends);
  });

  test('at its expiry where that is sooner', async () => {
    const { endsMs, expiresMs } = await storedEnds(ahead(2 * MINUTE_MS));
    expect(endsMs).toBe(expiresMs);
  });

  test('after orderDays at most', async () => {
    const most = unpublishedLimits.orderDays * DAY_MS;
    expect((await storedEnds(ahead(most - 1_000))).endsMs).toBe(
      unpublishedLimits.orderSigningMinutes * MINUTE_MS,
    );
    const late = await createOrder(account, await readySlot(account), ahead(most + MINUTE_MS));
    expect((await expectProblem(late, 'validation_failed')).errors).toMatchObject([
      { path: '/body/expiresAt', code: 'out_of_range' },
    ]);
  });
});
