import type { ChainHeadSource } from '../../chain/head.ts';
import { readCurveConfig } from '../../chain/pools/curve/config-account.ts';
import { type LaunchedPool, launchedPool } from '../../chain/pools/curve/launched-pool.ts';
import { readCurvePool, readCurvePoolKeys } from '../../chain/pools/curve/pool-account.ts';
import { activationTypes } from '../../chain/pools/swap-request.ts';
import { type AccountsInSlot, getAccounts } from '../../chain/rpc/account-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';

/** A pool that a launch may have created. */
export interface ExpectedPool {
  poolAddress: string;
  configAddress: string;
  mintAddress: string;
}

/** The nodes' reports about such a pool. */
export interface PoolReading {
  /** Nodes that show the pool. */
  present: number;
  /** Nodes at the head of the chain that do not show the pool. */
  absent: number;
  /** When it was created; null when the config counts in slots. */
  createdAt: Date | null;
  /** The pool at the newest of the nodes that show it. */
  pool: LaunchedPool | null;
}

const TIMEOUT_MS = 4_000;
/** Pools of one call, each with its config: getMultipleAccounts takes 100 addresses. */
export const POOLS_MAX = 50;

/**
 * Asks every node for up to `POOLS_MAX` pools, and returns readings in the order of the pools. A node without
 * a response counts as neither, and so does one that was found lying while others were awaited.
 */
export async function readPools(
  rpcs: readonly ChainRpc[],
  chainHead: ChainHeadSource,
  pools: readonly ExpectedPool[],
): Promise<PoolReading[]> {
  const headSlot = chainHead.current()?.slot ?? null;
  const addresses = new Set(pools.flatMap(({ poolAddress, configAddress }) => [poolAddress, configAddress]));
  const responses = await Promise.all(rpcs.map((rpc) => getAccounts(rpc, [...addresses], TIMEOUT_MS)));
  const readings = responses.flatMap((response, node) =>
    response.ok && !rpcs[node]?.quarantine.isActive ? [response.value] : [],
  );
  return pools.map((pool) => {
    const shown = readings
      .filter((reading) => shows(reading, pool))
      .sort((one, other) => (one.slot < other.slot ? 1 : -1));
    return {
      present: shown.length,
      absent: readings.filter(
        (reading) => headSlot !== null && reading.slot >= headSlot && !shown.includes(reading),
      ).length,
      createdAt: shown[0] === undefined ? null : creationTime(shown[0], pool),
      pool: shown[0] === undefined ? null : launchedPoolOf(shown[0], pool),
    };
  });
}

/** Mint and config identify the pool. Its creator may have transferred it in the same block. */
function shows({ accounts }: AccountsInSlot, pool: ExpectedPool): boolean {
  const keys = readCurvePoolKeys(accounts.get(pool.poolAddress) ?? null);
  return keys !== null && keys.config === pool.configAddress && keys.baseMint === pool.mintAddress;
}

function launchedPoolOf({ slot, accounts }: AccountsInSlot, expected: ExpectedPool): LaunchedPool | null {
  const { poolAddress, mintAddress, configAddress } = expected;
  const account = (address: string) => accounts.get(address) ?? null;
  return launchedPool({ slot, poolAddress, mintAddress }, account(poolAddress), account(configAddress));
}

/** The activation point, which the pool gets at its creation. */
function creationTime(
  { accounts }: AccountsInSlot,
  { poolAddress, configAddress }: ExpectedPool,
): Date | null {
  const pool = readCurvePool(accounts.get(poolAddress) ?? null);
  const config = readCurveConfig(accounts.get(configAddress) ?? null);
  if (pool === null || config?.activationType !== activationTypes.timestamp) return null;
  const date = new Date(Number(pool.activationPoint) * 1_000);
  return Number.isNaN(date.getTime()) ? null : date;
}
