import type { Database, Transaction } from '../../src/db/client.ts';
import { endpointColumns } from '../../src/db/endpoint-columns.ts';
import { isDatabaseAway } from '../../src/db/failure.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop } from '../../src/shared/loop.ts';
import { type EndpointColumns, endpointRecord } from '../../src/shared/webhooks/endpoint-record.ts';
import type { FailingCandidates } from '../endpoints/failing-candidates.ts';
import { failingRule } from '../model/failing-rule.ts';
import type { RelaySettings } from '../model/settings.ts';
import { disableEndpoint } from '../results/disable-endpoint.ts';

/** The latest successes that are read: one that found the row of its endpoint locked is not noted in `failing_since`. */
const LATEST_SUCCESSES = 100;

interface JudgeFailingDependencies {
  sql: Database;
  outbox: Outbox;
  failing: FailingCandidates;
  settings: RelaySettings;
  log: Logger;
}

/**
 * Applies the rule of failing endpoints (model/failing-rule.ts), in a loop of its own, so that nothing else waits for
 * it.
 */
export function failingEndpointsLoop(
  { sql, outbox, failing, settings, log }: JudgeFailingDependencies,
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
 * `judged_from`: an endpoint that was enabled again, or got a new URL, has 5 new days. Attempts with an
 * unknown outcome do not count. If an endpoint cannot be disabled, that is logged and the others go on. Returns the ids
 * of the disabled endpoints.
 */
export async function disableFailing(
  { sql, outbox, log }: Pick<JudgeFailingDependencies, 'sql' | 'outbox' | 'log'>,
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
        ) as latest)) <= now() - ${failingRule.disabledAfterDays} * interval '1 day'
    order by endpoint.id`;
  return rows.map(({ id }) => id);
}

interface FailingRow extends EndpointColumns {
  accountId: string;
  failingSince: Date;
}

/**
 * Appends a `webhook_endpoint.failing` for each of these endpoints whose every attempt has failed for 20 minutes: once
 * until an attempt succeeds, the endpoint is enabled again or gets a new URL. The mark and the event commit together.
 * If an endpoint cannot be announced, that is logged and the others go on. Returns the ids of the announced endpoints.
 */
export async function announceFailing(
  { sql, outbox, log }: Pick<JudgeFailingDependencies, 'sql' | 'outbox' | 'log'>,
  endpointIds: readonly string[],
): Promise<string[]> {
  const announced: string[] = [];
  for (const id of await findUnannounced(sql, endpointIds)) {
    try {
      if (await sql.begin((transaction) => announce(transaction, outbox, id))) announced.push(id);
    } catch (err) {
      if (isDatabaseAway(err)) throw err;
      log.error({ err, endpointId: id }, 'endpoint.not_announced');
    }
  }
  return announced;
}

async function findUnannounced(sql: Database, endpointIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from webhook_endpoints where id = any(${[...endpointIds]}::uuid[]) and ${isUnannounced(sql)} order by id`;
  return rows.map(({ id }) => id);
}

/** Returns false when a success, a change or another relay came first. */
async function announce(transaction: Transaction, outbox: Outbox, endpointId: string): Promise<boolean> {
  const [row] = await transaction<FailingRow[]>`
    update webhook_endpoints set failing_announced = failing_since
    where id = ${endpointId} and ${isUnannounced(transaction)}
    returning account_id, failing_since, ${endpointColumns(transaction)}`;
  if (row === undefined) return false;
  await outbox.append(transaction, {
    name: 'webhook_endpoint.failing',
    subject: endpointId,
    accountId: row.accountId,
    data: { ...endpointRecord(row), failingSince: row.failingSince.toISOString() },
  });
  return true;
}

/** `judged_from` counts too, because a late result may be about the URL before. */
function isUnannounced(sql: Database | Transaction) {
  return sql`
    status = 'enabled' and deleted_at is null and failing_since is not null
    and failing_announced is distinct from failing_since
    and greatest(failing_since, judged_from) <= now() - ${failingRule.announcedAfterMinutes}::int4 * interval '1 minute'`;
}
