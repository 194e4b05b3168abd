import { readPoolConfig } from '../../../chain/accounts/pool-config.ts';
import { readVirtualPool } from '../../../chain/accounts/virtual-pool.ts';
import { type AccountsInSlot, getAccounts } from '../../../chain/rpc/account-calls.ts';
import { firstResponse } from '../../../chain/rpc/first-response.ts';
import type { ChainRpc, RpcOutcome } from '../../../chain/rpc.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import type { SupplyVaults } from './find-supply-token.ts';
import {
  type SupplyAddresses,
  type SupplySnapshot,
  snapshotAddresses,
  supplyAddresses,
} from './snapshot-accounts.ts';

/** Null: no node responded. */
export type SnapshotSource = (
  mint: string,
  poolAddress: string,
  vaults: SupplyVaults,
) => Promise<SupplySnapshot | null>;

const TIMEOUT_MS = 3_000;
const POOLS_KEPT_MAX = 10_000;

/**
 * Takes snapshots with one request each. Before the first snapshot of a pool, two requests read its pool and
 * config for the addresses; those never change, so they are remembered for recently used pools.
 */
export function createSnapshotSource(rpcs: () => readonly ChainRpc[]): SnapshotSource {
  const known = new BoundedMap<string, SupplyAddresses>(POOLS_KEPT_MAX);

  return async (mint, poolAddress, vaults) => {
    const key = `${mint} ${poolAddress}`;
    let addresses = known.get(key) ?? null;
    if (addresses === null) {
      const learned = await learnAddresses(rpcs(), mint, poolAddress);
      if (learned === null) return null;
      addresses = learned.addresses;
      if (learned.isFinal) known.set(key, addresses);
    }
    const read = await readAccounts(rpcs(), snapshotAddresses(addresses, vaults));
    return read.ok ? { addresses, vaults, read: read.value } : null;
  };
}

/** `isFinal` is false when pool or config could not be read, so that the next request tries again. */
async function learnAddresses(
  rpcs: readonly ChainRpc[],
  mint: string,
  poolAddress: string,
): Promise<{ addresses: SupplyAddresses; isFinal: boolean } | null> {
  const poolRead = await readAccounts(rpcs, [poolAddress]);
  if (!poolRead.ok) return null;
  const pool = readVirtualPool(poolRead.value.accounts.get(poolAddress) ?? null);
  if (pool === null)
    return { addresses: await supplyAddresses(mint, poolAddress, null, null), isFinal: false };
  const configRead = await readAccounts(rpcs, [pool.config]);
  if (!configRead.ok) return null;
  const config = readPoolConfig(configRead.value.accounts.get(pool.config) ?? null);
  return { addresses: await supplyAddresses(mint, poolAddress, pool, config), isFinal: config !== null };
}

function readAccounts(
  rpcs: readonly ChainRpc[],
  addresses: readonly string[],
): Promise<RpcOutcome<AccountsInSlot>> {
  return firstResponse(rpcs, (rpc) => getAccounts(rpc, addresses, TIMEOUT_MS));
}
