import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../src/chain/accounts/token-account.ts';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import { expectProblem } from '../support/api/problems.ts';
import { rentOn } from '../support/chain/cluster-rent.ts';
import { type PricedNode, startPricedNode } from '../support/chain/priced-node.ts';
import { type SendingNode, startSendingNode } from '../support/intents/sending-node.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { startLaunchStage } from '../support/launches/launch-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

const buy = { side: 'buy', amountRaw: '10000000', simulate: true };
const hundred = Array.from({ length: 100 }, (_, at) => (at + 1) * 1_000);
// Accounts that hold their rent: a tip below it would not land.
let [plainTip, guardTip] = ['', ''];
let chain: SandboxChain;
/** Somebody else's node: it may know prices, but no protected transaction. */
let publicNode: PricedNode;
let plain: SendingNode;
let guard: SendingNode;
let market: TradedMarket;
let trader: Trader;
let token: LaunchAddresses;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  [plainTip, guardTip] = [await tipAccount(chain), await tipAccount(chain)];
  publicNode = startPricedNode(chain.rpcUrl, hundred);
  [plain, guard] = [startSendingNode(), startSendingNode()];
  market = await TradedMarket.over(chain, {
    SOLANA_RPC_URL: `${publicNode.url},mine:own=${chain.rpcUrl}`,
    SOLANA_SEND_URL: `plain=${plain.url},guard:protected=${guard.url}`,
    MAX_COMPUTE_UNIT_PRICE: '90000',
    TIP_LAMPORTS: '5000',
    MIN_TIP_LAMPORTS: '1000',
    MAX_TIP_LAMPORTS: '8000',
    TIP_ACCOUNTS: `plain=${plainTip},guard=${guardTip}`,
  });
  trader = await market.trader();
  token = await market.launch();
});

beforeEach(() => {
  market.settle();
  publicNode.methods.length = 0;
});

async function tipAccount({ rpcUrl }: SandboxChain): Promise<string> {
  return (await fundedWallet(rpcUrl)).publicKey.toBase58();
}

interface Sending {
  route: string;
  priorityLevel: string | null;
  computeUnitPrice: string;
  computeUnitLimit: number;
  priorityFeeLamports: string;
  tipLamports: string;
  tipService: string | null;
}

async function prepared(fields: Record<string, unknown>, over = market, by = trader, mint = token.mint) {
  const answer = await over.freshlyPrepared(mint, by, { ...buy, ...fields });
  return { ...answer, sending: (answer as unknown as { sending: Sending }).sending };
}

/** Price and limit of a v0 transaction. */
function budgetOf(serializedTransaction: string) {
  const bytes = Buffer.from(serializedTransaction, 'base64');
  const [limit, price] = readTransaction(bytes)?.instructions ?? [];
  return {
    limit: bytes.readUInt32LE((limit?.dataOffset ?? 0) + 1),
    price: price?.dataLength === 9 ? bytes.readBigUInt64LE(price.dataOffset + 1) : 0n,
  };
}

const refusedField = async (fields: Record<string, unknown>, over = market) => {
  const response = await over.swap(token.mint, trader, { ...buy, ...fields });
  const { errors } = await expectProblem(response, 'validation_failed');
  return errors;
};

describe('the price of priority', () => {
  test.each([
    ['min', '1000'],
    ['low', '25000'],
    ['medium', '50000'],
    ['high', '75000'],
    // Above the operator's maximum.
    ['veryHigh', '90000'],
  ])('of the level %s is what the blocks asked, up to the maximum', async (level, price) => {
    const { sending, intent } = await prepared({ computeUnitPrice: level });
    expect(sending).toMatchObject({ priorityLevel: level, computeUnitPrice: price });
    expect(intent).toMatchObject({ priorityLevel: level, route: 'fast' });
    const { limit, price: used } = budgetOf(intent.serializedTransaction);
    expect([String(used), limit]).toEqual([price, sending.computeUnitLimit]);
    expect(sending.priorityFeeLamports).toBe(String(Math.ceil((limit * Number(price)) / 1e6)));
  });

  test('is by default that of `auto`, which is `high`, and names no level', async () => {
    for (const fields of [{}, { computeUnitPrice: 'auto' }]) {
      const { sending, intent } = await prepared(fields);
      expect(sending).toMatchObject({ priorityLevel: null, computeUnitPrice: '75000' });
      expect(intent.priorityLevel).toBeNull();
    }
  });

  test('is a number as before', async () => {
    const { sending } = await prepared({ computeUnitPrice: '12345' });
    expect(sending).toMatchObject({ priorityLevel: null, computeUnitPrice: '12345' });
  });

  test.each([
    ['auto', '700'],
    ['medium', '1'],
    ['90000', '2500'],
    ['high', '0'],
  ])('of %s costs at most the given lamports (%s)', async (computeUnitPrice, maxPriorityLamports) => {
    const { sending, intent } = await prepared({ computeUnitPrice, maxPriorityLamports });
    const { limit, price } = budgetOf(intent.serializedTransaction);
    expect(String(price)).toBe(sending.computeUnitPrice);
    expect(limit).toBe(sending.computeUnitLimit);
    const most = (BigInt(maxPriorityLamports) * 1_000_000n) / BigInt(limit);
    expect(price).toBe(most);
    expect(BigInt(sending.priorityFeeLamports)).toBeLessThanOrEqual(BigInt(maxPriorityLamports));
    const error = market.landSigned(await market.sign(intent.id, trader));
    expect(error).toBeNull();
  });

  test('is not raised to a bound that it does not reach', async () => {
    const { sending } = await prepared({
      computeUnitPrice: '10',
      maxPriorityLamports: '18446744073709551615',
    });
    expect(sending.computeUnitPrice).toBe('10');
  });

  test.each([
    ['700', true],
    ['1', true],
    ['0', true],
    ['500', false],
  ])(
    'is bounded in a version 1 header (%s, simulated: %p), which states the lamports',
    async (most, simulate) => {
      const fields = {
        computeUnitPrice: '89999',
        maxPriorityLamports: most,
        simulate,
        transactionVersion: 'v1',
      };
      // The second one need not be simulated.
      await prepared(fields);
      const { sending, intent } = await prepared(fields);
      expect(intent.policy.requireSimulation).toBe(simulate);
      const bytes = Buffer.from(intent.serializedTransaction, 'base64');
      const { version, price } = readTransaction(bytes) ?? expect.unreachable();
      expect(version).toBe(1);
      const { priorityFeeLamports = 0n, computeUnitLimit } = price ?? expect.unreachable();
      expect(computeUnitLimit).toBe(sending.computeUnitLimit);
      expect(sending.priorityFeeLamports).toBe(String(priorityFeeLamports));
      expect(priorityFeeLamports).toBeLessThanOrEqual(BigInt(most));
      // No lamport is lost but by a whole price per unit.
      expect(priorityFeeLamports).toBeGreaterThanOrEqual(BigInt(most) - 1n);
      const before = market.lamportsOf(trader);
      expect(market.landSigned(await market.sign(intent.id, trader))).toBeNull();
      const paid = before - market.lamportsOf(trader);
      const [fee, tip, input] = [5_000n, BigInt(sending.tipLamports), 10_000_000n];
      // The rent of a token account is paid by the first swap of the wallet.
      expect([0n, rentOn(market.chain.ledger, TOKEN_ACCOUNT_BYTES)]).toContain(
        paid - fee - tip - input - priorityFeeLamports,
      );
    },
  );

  test('of a version 1 header is reported as stated when it is no whole number of lamports', async () => {
    const { sending, intent } = await prepared({ computeUnitPrice: '12345', transactionVersion: 'v1' });
    const { price } =
      readTransaction(Buffer.from(intent.serializedTransaction, 'base64')) ?? expect.unreachable();
    expect((BigInt(sending.computeUnitLimit) * 12_345n) % 1_000_000n).not.toBe(0n);
    expect(sending.priorityFeeLamports).toBe(String(price?.priorityFeeLamports));
  });

  test.each([
    ['computeUnitPrice', 'extreme', 'invalid_format'],
    ['computeUnitPrice', 'veryhigh', 'invalid_format'],
    ['computeUnitPrice', '-1', 'invalid_format'],
    ['computeUnitPrice', 5, 'invalid_type'],
    ['computeUnitPrice', { level: 'high' }, 'invalid_type'],
    ['computeUnitPrice', '90001', 'out_of_range'],
    ['maxPriorityLamports', '1.5', 'invalid_format'],
    ['maxPriorityLamports', 7, 'invalid_type'],
    ['maxPriorityLamports', null, 'invalid_type'],
    ['tipLamports', '-1', 'invalid_format'],
    ['tipLamports', 7_000, 'invalid_type'],
    ['tipLamports', '999', 'out_of_range'],
    ['tipLamports', '8001', 'out_of_range'],
    ['tipLamports', '0', 'out_of_range'],
    ['route', 'private', 'invalid_value'],
    ['route', null, 'invalid_type'],
    ['priorityLevel', 'high', 'unknown_field'],
  ])('and route refuse %s = %p', async (field, value, code) => {
    expect(await refusedField({ [field]: value })).toEqual([
      expect.objectContaining({ path: `/body/${field}`, code }),
    ]);
  });
});

test('a refused price names what is admitted', async () => {
  const [error] = (await refusedField({ computeUnitPrice: 'much' })) ?? [];
  expect(error?.message).toStartWith(
    'must be "auto", "min", "low", "medium", "high", "veryHigh" or a whole number from 0 to ',
  );
});

describe('a tip', () => {
  test('is the requested one within the bounds, in turn for each service, which the response names', async () => {
    const services = new Set<string | null>();
    for (const tipLamports of ['1000', '8000']) {
      const { sending } = await prepared({ tipLamports });
      expect(sending.tipLamports).toBe(tipLamports);
      services.add(sending.tipService);
    }
    expect([...services].toSorted()).toEqual(['guard', 'plain']);
    expect((await prepared({})).sending.tipLamports).toBe('5000');
  });

  test('of a protected transaction pays a service that gets it', async () => {
    for (const tipLamports of ['1000', '2000', '3000'])
      expect((await prepared({ route: 'protected', tipLamports })).sending).toMatchObject({
        route: 'protected',
        tipLamports,
        tipService: 'guard',
      });
  });

  test('is the same in a repeat under the same key, and another tip under it is another request', async () => {
    const body = { ...buy, tipLamports: '1500', computeUnitPrice: 'low', route: 'protected' };
    const [one, two] = [
      await market.swap(token.mint, trader, body, 'tip-repeat-1'),
      await market.swap(token.mint, trader, body, 'tip-repeat-1'),
    ];
    expect(await two.text()).toBe(await one.text());
    const other = await market.swap(token.mint, trader, { ...body, tipLamports: '1501' }, 'tip-repeat-1');
    await expectProblem(other, 'idempotency_key_reused');
  });

  test('is refused where no account takes tips, unless it is nothing', async () => {
    const untipped = await TradedMarket.over(chain, {});
    await untipped.list(token.mint, token.pool);
    const by = await untipped.trader();
    const response = await untipped.swap(token.mint, by, { ...buy, tipLamports: '1' });
    expect((await expectProblem(response, 'validation_failed')).errors).toEqual([
      expect.objectContaining({ path: '/body/tipLamports', code: 'out_of_range' }),
    ]);
    const { sending } = await prepared({ tipLamports: '0' }, untipped, by);
    expect(sending).toMatchObject({ tipLamports: '0', tipService: null });
  });

  test('without a named service names the only address for sending', async () => {
    const single = await TradedMarket.over(chain, {
      SOLANA_SEND_URL: `lander=${plain.url}`,
      TIP_ACCOUNTS: plainTip,
    });
    await single.list(token.mint, token.pool);
    const { sending } = await prepared({ tipLamports: '7' }, single, await single.trader());
    expect(sending).toMatchObject({ tipLamports: '7', tipService: 'lander' });
  });
});

describe('a protected swap', () => {
  test('is simulated at the operator’s own node, and sent to the marked address alone', async () => {
    const { intent } = await prepared({ route: 'protected' });
    expect(intent).toMatchObject({ route: 'protected', policy: { requireSimulation: true } });
    const signed = await market.sign(intent.id, trader);
    expect((await market.submit(intent.id, trader, signed)).status).toBe(202);
    await market.api.dependencies.firstBroadcaster.drain();
    expect(guard.sent).toEqual([Buffer.from(signed).toString('base64')]);
    expect(plain.sent).toEqual([]);
    expect(publicNode.methods).not.toContain('simulateTransaction');
    expect(publicNode.methods).not.toContain('sendTransaction');
  });

  test('is refused with its code where no address has the mark, and nothing is stored', async () => {
    const unprotected = await TradedMarket.over(chain, { SOLANA_SEND_URL: `plain=${plain.url}` });
    await unprotected.list(token.mint, token.pool);
    const by = await unprotected.trader();
    const response = await unprotected.swap(token.mint, by, { ...buy, route: 'protected' });
    const problem = await expectProblem(response, 'send_route_unavailable');
    expect(problem.context).toEqual({ route: 'protected' });
    const { database } = unprotected.api.dependencies;
    expect(await database`select from transaction_intents`).toHaveLength(0);
    await prepared({ route: 'fast' }, unprotected, by);
  });
});

describe('a launch', () => {
  test('takes the same fields, says what was used, and refuses what a swap refuses', async () => {
    const stage = await startLaunchStage({ slotMs: 'manual' });
    const node = startPricedNode(stage.chain.rpcUrl, hundred);
    const launching = await TradedMarket.over(stage.chain, {
      SOLANA_RPC_URL: node.url,
      SOLANA_SEND_URL: `guard:protected=${guard.url}`,
      LAUNCH_CURVE_CONFIG: stage.config,
      TIP_ACCOUNTS: `guard=${await tipAccount(stage.chain)}`,
    });
    const by = await launching.trader();
    const launch = (fields: Record<string, unknown>) =>
      fetch(`${launching.api.baseUrl}/launches`, {
        method: 'POST',
        headers: {
          ...by.key.header,
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
        },
        body: JSON.stringify({ name: 'Lane', symbol: 'LANE', ...fields }),
      });
    const fields = {
      route: 'protected',
      computeUnitPrice: 'medium',
      tipLamports: '321',
      maxPriorityLamports: '900',
    };
    const response = await launch(fields);
    const body = await response.json();
    expect({ status: response.status, body }).toMatchObject({ status: 201 });
    const { sending, intent, tipLamports } = body as {
      sending: Sending;
      intent: Record<string, unknown>;
      tipLamports: string;
    };
    expect(sending).toMatchObject({
      route: 'protected',
      priorityLevel: 'medium',
      tipLamports: '321',
      tipService: 'guard',
    });
    expect(Number(sending.priorityFeeLamports)).toBeLessThanOrEqual(900);
    expect([tipLamports, intent]).toEqual([
      '321',
      expect.objectContaining({ route: 'protected', priorityLevel: 'medium' }),
    ]);
    for (const [field, value] of Object.entries({
      route: 'slow',
      computeUnitPrice: 'much',
      tipLamports: '200000000',
      maxPriorityLamports: 'x',
    })) {
      const { errors } = await expectProblem(await launch({ [field]: value }), 'validation_failed');
      expect(errors).toEqual([expect.objectContaining({ path: `/body/${field}` })]);
    }
  });
});
