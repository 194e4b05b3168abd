import { type NodeOrUrl, namedNode } from '../../shared/node-address.ts';
import { type Mint, readMint } from '../accounts/mint.ts';
import { tokenProgramAddress } from '../accounts/programs.ts';
import { BALANCE_BYTES, TOKEN_ACCOUNT_BYTES } from '../accounts/token-account.ts';
import { getAccounts } from '../rpc/account-calls.ts';
import { getBlockTime } from '../rpc/position-calls.ts';
import { createChainRpc, type RpcOutcome } from '../rpc.ts';
import { type ListedBalance, TOKEN_2022_SLICE_BYTES } from './balance-slice.ts';
import { readAccounts } from './mint-account-stream.ts';

export interface MintAccounts {
  mintAddress: string;
  tokenProgram: 'spl_token' | 'token_2022';
  /** A node before this slot refuses. Some nodes ignore it, so the caller checks the returned slot. */
  minSlot?: bigint;
}

/** Lists the token accounts of a mint at one node, as of one slot, at commitment `confirmed`. */
export interface TokenHolderSource {
  /** The name of the node, for logs. */
  readonly name: string;
  /** The token program of a mint. Null when there is no mint at the address. */
  findProgram(mintAddress: string): Promise<RpcOutcome<MintAccounts['tokenProgram'] | null>>;
  /** The mint, or null when there is none at the address, and the slot of the reading. */
  readMint(mintAddress: string): Promise<RpcOutcome<{ slot: bigint; mint: Mint | null }>>;
  /** Time of the block of a slot. */
  blockTime(slot: bigint): Promise<RpcOutcome<Date>>;
  /**
   * Yields accounts in batches of at most some thousands as they arrive, without zero balances. Returns the
   * slot that all of them are of. The node is read only as fast as the consumer takes batches. Throws
   * UnusableNodeResponse.
   */
  list(mint: MintAccounts, signal: AbortSignal): AsyncGenerator<ListedBalance[], bigint, undefined>;
}

const MINT_TIMEOUT_MS = 10_000;

/** Token-2022 accounts are read longer: only length and kind distinguish them from other state. */
const sliceBytes = { spl_token: BALANCE_BYTES, token_2022: TOKEN_2022_SLICE_BYTES } as const;

/** One source per node of `SOLANA_RPC_URL`, in order. */
export function createTokenHolderSources(nodes: readonly NodeOrUrl[]): TokenHolderSource[] {
  return nodes.map(namedNode).map((node) => {
    const { url } = node;
    const rpc = createChainRpc(node);
    const readMintAt: TokenHolderSource['readMint'] = async (mintAddress) => {
      const outcome = await getAccounts(rpc, [mintAddress], MINT_TIMEOUT_MS);
      if (!outcome.ok) return outcome;
      const { slot, accounts } = outcome.value;
      return { ok: true, value: { slot, mint: readMint(accounts.get(mintAddress) ?? null) } };
    };
    return {
      name: rpc.name,
      readMint: readMintAt,
      blockTime: (slot) => getBlockTime(rpc, slot, MINT_TIMEOUT_MS),
      async findProgram(mintAddress) {
        const outcome = await readMintAt(mintAddress);
        return outcome.ok ? { ok: true, value: outcome.value.mint?.tokenProgram ?? null } : outcome;
      },
      list: (mint, signal) => readAccounts({ ...mint, url, request: listingRequest(mint), signal }),
    };
  });
}

/**
 * Mint, owner and amount come first in an account. The mint is requested too, so that a node's filter need
 * not be trusted.
 */
function listingRequest({ mintAddress, tokenProgram, minSlot = 0n }: MintAccounts): object {
  const isMint = { memcmp: { offset: 0, bytes: mintAddress, encoding: 'base58' } };
  const config = {
    commitment: 'confirmed',
    encoding: 'base64',
    withContext: true,
    ...(minSlot > 0n && { minContextSlot: Number(minSlot) }),
    dataSlice: { offset: 0, length: sliceBytes[tokenProgram] },
    // Token-2022 accounts have 165 bytes or more.
    filters: tokenProgram === 'spl_token' ? [{ dataSize: TOKEN_ACCOUNT_BYTES }, isMint] : [isMint],
  };
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'getProgramAccounts',
    params: [tokenProgramAddress[tokenProgram], config],
  };
}
