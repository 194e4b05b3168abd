import type { NatsConnection } from '@nats-io/transport-node';
import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { Database } from '../../db/client.ts';
import type { curveStages } from '../../db/values/tokens.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ChainTransaction } from '../decode/chain-transaction.ts';
import type { DecodedTransaction } from '../decode/decoded-transaction.ts';
import type { TokenPool } from '../decode/known-pools.ts';
import type { PoolWrites } from './pool-writes.ts';
import type { UndecodedCounts } from './undecoded.ts';

/** A step of a token's curve on chain, and its time. Null where the chain does not show the time. */
export interface LaunchFact {
  stage: (typeof curveStages)[number];
  at: Date | null;
}

export interface PublishDependencies {
  db: Database;
  connection: NatsConnection;
  clock: Clock;
  undecoded: UndecodedCounts;
  /** Shared by the readers of all pools. */
  writes: PoolWrites;
  /** Passed in, because the rules of tokens belong to their feature. Must be idempotent. */
  onLaunchStep(mintAddress: string, fact: LaunchFact): Promise<void>;
  /** Stores the facts about fees in the transactions. Must be idempotent. */
  onFeeFacts(transactions: readonly (DecodedTransaction | null)[]): Promise<void>;
  /** Called after a change, because caches of these tokens are stale then. */
  onTokensChanged(mintAddresses: readonly string[]): void;
}

/** A transaction of the pool with its decoded content. Both are null when it failed. */
export interface PoolTransaction {
  record: SignatureRecord;
  transactionIndex: number;
  transaction: ChainTransaction | null;
  decoded: DecodedTransaction | null;
}

/** Transactions of one pool in chain order, without a gap after the earlier ones. */
export interface DecodedBatch {
  pool: TokenPool;
  transactions: readonly PoolTransaction[];
}

/**
 * Does one thing with a batch before the pool's cursor moves past it. If a reader dies before that, its
 * transactions are repeated, perhaps in other batches, so a publisher must change nothing twice. If a
 * publisher throws, the batch is repeated later.
 */
export type BatchPublisher = (dependencies: PublishDependencies, batch: DecodedBatch) => Promise<void>;
