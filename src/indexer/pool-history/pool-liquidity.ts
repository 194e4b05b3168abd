import { readDammV1Pool } from '../../chain/accounts/damm-v1-pool.ts';
import { readDynamicVault, shareWorthRaw } from '../../chain/accounts/dynamic-vault.ts';
import { readMint } from '../../chain/accounts/mint.ts';
import { CLOCK_SYSVAR, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { readChainSeconds } from '../../chain/accounts/sysvars.ts';
import { readTokenBalance } from '../../chain/accounts/token-account.ts';
import { getPoolAccounts } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { DecimalString } from '../../shared/decimal.ts';
import { toSol } from '../decode/trade-values.ts';
import { endPosition, positionOfReading } from '../market/indexed-trade.ts';
import { storeLiquidity } from '../store/markets.ts';
import type { PublishDependencies } from './batch-publisher.ts';
import type { FetchDependencies } from './fetch-transactions.ts';
import type { ReadAccounts } from './inspect-pool.ts';
import { NodeUnavailable } from './node-set.ts';

const TIMEOUT_MS = 4_000;
/**
 * After this many failures in a row the liquidity is unknown, because the old value no longer holds after the
 * newest transactions.
 */
const FAILURES_MAX = 3;

interface TransactionPosition {
  slot: bigint;
  transactionIndex: number;
}

/**
 * The SOL in a DAMM v1 pool, which no transaction reports. It is read from accounts of one slot each time the
 * pool's newest transactions have been read, so it includes them. Later earnings of the vault appear after
 * the next transaction.
 */
export class PoolLiquidity {
  readonly #dependencies: PublishDependencies & FetchDependencies;
  readonly #pool: { poolAddress: string; mintAddress: string };
  #share: ShareAddresses | null = null;
  /** The transaction after which the liquidity must be read. Null once it was read. */
  #unread: TransactionPosition | null = null;
  #isRead = false;
  #failures = 0;

  constructor(
    dependencies: PublishDependencies & FetchDependencies,
    pool: { poolAddress: string; mintAddress: string },
  ) {
    this.#dependencies = dependencies;
    this.#pool = pool;
  }

  /** Records the pool's newest transaction that was read. */
  noteTransaction(position: TransactionPosition): void {
    this.#unread = position;
  }

  /**
   * Called when a walk has ended. Reads and stores the liquidity if there was a transaction since the last
   * reading. The first call after a start always reads it, because the process before may have died in
   * between. Throws when the database is unavailable. If a node fails, the next walk tries again.
   */
  async refresh(rpc: ChainRpc, cursorSlot: bigint): Promise<void> {
    if (this.#unread === null && !this.#isRead) this.#unread = { slot: cursorSlot, transactionIndex: 0 };
    const last = this.#unread;
    if (last === null) return;
    const lamports = await this.#read(rpc, last.slot);
    if (lamports === null) {
      this.#failures += 1;
      if (this.#failures === FAILURES_MAX) await this.#giveUp(rpc, last);
      return;
    }
    this.#failures = 0;
    this.#isRead = true;
    this.#unread = null;
    await this.#store(toSol(lamports), positionOfReading(last));
  }

  async #read(rpc: ChainRpc, atLeastSlot: bigint): Promise<bigint | null> {
    const { nodes } = this.#dependencies;
    const read: ReadAccounts = async (addresses) => {
      const { slot, accounts } = await nodes.call(rpc, (node) =>
        getPoolAccounts(node, addresses, TIMEOUT_MS),
      );
      if (slot < atLeastSlot) throw new NodeUnavailable(`${rpc.name}: has not reached slot ${atLeastSlot}`);
      return accounts;
    };
    try {
      this.#share ??= await findShare(read, this.#pool.poolAddress);
      return this.#share === null ? null : await readShareLamports(read, this.#share);
    } catch (error) {
      if (error instanceof NodeUnavailable) return null;
      throw error;
    }
  }

  async #giveUp(rpc: ChainRpc, last: TransactionPosition): Promise<void> {
    const { poolAddress } = this.#pool;
    this.#dependencies.log.warn({ node: rpc.name, poolAddress }, 'indexer.liquidity_unread');
    await this.#store(null, endPosition(last));
  }

  async #store(liquidityInSol: DecimalString | null, position: string): Promise<void> {
    const { db, onTokensChanged } = this.#dependencies;
    const { mintAddress } = this.#pool;
    if (await storeLiquidity(db, { mintAddress, liquidityInSol, position })) onTokensChanged([mintAddress]);
  }
}

/** The addresses that hold the SOL of a DAMM v1 pool. They never change. */
export interface ShareAddresses {
  vault: string;
  /** Mint of the vault's shares. */
  lpMint: string;
  /** The pool's token account for shares of the vault. */
  shares: string;
}

/** Null when the accounts are not those of a pool against SOL. Throws the errors of `read`. */
export async function findShare(read: ReadAccounts, poolAddress: string): Promise<ShareAddresses | null> {
  const pool = readDammV1Pool((await read([poolAddress])).get(poolAddress) ?? null);
  if (pool === null) return null;
  const isA = pool.tokenAMint === WRAPPED_SOL_MINT;
  if (!isA && pool.tokenBMint !== WRAPPED_SOL_MINT) return null;
  const [vault, shares] = isA ? [pool.aVault, pool.aVaultLp] : [pool.bVault, pool.bVaultLp];
  const lpMint = readDynamicVault((await read([vault])).get(vault) ?? null)?.lpMint;
  return lpMint === undefined ? null : { vault, lpMint, shares };
}

/**
 * The worth in lamports of the pool's shares, in the slot of the accounts. Null when an account is not the
 * expected one. Throws the errors of `read`.
 */
export async function readShareLamports(
  read: ReadAccounts,
  { vault: vaultAddress, lpMint, shares: sharesAddress }: ShareAddresses,
): Promise<bigint | null> {
  const accounts = await read([vaultAddress, lpMint, sharesAddress, CLOCK_SYSVAR]);
  const account = (address: string) => accounts.get(address) ?? null;
  const vault = readDynamicVault(account(vaultAddress));
  const supply = readMint(account(lpMint))?.supplyRaw;
  const shares = readTokenBalance(account(sharesAddress), lpMint);
  const unixSeconds = readChainSeconds(account(CLOCK_SYSVAR));
  if (vault === null || vault.tokenMint !== WRAPPED_SOL_MINT || vault.lpMint !== lpMint) return null;
  if (supply === undefined || shares === null || unixSeconds === null) return null;
  return shareWorthRaw(vault, { shares, supply, unixSeconds });
}
