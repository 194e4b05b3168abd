import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { toDistribution } from '../../src/features/fees/record.ts';
import {
  type FeeDistribution,
  FeeStateSchema,
  ListedFeeDistributionSchema,
} from '../../src/features/fees/schema.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { storeFeeClaimables } from '../../src/indexer/store/fee-claimables.ts';
import { storeFeeDistributions } from '../../src/indexer/store/fee-distributions.ts';
import { storeFeeStates } from '../../src/indexer/store/fee-states.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { claimableMessage, distributionMessage, feeStateMessage } from '../support/market/fees.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { atSlot } from '../support/market/staking.ts';

let market: MarketApi;
let key: TestKey;

beforeAll(async () => {
  market = await startMarketApi();
  key = await createTestKey(market.api.dependencies.database, { walletAddress: newAddress() });
});

interface Page {
  data: FeeDistribution[];
  page: { hasMore: boolean; nextCursor: string | null };
}

const get = (path: string) => fetch(`${market.api.baseUrl}/tokens/${path}`, { headers: key.header });
const json = async <Body>(path: string) => (await (await get(path)).json()) as Body;

let nextPayment = 1;

/** Pays fees out, one payment a slot; returns the slots. */
async function pay(mint: string, ...slots: number[]): Promise<void> {
  const { database, outbox } = market.api.dependencies;
  const told = slots.map((slot) =>
    distributionMessage(mint, nextPayment++, { slot: String(slot), amountLamports: '10' }),
  );
  await database.begin((transaction) => storeFeeDistributions(transaction, outbox, toDistribution, told));
}

describe('the fee state', () => {
  test("is the last observation, with the claimable amount of the key's wallet and the distributed amount", async () => {
    const mint = await market.launch();
    const { database } = market.api.dependencies;
    await database.begin(async (transaction) => {
      await storeFeeStates(transaction, [feeStateMessage(mint, 7)]);
      await storeFeeClaimables(transaction, [
        claimableMessage(mint, key.walletAddress, 3),
        claimableMessage(mint, newAddress(), 5),
      ]);
    });
    await pay(mint, 1, 2);
    const response = await get(`${mint}/fees`);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const state = await response.json();
    expect(Value.Check(FeeStateSchema, state)).toBe(true);
    expect(state).toEqual({
      mintAddress: mint,
      feeBps: { creator: 5_000, platform: 3_000, stakers: 2_000 },
      accruedLamports: '7000',
      distributedLamports: '20',
      claimableLamports: '30',
      slot: '7',
      asOf: atSlot(7),
    });
  });

  test('has the shares and amounts of its own token', async () => {
    const mint = await market.launch();
    const { database } = market.api.dependencies;
    const feeBps = { creator: 4_000, platform: 3_500, stakers: 2_500 };
    await database.begin(async (transaction) => {
      await storeFeeStates(transaction, [feeStateMessage(mint, 8, { feeBps })]);
      await storeFeeClaimables(transaction, [claimableMessage(mint, key.walletAddress, 4)]);
    });
    await pay(mint, 3, 4, 5);
    expect(await json(`${mint}/fees`)).toMatchObject({
      feeBps,
      accruedLamports: '8000',
      distributedLamports: '30',
      claimableLamports: '40',
      slot: '8',
    });
  });

  test('of a token without observed fees is unknown, not zero', async () => {
    const mint = await market.launch();
    await pay(mint, 1);
    await expectProblem(await get(`${mint}/fees`), 'fee_state_not_found');
  });
});

describe('fee distributions', () => {
  test('come newest first, page by page, while others are being stored', async () => {
    const mint = await market.launch();
    await pay(mint, 5, 3, 9, 3, 7, 3, 1);
    const listed: FeeDistribution[] = [];
    for (let cursor = ''; ; ) {
      const { data, page } = await json<Page>(`${mint}/fee-distributions?limit=2${cursor}`);
      listed.push(...data);
      expect(page.hasMore).toBe(page.nextCursor !== null);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
      await pay(mint, 20);
    }
    expect(listed.map(({ slot }) => slot)).toEqual(['9', '7', '5', '3', '3', '3', '1']);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(7);
    expect(listed.every((distribution) => Value.Check(ListedFeeDistributionSchema, distribution))).toBe(true);
  });

  test('of a token that paid none are an empty list', async () => {
    const body = await json(`${await market.launch()}/fee-distributions`);
    expect(body).toEqual({ data: [], page: { hasMore: false, nextCursor: null } });
  });

  test('refuse a cursor that is malformed, altered, or of another token', async () => {
    const [mint, other] = [await market.launch(), await market.launch()];
    await pay(mint, 1, 2);
    const { page } = await json<Page>(`${mint}/fee-distributions?limit=1`);
    const cursor = page.nextCursor ?? '';
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const path of [
      `${mint}/fee-distributions?cursor=x`,
      `${mint}/fee-distributions?cursor=${altered}`,
      `${other}/fee-distributions?cursor=${cursor}`,
    ])
      await expectProblem(await get(path), 'cursor_invalid');
    expect((await json<Page>(`${mint}/fee-distributions?limit=9&cursor=${cursor}`)).data).toHaveLength(1);
  });
});

describe('every fee read', () => {
  const paths = ['fees', 'fee-distributions'];

  test('of a token that is unknown or hidden is 404', async () => {
    const hidden = await market.launch();
    await market.api.dependencies.database.begin((transaction) => setTokenHidden(transaction, hidden, true));
    for (const path of paths) {
      for (const mint of [hidden, newAddress()])
        await expectProblem(await get(`${mint}/${path}`), 'token_not_found');
      await expectProblem(await get(`not-an-address/${path}`), 'validation_failed');
    }
  });

  test('needs the scope', async () => {
    const { database } = market.api.dependencies;
    const { header } = await createTestKey(database, { scopes: ['staking:read'] });
    for (const path of paths) {
      const response = await fetch(`${market.api.baseUrl}/tokens/${newAddress()}/${path}`, {
        headers: header,
      });
      await expectProblem(response, 'insufficient_scope');
    }
  });
});
