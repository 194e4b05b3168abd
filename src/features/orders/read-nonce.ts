import { type NonceAccount, readNonceAccount } from '../../chain/accounts/nonce-account.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import { getAccounts } from '../../chain/rpc/account-calls.ts';
import { Problem } from '../../shared/problem.ts';

const TIMEOUT_MS = 3_000;

/** An address as a node near the head has it. */
export interface SeenAddress {
  /** The slot of the reading. */
  slot: bigint;
  /** Null when the chain shows no nonce account there. */
  account: NonceAccount | null;
  /** Null when the node does not say. */
  lamports: bigint | null;
}

/**
 * Reads a nonce account now.
 * @param readSlot an earlier reading: a node before it is not believed
 */
export async function readNonceNow(
  nonceAddress: string,
  nodes: CurrentReadDependencies,
  readSlot: bigint | null = null,
): Promise<SeenAddress | Problem> {
  const response = await firstCurrentResponse(
    nodes,
    (rpc, minContextSlot) => getAccounts(rpc, [nonceAddress], TIMEOUT_MS, minContextSlot),
    readSlot ?? 0n,
  );
  if (!response.ok) return new Problem('chain_unavailable', { cause: new Error(response.failure.message) });
  const { slot, accounts } = response.value;
  const account = accounts.get(nonceAddress) ?? null;
  return { slot, account: readNonceAccount(account), lamports: account?.lamports ?? null };
}
