import type { ChainAccount } from '../../../chain/accounts/account-data.ts';
import { readNonce } from '../../../chain/accounts/nonce-account.ts';
import { CLOCK_SYSVAR } from '../../../chain/accounts/programs.ts';
import { readChainSeconds } from '../../../chain/accounts/sysvars.ts';
import { witnessesOf } from '../../../chain/node-trust/witnesses.ts';
import { getAccounts } from '../../../chain/rpc/account-calls.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';

/** Nonce accounts of one request; the clock takes one more place in it. */
export const NONCE_ACCOUNTS_MAX = 99;
/** How far the chain's clock may differ from ours, in either direction. */
const CLOCK_DRIFT_SECONDS = 60;

/** Nonce accounts as one node shows them in one slot. */
export interface NonceReading {
  slot: bigint;
  /** The chain's own time in that slot; null where the node does not show it. */
  chainSeconds: bigint | null;
  accounts: ReadonlyMap<string, ChainAccount | null>;
}

/** What an order was signed over. */
export interface SignedNonce {
  nonceAddress: string;
  nonce: string;
  createdAt: Date;
}

/** The accounts at each node that responds, and was not found lying while others were awaited. @param addresses at most `NONCE_ACCOUNTS_MAX` */
export async function readNonces(
  rpcs: readonly ChainRpc[],
  addresses: readonly string[],
  timeoutMs: number,
): Promise<NonceReading[]> {
  const responses = await Promise.all(
    rpcs.map((rpc) => getAccounts(rpc, [CLOCK_SYSVAR, ...addresses], timeoutMs)),
  );
  return responses.flatMap((response, node) => {
    if (!response.ok || rpcs[node]?.quarantine.isActive) return [];
    const { slot, accounts } = response.value;
    return [{ slot, accounts, chainSeconds: readChainSeconds(accounts.get(CLOCK_SYSVAR) ?? null) }];
  });
}

/**
 * Whether nothing can land over the nonce any more. A node that lags behind the order shows the nonce before it, so a
 * state counts only when it is younger than the order by the chain's own clock; it takes two such nodes, and none that
 * shows the nonce.
 * @param nodes number of configured nodes
 */
export function isNonceSpent(
  { nonceAddress, nonce, createdAt }: SignedNonce,
  readings: readonly NonceReading[],
  nodes: number,
  now: Date,
): boolean {
  const held = readings.filter(({ accounts }) => accounts.has(nonceAddress));
  const isHeld = ({ accounts }: NonceReading) => readNonce(accounts.get(nonceAddress) ?? null) === nonce;
  if (held.some(isHeld)) return false;
  const witnesses = held.filter(({ chainSeconds }) => {
    const seconds = Number(chainSeconds ?? 0);
    return (
      seconds > createdAt.getTime() / 1_000 + CLOCK_DRIFT_SECONDS &&
      seconds <= now.getTime() / 1_000 + CLOCK_DRIFT_SECONDS
    );
  });
  return witnesses.length >= witnessesOf(nodes);
}
