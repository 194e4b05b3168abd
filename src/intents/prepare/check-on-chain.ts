import type { ChainAccount } from '../../chain/accounts/account-data.ts';
import { readLookupTable } from '../../chain/accounts/lookup-table.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import { getAccounts } from '../../chain/rpc/account-calls.ts';
import { simulateTransaction } from '../../chain/rpc/transaction-calls.ts';
import type { ChainRpc, RpcOutcome } from '../../chain/rpc.ts';
import type { LookupView, TransactionView } from '../../chain/transaction-reader.ts';
import { encodeAddress } from '../../shared/address.ts';
import { PreparationRefused, PreparationUnavailable } from './preparation.ts';

const TIMEOUT_MS = 5_000;
const KEY_BYTES = 32;

/** Throws PreparationRefused unless the chain resolves every address that a v0 message looks up. */
export async function requireLookups(
  bytes: Uint8Array,
  view: TransactionView,
  nodes: CurrentReadDependencies,
): Promise<void> {
  const tables = view.lookups.map(({ tableOffset }) => keyAt(bytes, tableOffset));
  const { accounts } = await responseOf(nodes, 'the address lookup tables could not be read', (rpc, slot) =>
    getAccounts(rpc, tables, TIMEOUT_MS, slot),
  );
  const keys = Array.from({ length: view.keyCount }, (_, index) =>
    keyAt(bytes, view.keysOffset + index * KEY_BYTES),
  );
  const loaded = view.lookups.flatMap((lookup, at) =>
    resolve(bytes, lookup, tables[at] ?? '', accounts.get(tables[at] ?? '') ?? null),
  );
  const seen = new Set(keys);
  for (const address of loaded) {
    // The runtime refuses a transaction that loads an account twice, listed or looked up.
    if (seen.has(address))
      throw new PreparationRefused(
        `account ${address} is looked up although the transaction lists it already`,
      );
    seen.add(address);
  }
}

function resolve(
  bytes: Uint8Array,
  lookup: LookupView,
  address: string,
  account: ChainAccount | null,
): string[] {
  if (account === null) throw new PreparationRefused(`lookup table ${address} does not exist`);
  const table = readLookupTable(account);
  if (table === null) throw new PreparationRefused(`account ${address} is not an address lookup table`);
  if (table.isDeactivated) throw new PreparationRefused(`lookup table ${address} is deactivated`);
  const { writableOffset, writableCount, readonlyOffset, readonlyCount } = lookup;
  const indexes = [
    ...bytes.subarray(writableOffset, writableOffset + writableCount),
    ...bytes.subarray(readonlyOffset, readonlyOffset + readonlyCount),
  ];
  return indexes.map((index) => {
    const found = table.addresses[index];
    if (found !== undefined) return found;
    throw new PreparationRefused(
      `lookup table ${address} holds ${table.addresses.length} addresses, none at index ${index}`,
    );
  });
}

/** Throws PreparationRefused with the chain's error unless the transaction would succeed now. */
export async function requireSimulation(bytes: Uint8Array, nodes: CurrentReadDependencies): Promise<void> {
  const { failure } = await responseOf(nodes, 'the transaction could not be simulated', (rpc, slot) =>
    simulateTransaction(rpc, bytes, TIMEOUT_MS, slot),
  );
  if (failure !== null) throw new PreparationRefused(`the simulation failed: ${failure}`);
}

async function responseOf<Value>(
  nodes: CurrentReadDependencies,
  what: string,
  request: (rpc: ChainRpc, minContextSlot: bigint) => Promise<RpcOutcome<Value>>,
): Promise<Value> {
  const outcome = await firstCurrentResponse(nodes, request);
  if (outcome.ok) return outcome.value;
  throw new PreparationUnavailable(`${what}: ${outcome.failure.message}`);
}

function keyAt(bytes: Uint8Array, offset: number): string {
  return encodeAddress(bytes.subarray(offset, offset + KEY_BYTES));
}
