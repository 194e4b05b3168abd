import { beforeEach, describe, expect, test } from 'bun:test';
import { deliveryRecovery } from '../../src/features/operations/kinds/delivery-recovery.ts';
import {
  findEndpointCondition,
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
} from '../../src/features/webhooks/deliveries/recover-deliveries.ts';
import { replayDelivery } from '../../src/features/webhooks/deliveries/replay-delivery.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { openOperationStage } from '../support/operations/operation-stage.ts';
import { insertDeliveries, insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvents, type NewEvent } from '../support/rows/insert-event.ts';

const HOUR_MS = 3_600_000;
const MINT = 'So11111111111111111111111111111111111111112';
const { db, runner, stateOf, resultOf } = await openOperationStage();
let accountId: string;
let endpointId: string;
let hinted: number;
let since: Date;

beforeEach(async () => {
  accountId = await insertAccount(db);
  since = new Date(Date.now() - HOUR_MS);
  endpointId = await insertEndpoint(db, {
    accountId,
    createdAt: new Date(since.getTime() - 1),
    eventScopes: [],
    eventTypes: ['build.service.webhook_endpoint.*'],
  });
  hinted = 0;
});

const kind = deliveryRecovery({
  findEndpoint: findEndpointCondition,
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
  onDeliveriesDue: () => {
    hinted += 1;
  },
});

/** Past events of the account, which the relay delivered to the endpoints of that time. */
const happened = (count: number, event: NewEvent = {}) =>
  insertEvents(db, count, {
    createdAt: new Date(since.getTime() + 1_000),
    type: eventType('webhook_endpoint.disabled'),
    accountId,
    isFannedOut: true,
    ...event,
  });

const start = (statuses = ['missed', 'dead_letter']) =>
  runner.create(accountId, 'delivery_recovery', {
    endpointId,
    since: since.toISOString(),
    until: new Date().toISOString(),
    statuses,
  });

/** One run, as the worker makes one a second. */
async function once(id: string): Promise<void> {
  await runner.makeDue(id);
  await runner.runDue(kind);
}

async function untilEnded(id: string) {
  for (let runs = 0; runs < 50; runs += 1) {
    await once(id);
    const state = await stateOf(id);
    if (state?.status !== 'running') return state;
  }
  throw new Error('the recovery does not end');
}

async function delivered(): Promise<Record<string, string>> {
  const rows = await db<{ eventId: string; status: string }[]>`
    select event_id, status from webhook_deliveries where endpoint_id = ${endpointId}`;
  return Object.fromEntries(rows.map(({ eventId, status }) => [eventId, status]));
}

describe('a recovery', () => {
  test('makes and replays nothing about a token that is hidden', async () => {
    await db`update webhook_endpoints set subjects = null, event_types = '{*}' where id = ${endpointId}`;
    const [hidden, shown] = [newAddress(), newAddress()];
    await db`
      insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, hidden, created_at, updated_at)
      select mint, mint, 'Example', 'EX', 6, 1000, 'dbc', 'bonding', mint = ${hidden}, now(), now()
      from unnest(${[hidden, shown]}::text[]) as mint`;
    const about = (subject: string) =>
      happened(2, { subject, accountId: null, type: eventType('launch.created') });
    const [[deadHidden = '', missedHidden = ''], [dead = '', missed = '']] = [
      await about(hidden),
      await about(shown),
    ];
    const created = {
      endpointId,
      createdAt: new Date(since.getTime() + 2_000),
      status: 'dead_letter',
    } as const;
    for (const eventId of [deadHidden, dead]) await insertDelivery(db, { ...created, eventId });
    expect(await untilEnded(await start())).toMatchObject({ status: 'succeeded' });
    expect(await delivered()).toEqual({
      [deadHidden]: 'dead_letter',
      [dead]: 'pending',
      [missed]: 'pending',
    });
    expect(missedHidden).not.toBe('');
    const [row] = await db<
      { id: string }[]
    >`select id from webhook_deliveries where event_id = ${deadHidden}`;
    const replay = db.begin((transaction) =>
      replayDelivery(transaction, row?.id ?? '', { accountId, scopes: [] }),
    );
    await expect(replay).rejects.toMatchObject({ code: 'webhook_delivery_not_replayable' });
  });

  test('makes the deliveries that events lack by the filters, replays dead letters, and leaves the rest', async () => {
    await db`update webhook_endpoints set subjects = ${[MINT]}, event_types = '{*}' where id = ${endpointId}`;
    const missed = await happened(3, { subject: MINT });
    const ofAll = await happened(2, { subject: MINT, accountId: null, type: eventType('launch.created') });
    const [had = '', dead = '', worn = ''] = await happened(3, { subject: MINT });
    const other = await insertAccount(db);
    await happened(1, { subject: 'another' });
    await happened(1, { subject: MINT, accountId: other });
    await happened(1, { subject: MINT, type: eventType('operation.succeeded') });
    await happened(1, { subject: MINT, createdAt: new Date(since.getTime() - 1_000) });
    await happened(1, { subject: MINT, onlyEndpointId: endpointId });
    const common = { endpointId, createdAt: new Date(since.getTime() + 2_000) };
    await insertDelivery(db, { ...common, eventId: had });
    await insertDelivery(db, { ...common, eventId: dead, status: 'dead_letter' });
    await insertDelivery(db, { ...common, eventId: worn, status: 'dead_letter', replayCount: 10 });
    const id = await start();
    expect(await untilEnded(id)).toMatchObject({ status: 'succeeded' });
    expect(await delivered()).toEqual({
      ...Object.fromEntries([...missed, ...ofAll, dead].map((eventId) => [eventId, 'pending'])),
      [had]: 'succeeded',
      [worn]: 'dead_letter',
    });
    expect(JSON.parse(await resultOf(id))).toMatchObject({
      replayed: 1,
      missed: 5,
      skipped: { webhook_delivery_replay_limit_reached: 1 },
    });
    expect(hinted).toBeGreaterThan(0);
    // A second run finds nothing.
    const again = await start();
    await untilEnded(again);
    expect(JSON.parse(await resultOf(again))).toMatchObject({ replayed: 0, missed: 0 });
  });

  test('replays succeeded deliveries on request, and makes no others', async () => {
    const [had = '', missed = ''] = await happened(2);
    await insertDelivery(db, { endpointId, eventId: had, createdAt: new Date(since.getTime() + 1) });
    await untilEnded(await start(['succeeded']));
    expect(await delivered()).toEqual({ [had]: 'pending' });
    expect(missed).not.toBe('');
  });

  test('gives the endpoint 200 a run, killed or not, each delivery once', async () => {
    const events = await happened(450);
    const id = await start(['missed']);
    await once(id);
    expect(Object.keys(await delivered()).length).toBe(200);
    // Killed while it works: committed deliveries stay, and the next run makes the others.
    expect(await runner.makeDue(id).then(() => runner.claim(kind))).not.toBeNull();
    await once(id);
    expect(Object.keys(await delivered()).length).toBe(400);
    await untilEnded(id);
    expect(Object.keys(await delivered()).sort()).toEqual([...events].sort());
    expect(JSON.parse(await resultOf(id))).toMatchObject({ missed: 450 });
  });

  test('beside another of the same endpoint makes no delivery twice', async () => {
    const events = await happened(150);
    const dead = await happened(150);
    const createdAt = new Date(since.getTime() + 1);
    const rows = dead.map((eventId) => ({ endpointId, eventId, createdAt, status: 'dead_letter' as const }));
    await insertDeliveries(db, rows);
    const ids = [await start(), await start()];
    await Promise.all([runner.runDue(kind), runner.runDue(kind)]);
    for (const id of ids) await untilEnded(id);
    const replays = await db<{ replayCount: number }[]>`
      select replay_count from webhook_deliveries where endpoint_id = ${endpointId} and event_id = any(${dead}::uuid[])`;
    expect(replays.map(({ replayCount }) => replayCount)).toEqual(Array(150).fill(1));
    expect(Object.keys(await delivered()).length).toBe(events.length + dead.length);
    const counts = await Promise.all(ids.map(async (id) => JSON.parse(await resultOf(id))));
    expect(counts[0].missed + counts[1].missed).toBe(150);
    expect(counts[0].replayed + counts[1].replayed).toBe(150);
  });

  test.each([
    ['deleted', 'webhook_endpoint_not_found'],
    ['disabled', 'webhook_endpoint_disabled'],
  ] as const)(
    'fails when its endpoint is %s meanwhile, and makes nothing more',
    async (change, errorCode) => {
      await happened(300);
      const id = await start();
      await once(id);
      if (change === 'deleted')
        await db`update webhook_endpoints set deleted_at = now() where id = ${endpointId}`;
      else
        await db`update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${endpointId}`;
      expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode });
      expect(Object.keys(await delivered()).length).toBe(200);
    },
  );

  test('waits while the endpoint has 1,000 open deliveries', async () => {
    const open = await happened(1_000);
    const rows = open.map((eventId) => ({ endpointId, eventId, status: 'retrying' as const }));
    await insertDeliveries(db, rows);
    const missed = await happened(2);
    const id = await start();
    await once(id);
    await once(id);
    expect(Object.keys(await delivered()).length).toBe(1_000);
    await db`
      update webhook_deliveries set status = 'succeeded', next_attempt_at = null
      where endpoint_id = ${endpointId} and event_id = ${open[0] ?? ''}`;
    await untilEnded(id);
    expect(await delivered()).toMatchObject(
      Object.fromEntries(missed.map((eventId) => [eventId, 'pending'])),
    );
  });

  test('leaves an event to the relay until the relay has fanned it out', async () => {
    const [open = ''] = await happened(1, { isFannedOut: false });
    const id = await start();
    await once(id);
    await once(id);
    expect(await delivered()).toEqual({});
    expect(await stateOf(id)).toMatchObject({ status: 'running' });
    await db`delete from events_to_fan_out where event_id = ${open}`;
    await untilEnded(id);
    expect(await delivered()).toEqual({ [open]: 'pending' });
  });
});
