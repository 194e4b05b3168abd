import { type NonceAccount, readNonceAccount } from '../../chain/accounts/nonce-account.ts';
import {
  type CurrentReadDependencies,
  firstCurrentResponse,
} from '../../chain/node-trust/first-current-response.ts';
import { getAccounts } from '../../chain/rpc/account-calls.ts';
import { Problem } from '../../shared/problem.ts';

const TIMEOUT_MS = 3_000;

/**
 * The nonce account as a node near the head has it; null when the chain shows none.
 * @param readSlot an earlier reading: a node before it is not believed
 */
export async function readNonceNow(
  nonceAddress: string,
  nodes: CurrentReadDependencies,
  readSlot: bigint | null = null,
): Promise<NonceAccount | null | Problem> {
  const response = await firstCurrentResponse(
    nodes,
    (rpc, minContextSlot) => getAccounts(rpc, [nonceAddress], TIMEOUT_MS, minContextSlot),
    readSlot ?? 0n,
  );
  if (!response.ok) return new Problem('chain_unavailable', { cause: new Error(response.failure.message) });
  return readNonceAccount(response.value.accounts.get(nonceAddress) ?? null);
}
