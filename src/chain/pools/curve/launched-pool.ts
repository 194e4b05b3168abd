import type { ChainAccount } from '../../accounts/account-data.ts';
import { WRAPPED_SOL_MINT } from '../../accounts/programs.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../node-trust/first-current-response.ts';
import { getAccounts } from '../../rpc/account-calls.ts';
import { quotePerBase, wholeTokenPrice } from '../spot-price.ts';
import { readCurveConfig, readCurveConfigKeys } from './config-account.ts';
import { readCurvePool, readCurvePoolKeys } from './pool-account.ts';

/** A curve's pool as it was when its token was announced (contract/events#launched-pool). */
export interface LaunchedPool {
  poolAddress: string;
  programAddress: string;
  quoteMint: string;
  /** Raw units of the token that the curve still holds. */
  baseReserveRaw: string;
  /** Lamports when the quote token is SOL. */
  quoteReserveRaw: string;
  /** SOL for a whole token. Null for another quote token. */
  spotPriceInSol: string | null;
  slot: string;
}

const TIMEOUT_MS = 1_000;
const SOL_DECIMALS = 9;

/** The pool of this mint, from accounts of one slot. Null when they hold none. */
export function launchedPool(
  { slot, poolAddress, mintAddress }: { slot: bigint; poolAddress: string; mintAddress: string },
  poolAccount: ChainAccount | null,
  configAccount: ChainAccount | null,
): LaunchedPool | null {
  const [pool, keys] = [readCurvePool(poolAccount), readCurvePoolKeys(poolAccount)];
  const [config, configKeys] = [readCurveConfig(configAccount), readCurveConfigKeys(configAccount)];
  if (poolAccount === null || pool === null || keys === null || keys.baseMint !== mintAddress) return null;
  if (config === null || configKeys === null) return null;
  const { quoteMint } = configKeys;
  return {
    poolAddress,
    programAddress: poolAccount.owner,
    quoteMint,
    baseReserveRaw: String(pool.baseReserve),
    quoteReserveRaw: String(pool.quoteReserve),
    spotPriceInSol:
      quoteMint === WRAPPED_SOL_MINT
        ? wholeTokenPrice(quotePerBase(pool.sqrtPrice), config.tokenDecimal, SOL_DECIMALS)
        : null,
    slot: String(slot),
  };
}

/** Reads the pool of this mint at an address from a node near the head. Null when no node returns one. */
export async function readLaunchedPool(
  nodes: CurrentReadDependencies,
  poolAddress: string,
  mintAddress: string,
): Promise<LaunchedPool | null> {
  const found = await accountsOf(nodes, [poolAddress]);
  const keys = readCurvePoolKeys(found?.accounts.get(poolAddress) ?? null);
  if (keys === null) return null;
  // Both accounts must be of one slot. The first reading only gave the address of the config.
  const read = await accountsOf(nodes, [poolAddress, keys.config]);
  if (read === null) return null;
  const { slot, accounts } = read;
  const account = (address: string) => accounts.get(address) ?? null;
  return launchedPool({ slot, poolAddress, mintAddress }, account(poolAddress), account(keys.config));
}

async function accountsOf(nodes: CurrentReadDependencies, addresses: readonly string[]) {
  const response = await firstCurrentResponse(nodes, (rpc, minContextSlot) =>
    getAccounts(rpc, addresses, TIMEOUT_MS, minContextSlot),
  );
  return response.ok ? response.value : null;
}
