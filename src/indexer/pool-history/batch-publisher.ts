import type { NatsConnection } from '@nats-io/transport-node';
import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { Database } from '../../db/client.ts';
import type { curveStages } from '../../db/schema/tokens.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ChainTransaction } from '../decode/chain-transaction.ts';
import type { DecodedTransaction } from '../decode/decode-transaction.ts';
import type { TokenPool } from '../decode/known-pools.ts';
import type { UndecodedCounts } from './undecoded.ts';

/** What the chain shows of a token's curve, and since when; null where the chain does not say. */
export interface LaunchFact {
  stage: (typeof curveStages)[number];
  at: Date | null;
}

export interface PublishDependencies {
  db: Database;
  connection: NatsConnection;
  clock: Clock;
  undecoded: UndecodedCounts;
  /** Passed in, because the rules of tokens belong to their feature. Must be idempotent. */
  onLaunchStep(mintAddress: string, fact: LaunchFact): Promise<void>;
  /** Keeps what the transactions say of fees. Must be idempotent. */
  onFeeFacts(transactions: readonly (DecodedTransaction | null)[]): Promise<void>;
  /** Called after a change: caches of these tokens are stale. */
  onTokensChanged(mintAddresses: readonly string[]): void;
}

/** A transaction of the pool, with what it did; both null when it failed. */
export interface PlacedTransaction {
  record: SignatureRecord;
  transactionIndex: number;
  transaction: ChainTransaction | null;
  decoded: DecodedTransaction | null;
}

/** Transactions of one pool in the order of the chain, without a gap to those before. */
export interface DecodedBatch {
  pool: TokenPool;
  transactions: readonly PlacedTransaction[];
}

/**
 * Does one thing with a batch before the pool's cursor moves past it. A reader that dies before that repeats the
 * transactions, perhaps in other batches, so a publisher must change nothing twice. One that throws has the batch
 * repeated later.
 */
export type BatchPublisher = (dependencies: PublishDependencies, batch: DecodedBatch) => Promise<void>;
