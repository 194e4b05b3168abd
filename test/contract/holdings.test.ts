import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, type SandboxNode, startChain } from '../../sandbox/chain/server.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { WalletHoldingsSchema } from '../../src/features/market/schema.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { publishedLimits } from '../../src/shared/contract-limits.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { stopAgeing } from '../support/api/stop-ageing.ts';
import { tokenAccount } from '../support/pools/pool-accounts.ts';
import { atEnd } from '../support/run/cleanup.ts';

interface Holdings {
  asOf: string;
  data: { mintAddress: string; amountRaw: string; decimals: number; valueInSol: string | null }[];
}

let chain: SandboxChain;
let second: SandboxNode;
let api: TestApi;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  second = chain.addNode();
  api = await startTestApi({ environment: { SOLANA_RPC_URL: `${chain.rpcUrl},${second.rpcUrl}` } });
});

beforeEach(() => {
  chain.setFaults({});
  second.setFaults({});
});

const newAddress = () => Keypair.generate().publicKey.toBase58();
/** Any 32 bytes: 4,000 keys would take seconds to generate. */
const randomAddress = () => encodeAddress(crypto.getRandomValues(new Uint8Array(32)));

interface TokenShape {
  priceInSol?: string;
  decimals?: number;
  hidden?: boolean;
}

/** Visible tokens with their markets, in one statement each. */
async function addTokens(mints: readonly string[], shape: TokenShape = {}): Promise<void> {
  const { database } = api.dependencies;
  const now = new Date();
  await database`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, hidden,
      created_at, updated_at)
    select mint, mint, 'Example', 'EX', ${shape.decimals ?? 6}, 1000000000, 'dbc', 'bonding', ${shape.hidden ?? false},
      ${now}, ${now}
    from unnest(${[...mints]}::text[]) as t(mint)`;
  if (shape.priceInSol === undefined) return;
  await database`
    insert into token_markets (mint_address, price_in_sol, as_of)
    select mint, ${shape.priceInSol}, ${now} from unnest(${[...mints]}::text[]) as t(mint)`;
}

async function addToken(shape: TokenShape = {}): Promise<string> {
  const mint = newAddress();
  await addTokens([mint], shape);
  return mint;
}

/** Gives a wallet one more token account. */
function give(
  wallet: string,
  mint: string,
  amountRaw: bigint,
  layout: Parameters<typeof tokenAccount>[3] = {},
): void {
  const { owner, data } = tokenAccount(mint, wallet, amountRaw, layout);
  chain.ledger.setAccount(randomAddress(), {
    lamports: 2_039_280n,
    owner,
    data,
    executable: false,
    rentEpoch: 0n,
  });
}

const request = (wallet: string, init?: RequestInit) =>
  fetch(`${api.baseUrl}/wallets/${wallet}/holdings`, init);

async function read(wallet: string): Promise<Holdings> {
  chain.advanceSlots(1);
  api.dependencies.chainReadCaches.holdings.clear();
  const response = await request(wallet);
  expect(response.status).toBe(200);
  const body = await response.json();
  expect(Value.Check(WalletHoldingsSchema, body)).toBe(true);
  return body as Holdings;
}

describe('the holdings of a wallet', () => {
  test('are summed over all its accounts under both token programs, whatever extensions they carry', async () => {
    const wallet = newAddress();
    const classic = await addToken({ priceInSol: '0.5' });
    const extended = await addToken({ priceInSol: '0.25', decimals: 9 });
    give(wallet, classic, 1_000_000n);
    give(wallet, classic, 2_500_000n);
    give(wallet, extended, 3_000_000_000n, { program: TOKEN_2022, extensionBytes: 4 });
    give(wallet, extended, 1n, { program: TOKEN_2022, extensionBytes: 500 });
    give(newAddress(), classic, 9n);
    const imageUrl = 'https://images.test/one.png';
    await api.dependencies
      .database`update tokens set image_url = ${imageUrl} where mint_address = ${classic}`;
    const { data } = await read(wallet);
    expect(data).toMatchObject([
      { mintAddress: classic, amountRaw: '3500000', decimals: 6, valueInSol: '1.75', imageUrl },
      {
        mintAddress: extended,
        amountRaw: '3000000001',
        decimals: 9,
        valueInSol: '0.75000000025',
        imageUrl: null,
      },
    ]);
  });

  test('leave out zero balances and tokens that the service does not show', async () => {
    const wallet = newAddress();
    const [visible, empty, hidden] = [
      await addToken({ priceInSol: '1' }),
      await addToken({ priceInSol: '1' }),
      await addToken({ priceInSol: '1', hidden: true }),
    ];
    give(wallet, visible, 1n);
    give(wallet, empty, 0n);
    give(wallet, hidden, 5n);
    give(wallet, newAddress(), 5n);
    expect((await read(wallet)).data.map(({ mintAddress }) => mintAddress)).toEqual([visible]);
  });

  test('of a wallet that never held anything are an empty list', async () => {
    expect((await read(newAddress())).data).toEqual([]);
  });

  test('come most valuable first across different decimals, without a price last, equal ones by mint', async () => {
    const wallet = newAddress();
    const small = await addToken({ priceInSol: '0.000000000000000001', decimals: 0 });
    const large = await addToken({ priceInSol: '123456789.000000001', decimals: 18 });
    const even = [await addToken({ priceInSol: '2' }), await addToken({ priceInSol: '2' })].sort();
    const unpriced = [await addToken(), await addToken({ priceInSol: '0.0000000000000000001' })].sort();
    give(wallet, small, 3n);
    give(wallet, large, 10n ** 18n - 1n);
    for (const mint of even) give(wallet, mint, 1_000_000n);
    for (const mint of unpriced) give(wallet, mint, 10n ** 15n);
    const { data } = await read(wallet);
    expect(data.map(({ mintAddress, valueInSol }) => [mintAddress, valueInSol])).toEqual([
      [large, '123456789.000000000876543210999999999'],
      ...even.map((mint): [string, string] => [mint, '2']),
      [small, '0.000000000000000003'],
      ...unpriced.map((mint): [string, null] => [mint, null]),
    ]);
  });

  test('are at most `walletHoldings`, the most valuable', async () => {
    const wallet = newAddress();
    const { walletHoldings } = publishedLimits;
    const mints = Array.from({ length: walletHoldings + 10 }, newAddress);
    await addTokens(mints, { priceInSol: '1' });
    for (const [index, mint] of mints.entries()) give(wallet, mint, BigInt(index + 1));
    const { data } = await read(wallet);
    expect(data).toHaveLength(walletHoldings);
    expect(data[0]?.amountRaw).toBe(String(walletHoldings + 10));
    expect(data.at(-1)?.amountRaw).toBe('11');
  });

  test('are found among 4,000 token accounts', async () => {
    const wallet = newAddress();
    const held = await addToken({ priceInSol: '3' });
    for (let index = 0; index < 4_000; index += 1) {
      const mint = index % 100 === 0 ? held : randomAddress();
      const program = index % 2 === 0 ? SPL_TOKEN : TOKEN_2022;
      give(wallet, mint, BigInt(index + 1), { program });
    }
    const { data } = await read(wallet);
    const sum = Array.from({ length: 40 }, (_, index) => index * 100 + 1).reduce((a, b) => a + b, 0);
    expect(data).toMatchObject([{ mintAddress: held, amountRaw: String(sum) }]);
  });
});

describe('a read of holdings', () => {
  test('goes to the next node when one fails, and is 503 when none answers', async () => {
    const wallet = newAddress();
    const mint = await addToken({ priceInSol: '1' });
    give(wallet, mint, 1n);
    chain.setFaults({ down: 'unavailable' });
    expect((await read(wallet)).data).toHaveLength(1);
    second.setFaults({ rateLimit: { requests: 'all', retryAfterSeconds: 1 } });
    api.dependencies.chainReadCaches.holdings.clear();
    await expectProblem(await request(wallet), 'market_data_unavailable');
    second.setFaults({});
    api.dependencies.chainReadCaches.holdings.clear();
    expect((await request(wallet)).status).toBe(200);
  });

  test('is shared by simultaneous callers, cached for the next, and a 304 for a client that has it', async () => {
    const goOn = stopAgeing(api);
    const wallet = newAddress();
    const mint = await addToken({ priceInSol: '1' });
    give(wallet, mint, 1n);
    chain.advanceSlots(1);
    const bodies = await Promise.all(
      Array.from({ length: 50 }, () => request(wallet).then((response) => response.text())),
    );
    expect(new Set(bodies).size).toBe(1);
    const etag = (await request(wallet)).headers.get('etag') ?? '';
    expect((await request(wallet, { headers: { 'if-none-match': etag } })).status).toBe(304);
    goOn();
  });

  test('of an invalid address is refused', async () => {
    await expectProblem(await request('0OIl'), 'validation_failed');
  });
});
