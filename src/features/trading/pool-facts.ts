import { type MigrationTarget, migrationTarget } from '../../chain/accounts/derived-addresses.ts';
import { DAMM_V1, DAMM_V2, SPL_TOKEN, TOKEN_2022 } from '../../chain/accounts/programs.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import { readCurveConfig, readCurveConfigKeys } from '../../chain/pools/curve/config-account.ts';
import { type CurveTerms, curveTerms } from '../../chain/pools/curve/curve-terms.ts';
import { readCurvePool, readCurvePoolKeys } from '../../chain/pools/curve/pool-account.ts';
import { type AccountsInSlot, getAccounts } from '../../chain/rpc/account-calls.ts';
import { Problem } from '../../shared/problem.ts';

/** Facts of a token's pool that never change: read once, from the pool and its config. */
export interface PoolFacts {
  mintAddress: string;
  decimals: number;
  tokenProgram: string;
  quoteMint: string;
  curve: { address: string; config: string; baseVault: string; quoteVault: string; terms: CurveTerms };
  /** The AMM to which a complete curve migrates; null for an unpublished AMM. */
  amm: MigrationTarget | null;
}

const TIMEOUT_MS = 3_000;
const TOKEN_2022_POOL = 1;

/**
 * Why an address has no quotes: it has no pool of this mint, or an AMM pool that was registered without its
 * curve.
 */
export type MissingCurve = 'not_launched' | 'amm_unsupported';

/** Facts of the curve of this mint at the address. Throws `chain_unavailable`. */
export async function readPoolFacts(
  nodes: CurrentReadDependencies,
  mintAddress: string,
  poolAddress: string,
): Promise<PoolFacts | MissingCurve> {
  const { accounts } = await readAccounts(nodes, [poolAddress]);
  const poolAccount = accounts.get(poolAddress) ?? null;
  if (poolAccount?.owner === DAMM_V1 || poolAccount?.owner === DAMM_V2) return 'amm_unsupported';
  const [pool, keys] = [readCurvePool(poolAccount), readCurvePoolKeys(poolAccount)];
  if (pool === null || keys === null || keys.baseMint !== mintAddress) return 'not_launched';
  const read = await readAccounts(nodes, [keys.config]);
  const configAccount = read.accounts.get(keys.config) ?? null;
  const [config, configKeys] = [readCurveConfig(configAccount), readCurveConfigKeys(configAccount)];
  if (config === null || configKeys === null) return 'not_launched';
  const { quoteMint } = configKeys;
  return {
    mintAddress,
    decimals: config.tokenDecimal,
    tokenProgram: pool.poolType === TOKEN_2022_POOL ? TOKEN_2022 : SPL_TOKEN,
    quoteMint,
    curve: {
      address: poolAddress,
      config: keys.config,
      baseVault: keys.baseVault,
      quoteVault: keys.quoteVault,
      terms: curveTerms(config),
    },
    amm: await migrationTarget({ ...config, quoteMint }, mintAddress),
  };
}

/** Accounts of one slot near the head, from the first node that has them. Throws `chain_unavailable`. */
export async function readAccounts(
  nodes: CurrentReadDependencies,
  addresses: readonly string[],
): Promise<AccountsInSlot> {
  const read = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
    getAccounts(rpc, addresses, TIMEOUT_MS, minContextSlot),
  );
  if (!read.ok) throw new Problem('chain_unavailable', { cause: read.failure });
  return read.value;
}
