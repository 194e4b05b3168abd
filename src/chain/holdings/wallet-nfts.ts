import { encodeBase58 } from '../../shared/base58.ts';
import { type NodeOrUrl, namedNode } from '../../shared/node-address.ts';
import { TOKEN_2022 } from '../accounts/programs.ts';
import { AMOUNT_OFFSET } from '../accounts/token-account.ts';
import type { RpcOutcome } from '../rpc.ts';
import { type ReadAllowance, readTokenAccounts } from './token-account-list.ts';

/** Lists what may be NFTs of a wallet at one node. */
export interface NftSource {
  /** The name of the node, for logs. */
  readonly name: string;
  /**
   * The accounts of a wallet under Token-2022 that hold exactly one unit, by their mint: NFTs of AMM
   * positions are under this program. Fails as `readTokenAccounts`.
   */
  read(
    wallet: string,
    timeoutMs: number,
    allowance: ReadAllowance,
  ): Promise<RpcOutcome<ReadonlyMap<string, string>>>;
}

/** One source per node of `SOLANA_RPC_URL`, in order. */
export function createNftSources(nodes: readonly NodeOrUrl[]): NftSource[] {
  return nodes.map(namedNode).map(({ name, url }) => ({
    name,
    async read(wallet, timeoutMs, allowance) {
      const accounts = new Map<string, string>();
      const read = await readTokenAccounts(
        url,
        wallet,
        [TOKEN_2022],
        { timeoutMs, allowance },
        (data, address) => {
          if (data.readBigUInt64LE(AMOUNT_OFFSET) === 1n)
            accounts.set(encodeBase58(data.subarray(0, 32)), address);
        },
      );
      return read.ok ? { ok: true, value: accounts } : read;
    },
  }));
}
