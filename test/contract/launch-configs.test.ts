import { beforeAll, describe, expect, test } from 'bun:test';
import type { Keypair } from '@solana/web3.js';
import { fieldsOf } from '../../src/chain/accounts/account-data.ts';
import { TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { AMOUNT_OFFSET } from '../../src/chain/accounts/token-account.ts';
import { associatedAccount } from '../../src/chain/transactions/token-instructions.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { rentOn } from '../support/chain/cluster-rent.ts';
import { type LaunchStage, signIntent, startLaunchStage } from '../support/launches/launch-stage.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { eventually } from '../support/run/eventually.ts';

const SOL = 1_000_000_000n;

let stage: LaunchStage;
let fallingFee: string;
let gone: string;
let api: TestApi;
let wallet: Keypair;
let key: TestKey;
let requests = 0;

beforeAll(async () => {
  stage = await startLaunchStage();
  fallingFee = await stage.createConfig('scheduled');
  gone = newAddress();
  api = await startTestApi({
    environment: {
      SOLANA_RPC_URL: stage.chain.rpcUrl,
      LAUNCH_CURVE_CONFIGS: `standard=${stage.config},falling-fee=${fallingFee},gone=${gone}`,
    },
  });
  wallet = await stage.fundedWallet();
  key = await createTestKey(api.dependencies.database, { walletAddress: wallet.publicKey.toBase58() });
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested elsewhere
type Body = any;

async function get(path: string, as: TestKey | null = null): Promise<Body> {
  const response = await fetch(`${api.baseUrl}${path}`, as === null ? {} : { headers: as.header });
  return response.json();
}

async function launched(body: object, as = key): Promise<Body> {
  requests += 1;
  const response = await fetch(`${api.baseUrl}/launches`, {
    method: 'POST',
    headers: {
      ...as.header,
      'content-type': 'application/json',
      'idempotency-key': `configured-${requests}`,
    },
    body: JSON.stringify(body),
  });
  const launch: Body = await response.json();
  expect([response.status, launch.code]).toEqual([201, undefined]);
  return launch;
}

const quoteOf = (config: string, query: string) => `/launch-configs/${config}/quote?${query}`;

describe('listLaunchConfigs (contract/launches#configs)', () => {
  test('shows the terms of each config in the order of the operator, exactly', async () => {
    const { data } = await get('/launch-configs');
    expect(data.map(({ name, address, isDefault }: Body) => [name, address, isDefault])).toEqual([
      ['standard', stage.config, true],
      ['falling-fee', fallingFee, false],
      ['gone', gone, false],
    ]);
    const [standard, falling] = data;
    expect(standard).toMatchObject({
      status: 'available',
      unavailableReason: null,
      terms: {
        token: {
          standard: 'spl_token',
          decimals: 6,
          totalSupply: '1000000000',
          updateAuthority: 'nobody',
          mintAuthority: 'nobody',
        },
        raiseInSol: '85',
        tradingFee: {
          startPercent: '1',
          endPercent: '1',
          schedule: 'constant',
          unit: 'seconds',
          steps: 0,
          duration: '0',
          rateLimiter: null,
          dynamicMaximumPercent: null,
          paidIn: 'sol',
          firstBuyPaysEnd: false,
          shares: { protocolPercent: '20', creatorPercent: '40', partnerPercent: '40' },
        },
        vesting: null,
        migration: { venue: 'damm_v2', feeOption: 'fixed', feePercent: '1', migrationFeePercent: 0 },
        liquidity: { creatorLockedPercent: 50, creatorUnlockedPercent: 0, partnerLockedPercent: 50 },
      },
      cost: { signatureFeeLamports: '10000', metadataFeeLamports: '10000000', poolCreationFeeLamports: '0' },
    });
    expect(falling.terms).toMatchObject({
      token: { standard: 'token_2022' },
      raiseInSol: '60',
      tradingFee: {
        startPercent: '5',
        schedule: 'exponential',
        steps: 10,
        stepLength: '60',
        duration: '600',
        firstBuyPaysEnd: true,
      },
      migration: {
        feeOption: 'custom',
        feePercent: '1.5',
        hasDynamicFee: true,
        feeFallsWithMarketCap: false,
      },
    });
    expect(Number(falling.terms.tradingFee.endPercent)).toBeCloseTo(1, 2);
    expect(Number(falling.terms.tradingFee.dynamicMaximumPercent)).toBeCloseTo(0.2, 2);
    expect(falling.cost.metadataFeeLamports).toBe('0');
    for (const { terms } of [standard, falling]) {
      const sold = Number(terms.curveSupply) + Number(terms.liquiditySupply);
      expect(sold).toBeLessThanOrEqual(Number(terms.token.totalSupply));
      expect(Number(terms.startingMarketCapInSol)).toBeLessThan(Number(terms.graduationMarketCapInSol));
    }
  });

  test('names a config whose account is none, without terms', async () => {
    const { data } = await get('/launch-configs');
    expect(data[2]).toEqual({
      name: 'gone',
      address: gone,
      isDefault: false,
      status: 'unavailable',
      unavailableReason: 'not_a_config',
      terms: null,
      cost: null,
    });
  });

  test('can be cached, and says what did not change', async () => {
    const first = await fetch(`${api.baseUrl}/launch-configs`);
    expect(first.headers.get('cache-control')).toBe('public, max-age=5');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${api.baseUrl}/launch-configs`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('is empty where the operator offers none, and names all of them while no node responds', async () => {
    const none = await startTestApi({ database: api.database });
    const empty = await fetch(`${none.baseUrl}/launch-configs`);
    expect([empty.status, await empty.json()]).toEqual([200, { data: [] }]);
    const offline = await startTestApi({
      database: api.database,
      environment: { LAUNCH_CURVE_CONFIG: stage.config },
    });
    const { data }: Body = await (await fetch(`${offline.baseUrl}/launch-configs`)).json();
    expect(data).toMatchObject([{ name: 'standard', unavailableReason: 'chain_unavailable', terms: null }]);
    const quote = '/launch-configs/standard/quote?amountRaw=1000000';
    await expectProblem(await fetch(offline.baseUrl + quote), 'chain_unavailable');
    await expectProblem(await fetch(none.baseUrl + quote), 'launches_unavailable');
  });
});

describe('getLaunchConfigQuote (contract/launches#config-quote)', () => {
  test.each(['standard', 'falling-fee'])(
    'gives what createLaunch gives for the same buy under %s',
    async (config) => {
      for (const initialBuy of [
        { amountRaw: '100000000' },
        { amountRaw: '2500000001', slippageBps: 0 },
        { amountRaw: '1000000', slippageBps: 250 },
      ]) {
        const { amountRaw, slippageBps } = initialBuy;
        const slippage = slippageBps === undefined ? '' : `&slippageBps=${slippageBps}`;
        const quote = await get(quoteOf(config, `amountRaw=${amountRaw}${slippage}`));
        const launch = await launched({ name: 'Wire', symbol: 'WIRE', config, initialBuy });
        const { minimumOutRaw, amountOutRaw } = quote;
        expect(launch.initialBuy).toEqual({
          amountRaw,
          amountOutRaw,
          minimumOutRaw,
          slippageBps: slippageBps ?? 100,
        });
        expect([quote.config, quote.configAddress]).toEqual([launch.config, launch.configAddress]);
      }
    },
  );

  test('is what the wallet has paid and got when such a launch has landed', async () => {
    const owner = await stage.fundedWallet(10n * SOL);
    const address = owner.publicKey.toBase58();
    const as = await createTestKey(api.dependencies.database, { walletAddress: address });
    const quote = await get(quoteOf('falling-fee', 'amountRaw=1000000000'));
    const before = await stage.rpc.balanceLamports(address);
    // The longest texts, whose rent the costs count.
    const texts = { name: '𝕎'.repeat(8), symbol: '0123456789' };
    const buy = { initialBuy: { amountRaw: '1000000000' }, computeUnitPrice: '0' };
    const launch = await launched({ ...texts, ...buy, config: 'falling-fee' }, as);
    const signed = signIntent(launch.intent.serializedTransaction, owner);
    await stage.rpc.sendChecked(Buffer.from(signed, 'base64'));
    const { address: account } = await associatedAccount(address, launch.mintAddress, TOKEN_2022);
    await eventually('the launch has landed', () => stage.rpc.accountExists(account));
    const paid = before - (await stage.rpc.balanceLamports(address));
    const { ledger } = stage.chain;
    const perByte = rentOn(ledger, 1) - rentOn(ledger, 0);
    const missing = BigInt(44 - launch.mintAddress.length) * perByte;
    expect(paid).toBe(SOL + BigInt(quote.cost.totalLamports) - missing);
    const {
      accounts: [held],
    } = await stage.rpc.accounts([account]);
    expect(held && fieldsOf(held.data).u64(AMOUNT_OFFSET)).toBe(BigInt(quote.amountOutRaw));
  });

  test('refuses as createLaunch does', async () => {
    const refused = (config: string, query: string) => fetch(`${api.baseUrl}${quoteOf(config, query)}`);
    const unknown = await expectProblem(await refused('steep', 'amountRaw=1'), 'launch_config_not_found');
    expect(unknown.context).toEqual({ config: 'steep' });
    await expectProblem(await refused('gone', 'amountRaw=1'), 'launches_unavailable');
    const beyond = await expectProblem(
      await refused('standard', `amountRaw=${200n * SOL}`),
      'launch_buy_out_of_range',
    );
    const { data } = await get('/launch-configs');
    expect(beyond.context).toEqual({ maximumAmountRaw: data[0].terms.maximumInitialBuyRaw });
    await expectProblem(
      await refused('standard', 'amountRaw=99999999999999999999'),
      'launch_buy_out_of_range',
    );
    const most = await get(quoteOf('standard', `amountRaw=${data[0].terms.maximumInitialBuyRaw}`));
    expect(most).toMatchObject({ completesCurve: true, supplyPercent: expect.stringMatching(/^79\.\d+$/) });
    // Whatever the slippage, a buy that lands brings something.
    const anyPrice = await get(quoteOf('standard', 'amountRaw=1000000&slippageBps=10000'));
    expect(anyPrice.minimumOutRaw).toBe('1');
    const zero = await expectProblem(await refused('standard', 'amountRaw=0'), 'validation_failed');
    expect(zero.errors).toMatchObject([{ path: '/query/amountRaw', code: 'invalid_format' }]);
    const slippage = await expectProblem(
      await refused('standard', 'amountRaw=1&slippageBps=10001'),
      'validation_failed',
    );
    expect(slippage.errors).toMatchObject([{ path: '/query/slippageBps' }]);
    const named = await expectProblem(await refused('Standard', 'amountRaw=1'), 'validation_failed');
    expect(named.errors).toMatchObject([{ path: '/path/name', code: 'invalid_format' }]);
  });
});

describe('listLaunches (contract/launches#list)', () => {
  test('shows the launches of the account, newest first, page by page and by status', async () => {
    const owner = await stage.fundedWallet();
    const as = await createTestKey(api.dependencies.database, {
      walletAddress: owner.publicKey.toBase58(),
    });
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.unshift((await launched({ name, symbol: 'W' }, as)).id);
    const all = await get('/launches', as);
    expect(all.data.map(({ id }: Body) => id)).toEqual(ids);
    expect(all.page).toEqual({ hasMore: false, nextCursor: null });
    expect(all.data[0]).toEqual(await get(`/launches/${ids[0]}`, as));
    const first = await get('/launches?limit=2', as);
    expect(first.data.map(({ id }: Body) => id)).toEqual(ids.slice(0, 2));
    const second = await get(`/launches?limit=2&cursor=${encodeURIComponent(first.page.nextCursor)}`, as);
    expect(second.data.map(({ id }: Body) => id)).toEqual(ids.slice(2));
    const { database } = api.dependencies;
    await database`update launches set status = 'failed', completed_at = now() where id = ${ids[1] ?? ''}`;
    const idsOf = async (status: string) =>
      (await get(`/launches?status=${status}`, as)).data.map(({ id }: Body) => id);
    expect(await idsOf('failed')).toEqual([ids[1]]);
    expect(await idsOf('pending_launch_init')).toEqual([ids[0], ids[2]]);
    expect(await idsOf('bonding')).toEqual([]);
    const other = { headers: as.header };
    const cursor = encodeURIComponent(first.page.nextCursor);
    // A cursor belongs to its list and account.
    const filtered = await fetch(`${api.baseUrl}/launches?status=failed&cursor=${cursor}`, other);
    await expectProblem(filtered, 'cursor_invalid');
    const foreign = await fetch(`${api.baseUrl}/launches?cursor=${cursor}`, { headers: key.header });
    await expectProblem(foreign, 'cursor_invalid');
    expect((await get('/launches', key)).data.map(({ id }: Body) => id)).not.toContain(ids[0]);
  });
});
