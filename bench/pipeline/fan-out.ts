import { hints } from '../../src/shared/bus/topology.ts';
import { type BenchCase, ratio, sized, warmsUp } from '../cases/case.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { until } from '../measurement/until.ts';
import { commitBatch } from './commit-events.ts';
import { emptyEvents } from './empty-events.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { replaceEndpoints } from './store-endpoints.ts';

/** The relay inserts the rows of 2,000 endpoints per statement; the short version has two pages. */
const ENDPOINTS = { full: 10_000, quick: 3_000, shortest: 20 };
const POLL_MS = 10;
const ROWS_ONLY = 'relay, sending nothing';
const DELIVERING = 'relay, delivering meanwhile';
const BARE = 'bare insert … select (limit)';

/**
 * One public event to 10,000 endpoints: from its commit until every delivery row is committed, with all endpoints paused
 * (rows alone) and with deliveries running on the same cores. The limit is one bare `insert … select` of as many rows
 * into a table with the same columns and indexes.
 */
export const fanOut: BenchCase = async (options) => {
  const { rounds } = options;
  const endpoints = sized(options, ENDPOINTS);
  const environment = await createPipelineEnvironment();
  try {
    await environment.sql`create table bench_deliveries (like webhook_deliveries including all)`;
    await replaceEndpoints(environment.sql, environment.subscribers.origin, endpoints, environment.secretKey);
    const variants: Variant[] = [
      { name: ROWS_ONLY, run: () => measureFanOut(environment, endpoints, true) },
      { name: DELIVERING, run: () => measureFanOut(environment, endpoints, false) },
      { name: BARE, run: () => insertBare(environment, endpoints) },
    ];
    // Runs that are not counted, as warm-up.
    if (warmsUp(options)) for (const { run } of variants) await run();
    const figures = await alternate(variants, rounds);
    const of = (name: string) => ratio(figures, name, BARE, 'rowsPerSecond');
    return {
      name: `fan-out of one event to ${endpoints.toLocaleString('en')} endpoints, fsync on`,
      figures,
      ratios: {
        'rows a second, relay / bare insert': of(ROWS_ONLY),
        'rows a second, relay that delivers / bare insert': of(DELIVERING),
      },
    };
  } finally {
    await environment.close();
  }
};

async function measureFanOut(
  environment: PipelineEnvironment,
  endpoints: number,
  paused: boolean,
): Promise<Record<string, number>> {
  const { sql } = environment;
  await emptyEvents(sql);
  await sql`update webhook_endpoints set paused_until = ${paused ? sql`now() + interval '1 hour'` : null}`;
  await sql`vacuum analyze webhook_endpoints`;
  const received = await environment.subscribers.count();
  await commitBatch(sql, 1);
  const [{ committedAtMs } = { committedAtMs: Number.NaN }] = await sql<{ committedAtMs: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as committed_at_ms`;
  environment.connection.publish(hints.outbox);
  const fannedOutAtMs = await untilFannedOut(environment);
  const [{ rows } = { rows: 0 }] = await sql<{ rows: number }[]>`
    select count(*)::int as rows from webhook_deliveries`;
  if (rows !== endpoints) throw new Error(`${rows} rows were stored instead of ${endpoints}`);
  if (!paused) {
    await environment.subscribers.untilCount(received + endpoints);
    await untilNoOpenWork(sql, POLL_MS);
  }
  return timing(endpoints, fannedOutAtMs - committedAtMs);
}

/** The event is marked by a statement after the commit of the last page. Both times are those of Postgres. */
function untilFannedOut({ sql }: PipelineEnvironment): Promise<number> {
  return until('the event is fanned out', async () => {
    const [row] = await sql<{ atMs: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as at_ms
      where not exists (select from events_to_fan_out)`;
    return row?.atMs;
  });
}

async function insertBare({ sql }: PipelineEnvironment, endpoints: number): Promise<Record<string, number>> {
  await sql`truncate bench_deliveries`;
  const eventId = Bun.randomUUIDv7();
  const startedAtMs = performance.now();
  const inserted = await sql`
    insert into bench_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select gen_random_uuid(), id, ${eventId}, 'com.example.launch.created', 'pending', now(), now(), now()
    from webhook_endpoints where status = 'enabled' and deleted_at is null`;
  const tookMs = performance.now() - startedAtMs;
  if (inserted.count !== endpoints) throw new Error(`the bare insert stored ${inserted.count} rows`);
  return timing(endpoints, tookMs);
}

function timing(rows: number, lastRowMs: number): Record<string, number> {
  return { rowsPerSecond: (rows * 1000) / lastRowMs, lastRowMs };
}
