import type { Database } from '../../db/client.ts';
import { readOutboxBacklog } from '../../outbox/metrics.ts';
import { type Finding, failed, ok } from './finding.ts';

/** A worker publishes within a second; an overload or a new leader of a stream may take some more. */
const WAITING_SECONDS_MAX = 60;

/** Checks that no event waits for the broker for long: a server with a full disk may answer and store nothing. */
export async function checkOutbox(database: Database): Promise<Finding> {
  const { count, oldestAgeSeconds } = await readOutboxBacklog(database);
  const sentence = `${count} events wait to be published`;
  if (oldestAgeSeconds <= WAITING_SECONDS_MAX) return ok('outbox', sentence);
  return failed(
    'outbox',
    `${sentence}, the oldest since ${Math.floor(oldestAgeSeconds)} s: no worker runs, or NATS stores nothing: look at the disk and the log of its server; make room, then restart it (runbook OutboxStuck)`,
  );
}
