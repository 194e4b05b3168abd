import { positionNftAccount } from '../../chain/accounts/derived-addresses.ts';
import { highestSlot, type PacedHead } from '../../chain/head.ts';
import { mostIn } from '../../chain/pace/chain-pace.ts';
import { type AccountsInSlot, getAccounts } from '../../chain/rpc/account-calls.ts';
import { firstResponse } from '../../chain/rpc/first-response.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Database, Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import { isAddress } from '../../shared/address.ts';
import type { Clock } from '../../shared/clock.ts';
import { type ChainFees, type FailedFees, storeChainFees } from '../store/chain-fees.ts';
import { distributeClaims } from '../store/fee-claims.ts';
import type { DistributionFact } from '../store/fee-distributions.ts';
import { type DuePool, listDuePools, listFeePositions, storeLearntPools } from '../store/fee-pools.ts';
import { storeTokenCreators, type TokenCreator } from '../store/token-creators.ts';
import { learnPools } from './learn-pools.ts';
import {
  addressesOf,
  creatorOf,
  type FeeAccounts,
  type FeePosition,
  readClaimingWallets,
  readTokenFees,
} from './token-fees.ts';

export interface FeeRefreshDependencies {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  /** They are asked in this order. */
  rpcs: readonly ChainRpc[];
  chainHead: PacedHead;
  /** The public record of a fee payment for its event. */
  describeFeeDistribution(distribution: DistributionFact): unknown;
  /** Called after the commit with tokens whose creator changed. */
  onTokensChanged(mintAddresses: readonly string[]): void;
}

/** The limit of getMultipleAccounts. */
const ACCOUNTS_PER_CALL = 100;
/** Each pool has a config. A migrated pool has up to five more accounts. */
const POOLS_PER_STEP = 50;
const TIMEOUT_MS = 3_000;
/** A pool with constant trades is read this often. */
const CHANGED_AFTER_MS = 5_000;
/** The pause after a failed reading of a pool with trades. */
const FAILED_AFTER_MS = 60_000;
/** Pools without new transactions are read this often, to find changes that only their accounts show. */
const QUIET_AFTER_MS = 900_000;
/** A node may lag behind the newest head of this process by the slots of this time. */
const BEHIND_MAX_MS = 60_000;

/**
 * Reads fees and creators of tokens from the accounts of their pools, some dozens of pools in one request. Pools with
 * new transactions come first, quiet pools every quarter of an hour. A pool that cannot be read delays no
 * other.
 */
export class FeeRefresh {
  readonly #dependencies: FeeRefreshDependencies;

  constructor(dependencies: FeeRefreshDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Reads the due pools with at most three requests. False when none was due. Throws when no node responds.
   */
  async step(): Promise<boolean> {
    const { db, clock } = this.#dependencies;
    const now = clock.now();
    const due = await listDuePools(
      db,
      {
        changedBefore: new Date(now.getTime() - CHANGED_AFTER_MS),
        failedBefore: new Date(now.getTime() - FAILED_AFTER_MS),
        quietBefore: new Date(now.getTime() - QUIET_AFTER_MS),
      },
      POOLS_PER_STEP,
    );
    if (due.length === 0) return false;
    const unknown = due.filter(({ configAddress }) => configAddress === null);
    if (unknown.length > 0) await this.#learn(unknown);
    const known = due.flatMap((pool) => (isKnown(pool) ? [pool] : []));
    if (known.length > 0) await this.#read(known);
    return true;
  }

  async #learn(pools: readonly DuePool[]): Promise<void> {
    const { db, clock } = this.#dependencies;
    const read = async (addresses: readonly string[]) => {
      // A node refuses the whole request when one text is not an address.
      const valid = addresses.filter(isAddress);
      return valid.length === 0 ? new Map<string, null>() : (await this.#accounts(valid)).accounts;
    };
    const learnt = await learnPools(pools, read);
    await storeLearntPools(db, learnt, clock.now());
    // These claims waited until the partner was known.
    await db.begin((transaction) => this.#distribute(transaction, learnt));
  }

  async #read(pools: readonly (DuePool & { configAddress: string })[]): Promise<void> {
    const { db, outbox, clock, onTokensChanged } = this.#dependencies;
    const batch = withinOneCall(await this.#withPositions(pools));
    const asOf = clock.now();
    const { slot, accounts } = await this.#accounts([...new Set(batch.flatMap(addressesOf))]);
    const fees: ChainFees[] = [];
    const failed: FailedFees[] = [];
    const creators: TokenCreator[] = [];
    for (const token of batch) {
      const { mintAddress, poolAddress } = token;
      const pool = { mintAddress, poolAddress, ...readClaimingWallets(token, accounts) };
      const read = readTokenFees(token, accounts);
      const creatorWallet = creatorOf(token, accounts);
      if (creatorWallet !== null) creators.push({ mintAddress, poolAddress, creatorWallet, slot });
      if (typeof read === 'string') failed.push({ ...pool, problem: read });
      else fees.push({ ...pool, ...read, slot, asOf });
    }
    const changed = await db.begin(async (transaction) => {
      await storeChainFees(transaction, fees, failed, clock.now());
      await this.#distribute(transaction, batch);
      return storeTokenCreators(transaction, outbox, creators, clock.now());
    });
    if (changed.length > 0) onTokensChanged(changed);
  }

  #distribute(transaction: Transaction, tokens: readonly { mintAddress: string }[]): Promise<void> {
    const { outbox, describeFeeDistribution } = this.#dependencies;
    const mints = tokens.map(({ mintAddress }) => mintAddress);
    return distributeClaims(transaction, outbox, describeFeeDistribution, mints);
  }

  async #withPositions(pools: readonly (DuePool & { configAddress: string })[]): Promise<FeeAccounts[]> {
    const stored = await listFeePositions(
      this.#dependencies.db,
      pools.map(({ mintAddress }) => mintAddress),
    );
    const positions = new Map<string, FeePosition[]>();
    for (const { mintAddress, positionAddress, nftMintAddress } of stored) {
      const nftAccountAddress = await positionNftAccount(nftMintAddress);
      const known = positions.get(mintAddress) ?? [];
      positions.set(mintAddress, [...known, { positionAddress, nftMintAddress, nftAccountAddress }]);
    }
    return pools.map((pool) => ({ ...pool, positions: positions.get(pool.mintAddress) ?? [] }));
  }

  async #accounts(addresses: readonly string[]): Promise<AccountsInSlot> {
    const response = await firstResponse(this.#dependencies.rpcs, async (rpc) => {
      const read = await getAccounts(rpc, addresses, TIMEOUT_MS);
      if (!read.ok || this.#isPlausible(read.value.slot)) return read;
      const message = `the slot ${read.value.slot} is far from the head of the chain`;
      return { ok: false, failure: { kind: 'unknown', message } };
    });
    if (!response.ok) throw new Error(response.failure.message);
    return response.value;
  }

  /** A slot in the far future would block every later state. A slot in the past would be dated as of now. */
  #isPlausible(slot: bigint): boolean {
    const { chainHead } = this.#dependencies;
    const head = chainHead.current();
    const highest = highestSlot(chainHead);
    if (head === null || highest === null) return true;
    const lowest = head.slot - mostIn(BEHIND_MAX_MS, chainHead.pace().slotsPerSecond);
    return slot <= highest && slot >= lowest;
  }
}

function isKnown(pool: DuePool): pool is DuePool & { configAddress: string } {
  return pool.configAddress !== null;
}

/**
 * Takes the tokens that fit into one request, so that each token is read in one slot. The others stay due.
 */
function withinOneCall(tokens: readonly FeeAccounts[]): FeeAccounts[] {
  const addresses = new Set<string>();
  const fitting: FeeAccounts[] = [];
  for (const token of tokens) {
    const added = addressesOf(token).filter((address) => !addresses.has(address));
    if (addresses.size + added.length > ACCOUNTS_PER_CALL) break;
    for (const address of added) addresses.add(address);
    fitting.push(token);
  }
  return fitting;
}
