import { beforeAll, expect, test } from 'bun:test';
import { DnsResolver } from '../../src/shared/dns/resolver.ts';
import { type NameServer, startNameServer } from '../support/http/name-server.ts';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const ENDPOINTS_MAX = 20;
/** Nothing of the dead zone comes to an end while a test lasts. */
const NEVER_MS = 300_000;

let world: RelayWorld;
let nameServer: NameServer;

beforeAll(async () => {
  world = await createRelayWorld();
  nameServer = await startNameServer({ 'hook.example': { addresses: ['127.0.0.1'] } }, (name) =>
    name.endsWith('.dead.example'),
  );
  const resolver = new DnsResolver({
    servers: [nameServer.address],
    limits: { turnMs: NEVER_MS },
    deadlineMs: NEVER_MS,
  });
  await world.startRelay(
    { attemptDeadlineMs: NEVER_MS, leaseMs: NEVER_MS + 10_000 },
    { resolve: resolver.resolve },
  );
});

test('twenty endpoints whose name server never answers stall no delivery of another account', async () => {
  const receiver = await startReceiver();
  const hostile = await world.createAccount();
  const dead: string[] = [];
  for (let index = 0; index < ENDPOINTS_MAX; index += 1) {
    const { id } = await world.createEndpoint(`http://h${index}.dead.example/`, { accountId: hostile });
    dead.push(id);
  }
  const healthy = await world.createEndpoint(`http://hook.example:${receiver.port}/`);
  await world.publish();
  await eventually('the dead look-ups', async () => asked('.dead.example') >= 16);
  const events = [];
  for (let count = 0; count < 10; count += 1)
    events.push(await world.publish({ accountId: healthy.accountId }));
  const received = await receiver.received(11);
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(expect.arrayContaining(events));
  // Each has its row, as one in flight, although no attempt has ended.
  await eventually('the dead deliveries', async () => {
    const [open] = await world.sql<{ count: number }[]>`
      select count(*)::int from webhook_deliveries where endpoint_id = any(${dead}) and status = 'processing'`;
    return open?.count === ENDPOINTS_MAX;
  });
  // The share of an account; and eleven deliveries to one host cost one look-up, with three tries of two families at most.
  expect(asked('.dead.example')).toBe(16);
  expect(nameServer.queries.filter(({ name }) => name === 'hook.example').length).toBeLessThanOrEqual(6);
});

function asked(zone: string): number {
  return new Set(nameServer.queries.map(({ name }) => name).filter((name) => name.endsWith(zone))).size;
}
