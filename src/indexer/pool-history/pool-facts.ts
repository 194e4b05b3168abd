import { getPoolAccounts } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { DecimalString } from '../../shared/decimal.ts';
import {
  type PoolProgram,
  poolProgramOf,
  restPool,
  storeAmmPool,
  storeInspectedPool,
  venueOf,
} from '../store/token-pools.ts';
import type { PoolTransaction, PublishDependencies } from './batch-publisher.ts';
import type { FetchDependencies } from './fetch-transactions.ts';
import { inspectPool, type PoolInspection } from './inspect-pool.ts';
import type { IndexedPool } from './list-pools.ts';
import { NodeUnavailable } from './node-set.ts';

const TIMEOUT_MS = 4_000;
/**
 * After this many failures the pool is read by its history alone for a while, because not every node serves
 * accounts.
 */
const FAILURES_MAX = 3;
const FAILED_MS = 10 * 60 * 1_000;
/**
 * An unusable pool is inspected again, because one node may have lied. A migrated curve is read again,
 * because its fees can still be claimed.
 */
const REST_MS = 60 * 60 * 1_000;

/**
 * The facts about one pool: as it was listed, from its account, and from its transactions. The account is
 * inspected once, before the history is read. A token that is registered late is then brought to its state on
 * chain, and an address without a pool of the token costs no more requests.
 */
export class PoolFacts {
  readonly #dependencies: PublishDependencies & FetchDependencies;
  #pool: IndexedPool;
  #failures = 0;
  #againAtMs = 0;
  #isUnusable = false;

  constructor(dependencies: PublishDependencies & FetchDependencies, listed: IndexedPool) {
    this.#dependencies = dependencies;
    this.#pool = listed;
  }

  get pool(): IndexedPool {
    return this.#pool;
  }

  /** True when the pool rests. The next listing leaves it out. */
  get isUnusable(): boolean {
    return this.#isUnusable;
  }

  /** Reads the pool's account, unless that was done. Changes nothing while there is no account. */
  async inspect(rpc: ChainRpc): Promise<void> {
    const pool = this.#pool;
    if (pool.isInspected || this.#dependencies.clock.now().getTime() < this.#againAtMs) return;
    const inspection = await this.#inspectOn(rpc, pool);
    if (inspection === null || inspection.kind === 'absent') return;
    if (inspection.kind === 'unusable') await this.#rejectPool(rpc, pool, inspection);
    else if (inspection.kind === 'curve') await this.#acceptCurve(pool, inspection);
    else {
      await this.#store(pool, inspection.program, null);
      this.#pool = { ...pool, venue: venueOf(inspection.program), isInspected: true };
    }
  }

  /**
   * Learns from published transactions whether the curve has migrated. A trade shows the program of a pool
   * whose account no node has returned.
   */
  learnFrom(transactions: readonly PoolTransaction[]): void {
    const { poolAddress } = this.#pool;
    const migrations = transactions.flatMap(({ decoded }) => decoded?.migrations ?? []);
    if (migrations.some((migration) => migration.curvePoolAddress === poolAddress))
      this.#pool = { ...this.#pool, isMigrated: true };
    if (this.#pool.venue !== 'unknown') return;
    const trades = transactions.flatMap(({ decoded }) => decoded?.trades ?? []);
    const trade = trades.find((one) => one.poolAddress === poolAddress);
    if (trade !== undefined) this.#pool = { ...this.#pool, venue: trade.venue };
  }

  /** Lets a migrated curve rest that was read to its end. */
  async retire(): Promise<void> {
    const { db, clock, log } = this.#dependencies;
    const now = clock.now();
    await restPool(db, this.#pool, new Date(now.getTime() + REST_MS), now);
    log.debug({ poolAddress: this.#pool.poolAddress }, 'indexer.curve_retired');
  }

  async #inspectOn(rpc: ChainRpc, pool: IndexedPool): Promise<PoolInspection | null> {
    const { nodes, clock, log } = this.#dependencies;
    const read = async (addresses: readonly string[]) => {
      const { accounts } = await nodes.call(rpc, (node) => getPoolAccounts(node, addresses, TIMEOUT_MS));
      return accounts;
    };
    try {
      return await inspectPool(read, pool);
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error;
      // The history would be requested from the same node, which has to be left alone for a while.
      if (!nodes.available(0).includes(rpc)) throw error;
      this.#failures += 1;
      if (this.#failures % FAILURES_MAX !== 0) return null;
      this.#againAtMs = clock.now().getTime() + FAILED_MS;
      const facts = { node: rpc.name, poolAddress: pool.poolAddress, message: error.message };
      // Logged once, for the operator.
      if (this.#failures === FAILURES_MAX) log.warn(facts, 'indexer.pool_not_inspected');
      else log.debug(facts, 'indexer.pool_not_inspected');
      return null;
    }
  }

  async #acceptCurve(
    pool: IndexedPool,
    { facts, graduationThresholdInSol, migratedTo }: Extract<PoolInspection, { kind: 'curve' }>,
  ): Promise<void> {
    const { db, clock, onLaunchStep } = this.#dependencies;
    const { poolAddress, mintAddress } = pool;
    for (const fact of facts) await onLaunchStep(mintAddress, fact);
    if (migratedTo !== null) {
      const { ammPoolAddress, ammConfigAddress: configAddress } = migratedTo;
      const curvePoolAddress = poolAddress;
      await storeAmmPool(
        db,
        {
          poolAddress: ammPoolAddress,
          mintAddress,
          program: poolProgramOf(migratedTo.ammProgram),
          curvePoolAddress,
          configAddress,
          migration: null,
        },
        clock.now(),
      );
    }
    await this.#store(pool, 'dbc', graduationThresholdInSol);
    const isMigrated = pool.isMigrated || facts.some(({ stage }) => stage === 'migrated');
    this.#pool = { ...pool, venue: 'dbc', isInspected: true, isMigrated };
  }

  async #rejectPool(
    rpc: ChainRpc,
    pool: IndexedPool,
    { reason, program }: Extract<PoolInspection, { kind: 'unusable' }>,
  ): Promise<void> {
    const { db, clock, undecoded, log } = this.#dependencies;
    const { poolAddress, mintAddress } = pool;
    const now = clock.now();
    const unusable = { poolAddress, mintAddress, program, unusableReason: reason };
    await storeInspectedPool(db, { ...unusable, graduationThresholdInSol: null }, now);
    await restPool(db, pool, new Date(now.getTime() + REST_MS), now);
    undecoded.recordUnusablePool(reason);
    log.error({ node: rpc.name, poolAddress, mintAddress, reason }, 'indexer.pool_unusable');
    this.#isUnusable = true;
  }

  #store(
    { poolAddress, mintAddress }: IndexedPool,
    program: PoolProgram,
    graduationThresholdInSol: DecimalString | null,
  ): Promise<void> {
    const { db, clock } = this.#dependencies;
    const pool = { poolAddress, mintAddress, program, unusableReason: null, graduationThresholdInSol };
    return storeInspectedPool(db, pool, clock.now());
  }
}
