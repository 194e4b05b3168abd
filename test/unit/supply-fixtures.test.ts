import { describe, expect, test } from 'bun:test';
import { fieldsOf } from '../../src/chain/accounts/account-data.ts';
import { readPoolConfig } from '../../src/chain/accounts/pool-config.ts';
import { readVirtualPool } from '../../src/chain/accounts/virtual-pool.ts';
import { baseUpToMigrationRaw, splitSupply } from '../../src/features/market/supply/buckets.ts';
import { toComposition } from '../../src/features/market/supply/record.ts';
import {
  readSnapshot,
  snapshotAddresses,
  supplyAddresses,
} from '../../src/features/market/supply/snapshot-accounts.ts';
import { readPoolFixtures } from '../support/pools/pool-accounts.ts';

const SWAP_BASE_AMOUNT_OFFSET = 256;
const now = new Date('2026-11-20T00:00:00Z');

describe.each(readPoolFixtures())('recorded pool $name', ({ accounts, expected, known }) => {
  const account = (address: string) => accounts.get(address) ?? null;
  const fundedAccount = (address: string) => {
    const found = account(address);
    return found && { ...found, lamports: null };
  };
  const config = readPoolConfig(account(known.config));
  const derive = () =>
    supplyAddresses(known.baseMint, known.pool, readVirtualPool(account(known.pool)), config);

  test('names where its tokens lie', async () => {
    const { config: configAddress, baseVault, escrow, amm } = await derive();
    expect({ configAddress, baseVault }).toEqual({ configAddress: known.config, baseVault: known.baseVault });
    expect(escrow?.escrow).toBe(known.lockerEscrow);
    expect(escrow?.escrowToken).toBe(known.lockerEscrowToken);
    expect(amm).not.toBeNull();
  });

  test('has exactly the composition that was worked out for it', async () => {
    const addresses = await derive();
    const read = snapshotAddresses(addresses, { staking: [], tokenomics: [] }).map(
      (address) => [address, fundedAccount(address)] as const,
    );
    const reads = readSnapshot(
      { addresses, vaults: { staking: [], tokenomics: [] }, read: { slot: 5n, accounts: new Map(read) } },
      now,
    );
    const split = splitSupply(reads);
    const body = toComposition(known.baseMint, now, { ...reads, slot: 5n, split, lpLock: null });
    expect(body).toMatchObject({
      slot: 5,
      totalSupply: expected.totalSupply,
      tokenDecimals: expected.decimals,
      lifecycle: expected.lifecycle,
      reads: 'complete',
      unreadBuckets: [],
    });
    const amounts = body.buckets.map(({ key, amount }) => [key, amount]);
    expect(Object.fromEntries(amounts)).toEqual(expected.buckets);
  });

  test('holds the amount of the config at its start price, when nothing is sold', () => {
    if (config === null) throw new Error('no config');
    const swapBaseAmount = fieldsOf(account(known.config)?.data ?? Buffer.alloc(0)).u64(
      SWAP_BASE_AMOUNT_OFFSET,
    );
    expect(baseUpToMigrationRaw(config.sqrtStartPrice, config)).toBe(swapBaseAmount);
  });
});
