import { beforeEach, describe, expect, test } from 'bun:test';
import {
  deliveryReplay,
  type RecoveryDependencies,
} from '../../src/features/operations/kinds/delivery-recovery.ts';
import type { AnyOperationKind } from '../../src/features/operations/runner/kind.ts';
import {
  findEndpointCondition,
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
} from '../../src/features/webhooks/deliveries/recover-deliveries.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { openOperationStage } from '../support/operations/operation-stage.ts';
import { insertDeliveries, type NewDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvents } from '../support/rows/insert-event.ts';

const { db, runner, stateOf, eventsOf, resultOf } = await openOperationStage();
let accountId: string;
let endpointId: string;
let hinted: number;

beforeEach(async () => {
  accountId = await insertAccount(db);
  endpointId = await insertEndpoint(db, { accountId });
  hinted = 0;
});

interface Deliveries {
  status?: NonNullable<NewDelivery['status']>;
  replays?: number;
  createdAt?: string;
  endpoint?: string;
}

/** Deliveries as the relay leaves them, a millisecond apart; their ids, oldest first. */
async function storeDeliveries(count: number, options: Deliveries = {}): Promise<string[]> {
  const {
    status = 'dead_letter',
    replays = 0,
    createdAt = '2025-12-01T00:00:00Z',
    endpoint = endpointId,
  } = options;
  const eventIds = await insertEvents(db, count, { accountId });
  const startMs = Date.parse(createdAt);
  const common = { status, replayCount: replays, scheduleIndex: 9, updatedAt: new Date() };
  const deliveries = eventIds.map((eventId, at) => ({
    id: Bun.randomUUIDv7('hex', startMs + at),
    endpointId: endpoint,
    eventId,
    createdAt: new Date(startMs),
    ...common,
  }));
  return insertDeliveries(db, deliveries);
}

function kind(changes: Partial<RecoveryDependencies> = {}): AnyOperationKind {
  return deliveryReplay({
    findEndpoint: findEndpointCondition,
    isBacklogged,
    isRetryBacklogged,
    recoverFinished,
    recoverMissed,
    recoverRetrying,
    onDeliveriesDue: () => {
      hinted += 1;
    },
    ...changes,
  });
}

const start = (input: object = {}) =>
  runner.create(accountId, 'delivery_replay', { endpointId, status: 'dead_letter', ...input });

/** Runs it as the worker does, a page a second, until it has ended. */
async function untilEnded(id: string, of = kind()) {
  for (let runs = 0; runs < 50; runs += 1) {
    await runner.makeDue(id);
    await runner.runDue(of);
    const state = await stateOf(id);
    if (state?.status !== 'running') return state;
  }
  throw new Error('the replay does not end');
}

async function replayCounts(ids: readonly string[]): Promise<number[]> {
  const rows = await db<{ replayCount: number }[]>`
    select replay_count from webhook_deliveries where id = any(${ids as string[]}::uuid[]) order by id`;
  return rows.map(({ replayCount }) => replayCount);
}

const skipped = (limit: number, not: number) => ({
  webhook_delivery_replay_limit_reached: limit,
  webhook_delivery_not_replayable: not,
});

async function reportOf(id: string): Promise<unknown> {
  return JSON.parse(await resultOf(id));
}

describe('a bulk replay', () => {
  test('makes every matching delivery due immediately with the whole schedule, and counts exactly', async () => {
    const dead = await storeDeliveries(503);
    const worn = await storeDeliveries(7, { replays: 10 });
    const others = [
      ...(await storeDeliveries(3, { status: 'succeeded' })),
      ...(await storeDeliveries(2, { status: 'pending' })),
      ...(await storeDeliveries(4, { endpoint: await insertEndpoint(db, { accountId }) })),
    ];
    const id = await start();
    await untilEnded(id);
    expect(await reportOf(id)).toEqual({
      endpointId,
      status: 'dead_letter',
      since: null,
      matched: 510,
      replayed: 503,
      skipped: skipped(7, 0),
    });
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({
      name: 'operation.succeeded',
      data: { progress: { completed: 510, total: 510, unit: 'deliveries' } },
    });
    expect(new Set(await replayCounts(dead))).toEqual(new Set([1]));
    expect(new Set(await replayCounts([...worn, ...others]))).toEqual(new Set([10, 0]));
    const due = await db`
      select from webhook_deliveries where id = any(${dead}::uuid[]) and status = 'pending'
        and schedule_index = 0 and next_attempt_at <= now()`;
    expect(due.count).toBe(503);
    expect(hinted).toBe(3);
  });

  test('takes only deliveries created at the given time or later', async () => {
    await storeDeliveries(3, { createdAt: '2025-12-01T00:00:00Z' });
    const later = await storeDeliveries(2, { createdAt: '2025-12-01T00:00:00.500Z' });
    const id = await start({ since: '2025-12-01T00:00:00.500Z' });
    await untilEnded(id);
    expect(await reportOf(id)).toMatchObject({ matched: 2, replayed: 2 });
    expect(await replayCounts(later)).toEqual([1, 1]);
  });

  test('takes no delivery that was created after it was asked for', async () => {
    const id = await start();
    const later = await storeDeliveries(2, { createdAt: new Date(Date.now() + 3_600_000).toISOString() });
    await untilEnded(id);
    expect(await reportOf(id)).toMatchObject({ matched: 0, replayed: 0 });
    expect(await replayCounts(later)).toEqual([0, 0]);
  });

  test('of nothing succeeds with zeros', async () => {
    const id = await start({ status: 'succeeded' });
    await untilEnded(id);
    expect(await reportOf(id)).toMatchObject({ matched: 0, replayed: 0, skipped: skipped(0, 0) });
    expect(hinted).toBe(0);
  });

  test('replays in the order of creation', async () => {
    const ids = await storeDeliveries(450);
    const id = await start();
    for (const count of [200, 400]) {
      await runner.makeDue(id);
      await runner.runDue(kind());
      expect(await replayCounts(ids)).toEqual(ids.map((_id, at) => (at < count ? 1 : 0)));
    }
    await untilEnded(id);
  });

  test('counts deliveries that stopped being replayable meanwhile, and leaves them alone', async () => {
    const ids = await storeDeliveries(4);
    const id = await start();
    const changing = db.begin(async (transaction) => {
      await transaction`
        update webhook_deliveries set status = 'pending', next_attempt_at = now(), replay_count = 1
        where id = ${ids[0] ?? ''}`;
      await transaction`update webhook_deliveries set status = 'succeeded' where id = ${ids[1] ?? ''}`;
      const running = untilEnded(id);
      await untilBlockedBy(transaction, 'the replay waits for these deliveries');
      return { running };
    });
    await (await changing).running;
    expect(await reportOf(id)).toMatchObject({ matched: 4, replayed: 2, skipped: skipped(0, 2) });
    expect(await replayCounts(ids)).toEqual([1, 0, 1, 1]);
  });
});

describe('a bulk replay that is broken off', () => {
  test('between two pages goes on, replays each delivery once, and counts them all', async () => {
    const ids = await storeDeliveries(500);
    const id = await start();
    let pages = 0;
    const dying = kind({
      recoverFinished: async (transaction, page) => {
        pages += 1;
        const counts = await recoverFinished(transaction, page);
        // Dies with its second page done and not committed.
        if (pages === 2) throw new Error('killed');
        return counts;
      },
    });
    for (let runs = 0; runs < 2; runs += 1) {
      await runner.makeDue(id);
      await runner.runDue(dying);
    }
    expect(await stateOf(id)).toMatchObject({ status: 'running', progressCompleted: 200n });
    // Replayed ones fail again meanwhile: they must not be taken for those that are still to come.
    await db`
      update webhook_deliveries set status = 'dead_letter', next_attempt_at = null
      where id = any(${ids}::uuid[]) and status = 'pending'`;
    await untilEnded(id);
    expect(await reportOf(id)).toMatchObject({ matched: 500, replayed: 500, skipped: skipped(0, 0) });
    expect(new Set(await replayCounts(ids))).toEqual(new Set([1]));
  });

  test('by two runners at once is done by one', async () => {
    const ids = await storeDeliveries(190);
    const id = await start();
    await Promise.all([runner.runDue(kind()), runner.runDue(kind()), runner.runDue(kind())]);
    await untilEnded(id);
    expect(new Set(await replayCounts(ids))).toEqual(new Set([1]));
  });

  test.each([
    ['disabled', 'webhook_delivery_not_replayable'],
    ['deleted', 'webhook_endpoint_not_found'],
  ])('by its endpoint being %s fails and reports its progress', async (how, code) => {
    await storeDeliveries(400);
    const id = await start();
    await runner.runDue(kind());
    await (how === 'disabled'
      ? db`update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${endpointId}`
      : db`update webhook_endpoints set deleted_at = now() where id = ${endpointId}`);
    const state = await untilEnded(id);
    expect(state).toMatchObject({ status: 'failed', errorCode: code, progressCompleted: 200n });
    expect(state?.errorDetail).toContain('200 deliveries had been made due');
  });

  test('of an endpoint of another account touches nothing', async () => {
    const ids = await storeDeliveries(2);
    const stranger = await insertAccount(db);
    const id = await runner.create(stranger, 'delivery_replay', { endpointId, status: 'dead_letter' });
    await runner.runDue(kind());
    expect(await stateOf(id)).toMatchObject({
      status: 'failed',
      errorCode: 'webhook_endpoint_not_found',
    });
    expect(await replayCounts(ids)).toEqual([0, 0]);
  });
});
