import type { NatsConnection } from '@nats-io/transport-node';
import type { ChainHeadSource } from '../chain/head.ts';
import type { ChainRpc } from '../chain/rpc.ts';
import type { Database } from '../db/client.ts';
import { upsertToken } from '../features/tokens/upsert.ts';
import type { CheckPolicy } from '../features/transaction-intents/broadcast.ts';
import type { Outbox } from '../outbox/append.ts';
import { hints } from '../shared/bus/topology.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { runChainIndexer } from './chain-indexer.ts';
import { runIngest } from './ingest.ts';
import { runIntentBroadcaster } from './intent-broadcaster.ts';
import { runIntentConfirmer } from './intent-confirmer.ts';
import { runIntentExpirer } from './intent-expirer.ts';
import { runOutboxPublisher } from './outbox-publisher.ts';
import { runRetention } from './retention.ts';

export interface JobsOptions {
  db: Database;
  connection: NatsConnection;
  rpcs: readonly ChainRpc[];
  chainHead: ChainHeadSource;
  outbox: Outbox;
  clock: Clock;
  log: Logger;
  /** Ends every loop after what it has in flight. */
  signal: AbortSignal;
  checkPolicy: CheckPolicy;
}

/**
 * Runs every loop of the worker until the signal aborts, then waits for what is in flight. Rejects when a loop
 * dies, after stopping the others: a worker that does only part of its work must not go unnoticed.
 */
export async function runJobs(options: JobsOptions): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const loops = startLoops({ ...options, signal });
  const watched = Object.entries(loops).map(async ([name, loop]) => {
    try {
      await loop;
      if (!signal.aborted) throw new Error('the loop ended by itself');
    } catch (cause) {
      failed.abort();
      throw new Error(`job ${name} died`, { cause });
    }
  });
  const outcomes = await Promise.allSettled(watched);
  const death = outcomes.find((outcome) => outcome.status === 'rejected');
  if (death !== undefined) throw death.reason;
}

function startLoops(options: JobsOptions): Record<string, Promise<void>> {
  const { db, connection, rpcs, chainHead, outbox, clock, log, signal, checkPolicy } = options;
  const onEventsAdded = () => connection.publish(hints.outbox);
  const onTokensChanged = (mintAddresses: readonly string[]) => {
    for (const mint of mintAddresses) connection.publish(hints.tokenChanged, mint);
  };
  const intents = { db, outbox, clock, onEventsAdded };
  return {
    chainHead: chainHead.run(signal),
    outboxPublisher: runOutboxPublisher({ db, connection, clock, log, signal }),
    ingest: runIngest({
      connection,
      log,
      signal,
      context: { db, outbox, clock, upsertToken, onTokensChanged, onEventsAdded },
    }),
    chainIndexer: runChainIndexer({
      connection,
      rpcs,
      log,
      signal,
      context: { db, outbox, clock, onTokensChanged, onEventsAdded },
    }),
    intentBroadcaster: runIntentBroadcaster({
      connection,
      signal,
      context: { ...intents, rpcs, log, checkPolicy },
    }),
    intentConfirmer: runIntentConfirmer({ log, signal, context: { ...intents, rpcs } }),
    intentExpirer: runIntentExpirer({ log, signal, chainHead, context: intents }),
    retention: runRetention({ db, clock, log, signal }),
  };
}
