import { beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Settings } from '../../packages/client/src/cli/settings.ts';
import { deliveryRecovery } from '../../src/features/operations/kinds/delivery-recovery.ts';
import {
  findEndpointCondition,
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
} from '../../src/features/webhooks/deliveries/recover-deliveries.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { runCommandLine, startCommandLine } from '../support/client/command-line.ts';
import { createTestRunner, type TestRunner } from '../support/operations/operation-runner.ts';
import { insertDelivery, type NewDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const HOUR_MS = 3_600_000;
let api: TestApi;
let runner: TestRunner;
let key: TestKey;
let endpointId: string;
let settings: Partial<Settings>;

beforeAll(async () => {
  api = await startTestApi();
  runner = createTestRunner(api.dependencies.database);
});

beforeEach(async () => {
  key = await createTestKey(api.dependencies.database);
  settings = { url: api.origin, apiKey: key.text };
  endpointId = await insertEndpoint(api.dependencies.database, {
    accountId: key.accountId,
    createdAt: hoursAgo(24),
    eventTypes: ['build.service.launch.*'],
  });
});

const recover = (...words: string[]) => runCommandLine(['deliveries', 'recover', ...words], settings);

/** The address of a proxy that passes everything on but the files of operations, whose bytes are damaged. */
function withoutResults(origin: string): string {
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (pathname.includes('/operation-results/')) return new Response('{');
      const { status, headers, body } = await fetch(origin + pathname + search, request);
      return new Response(body, { status, headers });
    },
  });
  atEnd(() => proxy.stop(true));
  return `http://127.0.0.1:${proxy.port}`;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

async function store(hours: number, delivery: Partial<NewDelivery> = {}): Promise<Date> {
  const { database } = api.dependencies;
  const createdAt = hoursAgo(hours);
  const eventId = await insertEvent(database, {
    accountId: key.accountId,
    createdAt,
    isFannedOut: true,
  });
  await insertDelivery(database, { endpointId, eventId, createdAt, attemptCount: 1, ...delivery });
  return createdAt;
}

/** A receiver that was down until six hours ago, and again for three hours until an hour ago. */
async function storeOutages(): Promise<Date> {
  const nextAttemptAt = new Date(Date.now() + HOUR_MS);
  await store(10);
  await store(9, { status: 'retrying', nextAttemptAt, attemptCount: 7 });
  const success = await store(5);
  await store(4, { attemptCount: 2 });
  await store(3, { status: 'dead_letter' });
  await store(2, { status: 'retrying', nextAttemptAt });
  await store(1.5, { status: 'retrying', nextAttemptAt });
  await store(1);
  return success;
}

test('without a time it shows the last outage and the command that recovers it, and sends nothing', async () => {
  expect(await recover(endpointId)).toEqual({ code: 0, out: 'none\n', err: '' });
  const since = (await storeOutages()).toISOString();
  expect(await recover(endpointId)).toEqual({
    code: 0,
    out: expect.stringMatching(
      new RegExp(`^ENDPOINT ID +SINCE +RETRYING +DEAD LETTER\n${endpointId} +${since} +2 +1\n$`),
    ),
    err: `1 delivery to ${endpointId} from before it did not arrive either: an earlier --since takes them.
To send them now: launchwire deliveries recover ${endpointId} --since ${since}\n`,
  });
  expect(JSON.parse((await recover(endpointId, '--json')).out)).toEqual([
    { endpointId, since, retrying: 2, deadLetter: 1 },
  ]);
  const { count } = await api.dependencies
    .database`select from operations where account_id = ${key.accountId}`;
  expect(count).toBe(0);
});

test('without an endpoint it shows the last outage of each that has one, also where nothing ever arrived', async () => {
  const { database } = api.dependencies;
  const { accountId } = key;
  const createdAt = hoursAgo(12);
  const never = await insertEndpoint(database, {
    accountId,
    createdAt,
    status: 'disabled',
    disabledReason: 'failing',
  });
  await store(3);
  await store(2, { endpointId: never, status: 'dead_letter' });
  const shown = await recover();
  expect(shown.out).not.toContain(endpointId);
  expect(shown.out).toMatch(new RegExp(`^${never} +${createdAt.toISOString()} +0 +1$`, 'm'));
  expect(shown.err).toStartWith(
    `${never} is disabled. Enable it first: launchwire endpoints update ${never} --status enabled\n`,
  );
});

test('with a time it says how many deliveries are sent, how many were skipped and why, and until when a pause holds', async () => {
  const { dependencies } = api;
  const { database } = dependencies;
  const since = await storeOutages();
  await store(2, { status: 'dead_letter', replayCount: 10 });
  await database`
    update webhook_endpoints set paused_until = now() + interval '1 hour', pause_reason = 'http_503' where id = ${endpointId}`;
  const words = [endpointId, '--since', since.toISOString()];
  const kind = deliveryRecovery({
    findEndpoint: findEndpointCondition,
    isBacklogged,
    isRetryBacklogged,
    recoverFinished,
    recoverMissed,
    recoverRetrying,
    onDeliveriesDue: () => {},
  });
  runner.clock.set(new Date());
  const run = async (...more: string[]) => {
    const { written, ended } = startCommandLine(['deliveries', 'recover', ...words, ...more], settings);
    const [, id = ''] = await eventually('the operation', async () => /operation (\S+)/.exec(written.err));
    await eventually('the end', async () => {
      await database`delete from events_to_fan_out`;
      await runner.makeDue(id);
      await runner.runDue(kind);
      dependencies.pipeline.waits.wake([id]);
      const [row] = await database`select status from operations where id = ${id}`;
      return row?.status === 'succeeded';
    });
    dependencies.pipeline.waits.wake([id]);
    return { code: await ended, ...written };
  };
  const sent = await run();
  expect(sent).toMatchObject({
    code: 0,
    out: '3 deliveries sent, 1 skipped (1 webhook_delivery_replay_limit_reached)\n',
  });
  expect(sent.err).toMatch(/^The endpoint is paused \(http_503\): they are sent at \S+Z\.$/m);
  expect(sent.err).toContain(`launchwire deliveries list ${endpointId} --status retrying`);
  expect((await run('--only', 'missed')).out).toBe('0 deliveries sent\n');
  // A recovery that succeeded stays one, also when its counts cannot be read.
  const origin = withoutResults(api.origin);
  settings = { ...settings, url: origin };
  expect(await run('--only', 'retrying')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Done; the counts could not be read \(.+\)\.\n$/),
  });
  // Programs get the operation.
  expect(JSON.parse((await run('--json')).out)).toMatchObject({
    kind: 'delivery_recovery',
    status: 'succeeded',
    progress: { completed: 3, total: 3 },
  });
});

test.each([
  [['--only', 'retrying'], '--since is required'],
  [['--no-wait'], '--since is required'],
  [['--since', '2026-11-20T10:00:00Z'], '<endpoint> is required'],
])('%j alone is refused as a wrong use', async (words, message) => {
  expect(await recover(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
