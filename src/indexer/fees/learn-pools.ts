import type { ChainAccount } from '../../chain/accounts/account-data.ts';
import { migratedPoolAddresses } from '../../chain/accounts/derived-addresses.ts';
import { readCurveConfig, readCurveConfigKeys } from '../../chain/pools/curve/config-account.ts';
import { readCurvePoolKeys } from '../../chain/pools/curve/pool-account.ts';
import type { DuePool, LearntPool } from '../store/fee-pools.ts';

export type ReadAccounts = (
  addresses: readonly string[],
) => Promise<ReadonlyMap<string, ChainAccount | null>>;

const DAMM_V2_MIGRATION = 1;

/**
 * Reads the addresses that hold the fees of new pools, with two requests for all pools. They never change.
 */
export async function learnPools(pools: readonly DuePool[], read: ReadAccounts): Promise<LearntPool[]> {
  const accounts = await read(pools.map(({ poolAddress }) => poolAddress));
  const withConfig = pools.map((pool) => {
    const keys = readCurvePoolKeys(accounts.get(pool.poolAddress) ?? null);
    return keys?.baseMint === pool.mintAddress ? { pool, ...keys } : { pool, config: null, creator: null };
  });
  const configs = [...new Set(withConfig.flatMap(({ config }) => (config === null ? [] : [config])))];
  const configAccounts = configs.length === 0 ? new Map<string, ChainAccount | null>() : await read(configs);
  return Promise.all(
    withConfig.map(({ pool, config, creator }) =>
      config === null
        ? unreadable(pool, 'pool_unreadable')
        : learnPool(pool, creator, config, configAccounts.get(config) ?? null),
    ),
  );
}

async function learnPool(
  pool: DuePool,
  creatorWallet: string,
  address: string,
  account: ChainAccount | null,
): Promise<LearntPool> {
  const config = readCurveConfig(account);
  const keys = readCurveConfigKeys(account);
  if (config === null || keys === null) return unreadable(pool, 'config_unreadable');
  const amm =
    config.migrationOption === DAMM_V2_MIGRATION
      ? await migratedPoolAddresses(pool.mintAddress, keys.quoteMint, config.migrationFeeOption)
      : null;
  return {
    mintAddress: pool.mintAddress,
    poolAddress: pool.poolAddress,
    configAddress: address,
    partnerWallet: keys.feeClaimer,
    creatorWallet,
    leftoverWallet: keys.leftoverReceiver,
    ammPoolAddress: amm?.pool ?? null,
    problem: null,
  };
}

function unreadable({ mintAddress, poolAddress }: DuePool, problem: string): LearntPool {
  return {
    mintAddress,
    poolAddress,
    configAddress: null,
    partnerWallet: null,
    creatorWallet: null,
    leftoverWallet: null,
    ammPoolAddress: null,
    problem,
  };
}
