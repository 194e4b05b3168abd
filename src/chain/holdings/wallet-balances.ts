import { encodeBase58 } from '../../shared/base58.ts';
import { type NodeOrUrl, namedNode } from '../../shared/node-address.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../accounts/programs.ts';
import { AMOUNT_OFFSET } from '../accounts/token-account.ts';
import type { RpcOutcome } from '../rpc.ts';
import { type ReadAllowance, readTokenAccounts } from './token-account-list.ts';

/** Lists the tokens of wallets at one node. */
export interface TokenBalanceSource {
  /** The name of the node, for logs. */
  readonly name: string;
  /**
   * Raw balances of a wallet by mint: the sum of all its accounts under both token programs, without zero
   * balances. Fails as `readTokenAccounts`.
   */
  read(
    wallet: string,
    timeoutMs: number,
    allowance: ReadAllowance,
  ): Promise<RpcOutcome<ReadonlyMap<string, bigint>>>;
}

/** One source per node of `SOLANA_RPC_URL`, in order. */
export function createTokenBalanceSources(nodes: readonly NodeOrUrl[]): TokenBalanceSource[] {
  return nodes.map(namedNode).map(({ name, url }) => ({
    name,
    async read(wallet, timeoutMs, allowance) {
      const balances: RawBalances = new Map();
      const limits = { timeoutMs, allowance };
      const read = await readTokenAccounts(url, wallet, [SPL_TOKEN, TOKEN_2022], limits, (data) =>
        addBalance(balances, data),
      );
      return read.ok ? { ok: true, value: byAddress(balances) } : read;
    },
  }));
}

/**
 * Keyed by the 32 bytes of the mint as latin1. Base58 costs more than all the rest, so it is made only for
 * whole lists.
 */
type RawBalances = Map<string, bigint>;

function addBalance(balances: RawBalances, data: Buffer): void {
  const amountRaw = data.readBigUInt64LE(AMOUNT_OFFSET);
  if (amountRaw === 0n) return;
  const mint = data.toString('latin1', 0, 32);
  balances.set(mint, (balances.get(mint) ?? 0n) + amountRaw);
}

function byAddress(balances: RawBalances): Map<string, bigint> {
  const entries = [...balances].map(([mint, amountRaw]) => [encodeMint(mint), amountRaw] as const);
  return new Map(entries);
}

function encodeMint(latin1: string): string {
  return encodeBase58(Buffer.from(latin1, 'latin1'));
}
