import { expect, test } from 'bun:test';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld } from '../support/webhooks/webhook-relay.ts';

const AHEAD_MS = 3_600_000;

test('no attempt ends before it began, though the clock of the relay is an hour ahead of the database', async () => {
  const world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '0.05,0.05' });
  const { sql } = world;
  await world.startRelay({}, { clock: { now: () => new Date(Date.now() + AHEAD_MS) } });
  // Each kind of attempt: one that gets a row while it is in flight, one of a claim, and one that is written at its end.
  const hold = Promise.withResolvers<void>();
  const receiver = await startReceiver({
    respond: (response, _request, index) =>
      void (index === 0 ? hold.promise : Promise.resolve()).then(() =>
        response.writeHead(index < 2 ? 500 : 204).end(),
      ),
  });
  const { id, accountId } = await world.createEndpoint(receiver.origin);
  const slow = await world.publish({ accountId });
  await world.deliveryOf(id, slow, ({ status }) => status === 'processing');
  hold.resolve();
  const { id: deliveryId } = await world.deliveryOf(id, slow, ({ status }) => status === 'succeeded');
  const quick = await world.publish({ accountId });
  const { id: quickId } = await world.deliveryOf(id, quick, ({ status }) => status === 'succeeded');
  const attempts = await eventually('the attempts', async () => {
    const rows = await sql<{ isOrdered: boolean; isNow: boolean }[]>`
      select started_at <= finished_at as is_ordered,
        started_at between now() - interval '10 minutes' and now() as is_now
      from webhook_attempts where delivery_id in (${deliveryId}, ${quickId})`;
    return rows.length === 4 && rows;
  });
  for (const attempt of attempts) expect(attempt).toEqual({ isOrdered: true, isNow: true });
});
