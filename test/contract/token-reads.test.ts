import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { Keypair } from '@solana/web3.js';
import { MarketSnapshotSchema } from '../../src/features/market/schema.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { TokenSchema } from '../../src/features/tokens/schema.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { eventually } from '../support/run/eventually.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

const newMint = () => Keypair.generate().publicKey.toBase58();

async function launch(changes: Partial<Parameters<typeof upsertToken>[3]> = {}): Promise<string> {
  const { database, outbox } = api.dependencies;
  const mintAddress = changes.mintAddress ?? newMint();
  await database.begin((transaction) =>
    upsertToken(transaction, outbox, systemClock, {
      mintAddress,
      creatorWallet: newMint(),
      name: 'Example',
      symbol: 'EX',
      decimals: 6,
      totalSupply: '1000000000',
      launchType: 'dbc',
      status: 'bonding',
      ...changes,
    }),
  );
  for (const cache of Object.values(api.dependencies.tokenCaches)) cache.clear();
  return mintAddress;
}

function get(path: string): Promise<Response> {
  return fetch(`${api.baseUrl}${path}`);
}

describe('a token', () => {
  test('fits its schema, with an unknown price as null', async () => {
    const mint = await launch({
      links: { website: 'example.com', twitter: '@example', telegram: 'not a link at all' },
    });
    const token = (await (await get(`/tokens/${mint}`)).json()) as Record<string, unknown>;
    expect(Value.Check(TokenSchema, token)).toBe(true);
    expect(token).toMatchObject({
      mintAddress: mint,
      currentPriceInSol: null,
      marketCapInSol: null,
      totalSupply: '1000000000',
    });
    const market = (await (await get(`/tokens/${mint}/market`)).json()) as Record<string, unknown>;
    expect(Value.Check(MarketSnapshotSchema, market)).toBe(true);
    expect(market).toMatchObject({ mintAddress: mint, priceInSol: null, provenance: 'service-indexer' });
  });

  test('unknown or hidden is 404 everywhere', async () => {
    const mint = await launch();
    await api.dependencies.database.begin((transaction) => setTokenHidden(transaction, mint, true));
    for (const address of [newMint(), mint]) {
      await expectProblem(await get(`/tokens/${address}`), 'token_not_found');
      await expectProblem(await get(`/tokens/${address}/market`), 'token_not_found');
    }
    const { data } = (await (await get('/tokens?limit=100')).json()) as { data: { mintAddress: string }[] };
    expect(data.map(({ mintAddress }) => mintAddress)).not.toContain(mint);
  });

  test('changed by another process is read again as soon as the hint arrives', async () => {
    const mint = await launch({ name: 'Before' });
    const name = async () => ((await (await get(`/tokens/${mint}`)).json()) as { name: string }).name;
    expect(await name()).toBe('Before');
    const { database } = api.dependencies;
    await database`update tokens set name = 'After' where mint_address = ${mint}`;
    expect(await name()).toBe('Before');
    const bus = await connectBus(api.config, 'test');
    bus.publish(hints.tokenChanged, mint);
    await bus.flush();
    await eventually('the change is visible', async () => (await name()) === 'After', 3_000);
    await bus.close();
  });

  test('requested by 200 concurrent callers on a cold start is read once', async () => {
    const mint = await launch();
    let loads = 0;
    const { tokens } = api.dependencies.tokenCaches;
    const load = () => {
      loads += 1;
      return findToken(api.dependencies.database, mint);
    };
    await Promise.all(Array.from({ length: 200 }, () => tokens.get(`cold-${mint}`, load)));
    expect(loads).toBe(1);
  });
});

interface TokenPage {
  data: { mintAddress: string }[];
  page: { hasMore: boolean; nextCursor: string | null };
}

describe('the list', () => {
  test('pages neither skip nor repeat while tokens are being added', async () => {
    const expected: string[] = [];
    for (let index = 0; index < 7; index += 1) expected.unshift(await launch({ launchType: 'pre_raise' }));
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { data, page } = (await (
        await get(`/tokens?limit=3&launchType=pre_raise${cursor}`)
      ).json()) as TokenPage;
      seen.push(...data.map(({ mintAddress }) => mintAddress));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
      await launch({ launchType: 'pre_raise' });
    }
    expect(seen).toEqual(expected);
  });

  test('filters by status and launch type together', async () => {
    const mint = await launch({ status: 'graduated', launchType: 'pre_raise' });
    const { data } = (await (await get('/tokens?status=graduated&launchType=pre_raise')).json()) as TokenPage;
    expect(data.map(({ mintAddress }) => mintAddress)).toEqual([mint]);
  });

  test('refuses a cursor that is malformed, altered, or of another query', async () => {
    await launch();
    await launch();
    const { page } = (await (await get('/tokens?limit=1')).json()) as TokenPage;
    const cursor = page.nextCursor ?? '';
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const query of [
      'cursor=short',
      `cursor=${altered}`,
      `cursor=${cursor}&status=bonding`,
      'cursor=%20%20%20',
    ]) {
      await expectProblem(await get(`/tokens?${query}`), 'cursor_invalid');
    }
    expect((await get(`/tokens?limit=9&cursor=${cursor}`)).status).toBe(200);
  });
});
