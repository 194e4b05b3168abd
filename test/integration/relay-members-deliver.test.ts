import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const PLACES = 8;
const RELAYS_MAX = 3;
const RUNS = Number(process.env.FUZZ_RUNS ?? 2);
let world: RelayWorld;

beforeAll(async () => {
  world = await createRelayWorld();
});

/** A receiver that takes a moment for each request, and its maximum of simultaneous requests. */
async function busyReceiver() {
  let [inFlight, most] = [0, 0];
  const receiver = await startReceiver({
    respond(response, _request, index) {
      inFlight += 1;
      most = Math.max(most, inFlight);
      // biome-ignore lint/plugin: a receiver that takes a moment, so that attempts overlap
      setTimeout(
        () => {
          inFlight -= 1;
          response.writeHead(204).end();
        },
        1 + (index % 7),
      );
    },
  });
  return { receiver, most: () => most };
}

/** As when the server drops the connection: the relay runs, and its lock is gone. */
const severMembers = () =>
  world.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'launchwire-relay-member' and datname = current_database()`;

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('start' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('stop' as const), which: fc.nat({ max: RELAYS_MAX - 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sever' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('publish' as const), count: fc.integer({ min: 1, max: 40 }) }),
  },
);

test('while relays start, stop and lose sessions, each endpoint gets each event once, at most eight at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 14 }), async (steps) => {
      const accountId = await world.createAccount();
      const targets = [await busyReceiver(), await busyReceiver()];
      for (const { receiver } of targets) await world.createEndpoint(receiver.origin, { accountId });
      const start = () => world.startRelay({ reconcileMs: 200, reconcileAgeMs: 2_000 });
      const relays = [await start()];
      const stopping: Promise<void>[] = [];
      const events: string[] = [];
      for (const next of steps) {
        if (next.kind === 'publish')
          events.push(
            ...(await Promise.all(Array.from({ length: next.count }, () => world.publish({ accountId })))),
          );
        else if (next.kind === 'sever') await severMembers();
        else if (next.kind === 'start' && relays.length < RELAYS_MAX) relays.push(await start());
        else if (next.kind === 'stop') stopping.push(...relays.splice(next.which, 1).map((stop) => stop()));
      }
      if (relays.length === 0) relays.push(await start());
      events.push(await world.publish({ accountId }));
      await eventually('every event is recorded as delivered', async () => {
        const { count } = await world.sql`
          select from webhook_deliveries join webhook_endpoints as endpoint on endpoint.id = endpoint_id
          where endpoint.account_id = ${accountId} and webhook_deliveries.status = 'succeeded'`;
        return count === targets.length * events.length;
      });
      await Promise.all([...stopping, ...relays.map((stop) => stop())]);
      for (const { receiver, most } of targets) {
        const received = receiver.requests.map(({ headers }) => headers['webhook-id'] ?? '');
        expect(received.toSorted()).toEqual(events.toSorted());
        expect(most()).toBeLessThanOrEqual(PLACES);
        await receiver.close();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
