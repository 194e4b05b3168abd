import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { checkToken } from '../../src/indexer/ingest/kinds/token.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import {
  amountsOf,
  type CompositionStage,
  createCompositionStage,
  foreignAccount,
} from '../support/pools/composition-stage.ts';
import { readPoolFixture, tokenAccount } from '../support/pools/pool-accounts.ts';

const fixture = readPoolFixture('a');
const { baseMint: mint, pool, baseVault } = fixture.known;
const FLOAT = BigInt(fixture.expected.buckets.free_float ?? '0');
const [staking, another, tokenomics] = [newAddress(), newAddress(), newAddress()];
let stage: CompositionStage;

beforeAll(async () => {
  stage = await createCompositionStage();
});
beforeEach(() => stage.reset());

/** Registers the token with the vaults of a report. */
async function report(vaults: Record<string, string[] | null>): Promise<void> {
  const { database, outbox, chainReadCaches } = stage.api.dependencies;
  const checked = checkToken(tokenMessage(mint, { poolAddress: pool, ...vaults }));
  if (!checked.ok) throw new Error(checked.detail);
  await database.begin((transaction) => upsertToken(transaction, outbox, systemClock, checked.message));
  chainReadCaches.supply.clear();
}

test('balances of named vaults leave the free float, and return to it when the vaults are cleared', async () => {
  stage.setAccounts([
    [staking, tokenAccount(mint, newAddress(), 100n)],
    [another, tokenAccount(mint, newAddress(), 20n)],
    [tokenomics, tokenAccount(mint, newAddress(), 3n)],
  ]);
  await report({ stakingVaults: [staking, another], tokenomicsVaults: [tokenomics] });
  const body = await stage.read(mint);
  expect(amountsOf(body)).toEqual({
    ...fixture.expected.buckets,
    staking_vault: '120',
    tokenomics_vault: '3',
    free_float: String(FLOAT - 123n),
  });
  expect(body.buckets.find(({ key }) => key === 'staking_vault')?.addresses).toEqual([staking, another]);
  // A report that leaves them out keeps them.
  await report({});
  expect(amountsOf(await stage.read(mint)).staking_vault).toBe('120');
  await report({ stakingVaults: null, tokenomicsVaults: null });
  expect(amountsOf(await stage.read(mint))).toEqual(fixture.expected.buckets);
});

test('a missing vault counts as empty, and one that is no account of the mint is unread', async () => {
  await report({ stakingVaults: [newAddress()], tokenomicsVaults: null });
  expect(amountsOf(await stage.read(mint))).toEqual(fixture.expected.buckets);
  const wrong = newAddress();
  for (const account of [foreignAccount, tokenAccount(newAddress(), newAddress(), 5n)]) {
    stage.setAccounts([[wrong, account]]);
    await report({ stakingVaults: [wrong] });
    const body = await stage.read(mint);
    expect(body).toMatchObject({ reads: 'partial', unreadBuckets: ['staking_vault'] });
    expect(amountsOf(body).free_float).toBeUndefined();
  }
  await report({ stakingVaults: null });
});

test('nothing counts twice: neither a vault of the pool, nor one that two reports name for both', async () => {
  stage.setAccounts([[staking, tokenAccount(mint, newAddress(), 100n)]]);
  await report({ stakingVaults: [baseVault, staking] });
  await report({ tokenomicsVaults: [staking] });
  expect(amountsOf(await stage.read(mint))).toEqual({
    ...fixture.expected.buckets,
    staking_vault: '100',
    free_float: String(FLOAT - 100n),
  });
  await report({ stakingVaults: null, tokenomicsVaults: null });
});

test.each([
  [{ stakingVaults: ['x'] }, 'stakingVaults'],
  [{ stakingVaults: [staking, staking] }, '/stakingVaults/1'],
  [{ stakingVaults: [staking], tokenomicsVaults: [staking] }, '/tokenomicsVaults/0'],
  [{ tokenomicsVaults: ['1'.repeat(33)] }, '/tokenomicsVaults/0'],
  [{ stakingVaults: Array.from({ length: 11 }, newAddress) }, '/stakingVaults'],
])('%p is refused with the place of the fault', (vaults, place) => {
  const checked = checkToken(tokenMessage(mint, vaults));
  expect(checked.ok ? '' : checked.detail).toContain(place);
});
