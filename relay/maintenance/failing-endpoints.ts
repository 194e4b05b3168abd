import type { Database } from '../../src/db/client.ts';
import { isDatabaseAway } from '../../src/db/failure.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop } from '../../src/shared/loop.ts';
import type { FailingEndpoints } from '../endpoints/failing-endpoints.ts';
import type { RelaySettings } from '../model/settings.ts';
import { disableEndpoint } from '../results/disable-endpoint.ts';
import { announceFailing } from './announce-failing.ts';

/** An endpoint whose every attempt failed for this long is disabled (contract/delivery#failing-endpoints). */
const FAILING_DAYS = 5;
/** Latest successes to read: one that found the row of its endpoint locked is not noted in `failing_since`. */
const LATEST_SUCCESSES = 100;

interface FailingEndpointsDependencies {
  sql: Database;
  outbox: Outbox;
  failing: FailingEndpoints;
  settings: RelaySettings;
  log: Logger;
}

/** A loop of its own, so that nothing else waits for it. */
export function failingEndpointsLoop(
  { sql, outbox, failing, settings, log }: FailingEndpointsDependencies,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'failing-endpoints',
    log,
    signal,
    idleMs: settings.sweepMs,
    async step() {
      const candidates = failing.take(performance.now());
      if (candidates.length === 0) return false;
      try {
        for (const endpointId of await disableFailing({ sql, outbox, log }, candidates))
          log.warn({ endpointId, reason: 'failing' }, 'endpoint.disabled');
        for (const endpointId of await announceFailing({ sql, outbox, log }, candidates))
          log.warn({ endpointId }, 'endpoint.failing');
      } catch (error) {
        failing.giveBack(candidates);
        throw error;
      }
      return true;
    },
  });
}

/**
 * Disables endpoints (`failing`) whose attempts have all failed for 5 days, since their last success or since
 * `judged_from`: an endpoint that was enabled again, or got a new URL, has 5 new days. Attempts with an unknown outcome do not count. An endpoint that cannot be
 * disabled is logged and stops no other. Returns the ids of the disabled ones.
 */
export async function disableFailing(
  { sql, outbox, log }: Pick<FailingEndpointsDependencies, 'sql' | 'outbox' | 'log'>,
  endpointIds: readonly string[],
): Promise<string[]> {
  const disabled: string[] = [];
  for (const id of await findFailing(sql, endpointIds)) {
    try {
      const done = await sql.begin((transaction) => disableEndpoint(transaction, outbox, id, 'failing'));
      if (done) disabled.push(id);
    } catch (err) {
      if (isDatabaseAway(err)) throw err;
      log.error({ err, endpointId: id }, 'endpoint.not_disabled');
    }
  }
  return disabled;
}

async function findFailing(sql: Database, endpointIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select endpoint.id from webhook_endpoints as endpoint
    where endpoint.id = any(${[...endpointIds]}::uuid[]) and endpoint.status = 'enabled' and endpoint.deleted_at is null
      and endpoint.failing_since is not null
      and greatest(endpoint.failing_since, endpoint.judged_from, (
        select max(delivered_at) from (
          select delivered_at from webhook_deliveries where endpoint_id = endpoint.id and status = 'succeeded'
          order by id desc limit ${LATEST_SUCCESSES}
        ) as latest)) <= now() - ${FAILING_DAYS} * interval '1 day'
    order by endpoint.id`;
  return rows.map(({ id }) => id);
}
