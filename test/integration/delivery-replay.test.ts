import { beforeEach, describe, expect, test } from 'bun:test';
import {
  deliveryReplay,
  type ReplayDependencies,
} from '../../src/features/operations/kinds/delivery-replay.ts';
import type { AnyOperationKind } from '../../src/features/operations/runner/kind.ts';
import {
  findEndpointCondition,
  listFinishedDeliveries,
  replayDeliveries,
} from '../../src/features/webhooks/deliveries/replay-deliveries.ts';
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
    createdAt = '2026-01-01T00:00:00Z',
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

function kind(changes: Partial<ReplayDependencies> = {}): AnyOperationKind {
  return deliveryReplay({
    findEndpoint: findEndpointCondition,
    listDeliveries: listFinishedDeliveries,
    replayDeliveries,
    onDeliveriesDue: () => {
      hinted += 1;
    },
    ...changes,
  });
}

const start = (input: object = {}) =>
  runner.create(accountId, 'delivery_replay', { endpointId, status: 'dead_letter', ...input });

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
    const dead = await storeDeliveries(1_203);
    const worn = await storeDeliveries(7, { replays: 10 });
    const others = [
      ...(await storeDeliveries(3, { status: 'succeeded' })),
      ...(await storeDeliveries(2, { status: 'pending' })),
      ...(await storeDeliveries(4, { endpoint: await insertEndpoint(db, { accountId }) })),
    ];
    const id = await start();
    await runner.runDue(kind());
    expect(await reportOf(id)).toEqual({
      endpointId,
      status: 'dead_letter',
      since: null,
      matched: 1_210,
      replayed: 1_203,
      skipped: skipped(7, 0),
    });
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({
      name: 'operation.succeeded',
      data: { progress: { completed: 1_210, total: 1_210, unit: 'deliveries' } },
    });
    expect(new Set(await replayCounts(dead))).toEqual(new Set([1]));
    expect(new Set(await replayCounts([...worn, ...others]))).toEqual(new Set([10, 0]));
    const due = await db`
      select from webhook_deliveries where id = any(${dead}::uuid[]) and status = 'pending'
        and schedule_index = 0 and next_attempt_at <= now()`;
    expect(due.count).toBe(1_203);
    expect(hinted).toBe(3);
    expect((await db`select from operation_deliveries`).count).toBe(0);
  });

  test('takes only deliveries created at the given time or later', async () => {
    await storeDeliveries(3, { createdAt: '2026-01-01T00:00:00Z' });
    const later = await storeDeliveries(2, { createdAt: '2026-01-01T00:00:00.500Z' });
    const id = await start({ since: '2026-01-01T00:00:00.500Z' });
    await runner.runDue(kind());
    expect(await reportOf(id)).toMatchObject({ matched: 2, replayed: 2 });
    expect(await replayCounts(later)).toEqual([1, 1]);
  });

  test('of nothing succeeds with zeros', async () => {
    const id = await start({ status: 'succeeded' });
    await runner.runDue(kind());
    expect(await reportOf(id)).toMatchObject({ matched: 0, replayed: 0, skipped: skipped(0, 0) });
    expect(hinted).toBe(0);
  });

  test('goes by the order of creation', async () => {
    const ids = await storeDeliveries(1_100);
    const seen: string[] = [];
    await start();
    await runner.runDue(
      kind({
        replayDeliveries: (transaction, endpoint, status, batch) => {
          seen.push(...[...batch].sort());
          return replayDeliveries(transaction, endpoint, status, batch);
        },
      }),
    );
    expect(seen).toEqual(ids);
  });

  test('counts what stopped being replayable meanwhile, and leaves it alone', async () => {
    const ids = await storeDeliveries(4);
    const id = await start();
    await runner.runDue(
      kind({
        replayDeliveries: async (transaction, endpoint, status, batch) => {
          await db`
            update webhook_deliveries set status = 'pending', next_attempt_at = now(), replay_count = 1
            where id = ${ids[0] ?? ''}`;
          await db`update webhook_deliveries set status = 'succeeded' where id = ${ids[1] ?? ''}`;
          return replayDeliveries(transaction, endpoint, status, batch);
        },
      }),
    );
    expect(await reportOf(id)).toMatchObject({ matched: 4, replayed: 2, skipped: skipped(0, 2) });
    expect(await replayCounts(ids)).toEqual([1, 0, 1, 1]);
  });
});

describe('a bulk replay that is broken off', () => {
  test('between two batches goes on, replays each delivery once, and counts them all', async () => {
    const ids = await storeDeliveries(1_300);
    const id = await start();
    let batches = 0;
    const dying = kind({
      replayDeliveries: async (transaction, endpoint, status, batch) => {
        batches += 1;
        const counts = await replayDeliveries(transaction, endpoint, status, batch);
        // Dies with its second batch done and not committed.
        if (batches === 2) throw new Error('killed');
        return counts;
      },
    });
    await runner.runDue(dying);
    expect(await stateOf(id)).toMatchObject({
      status: 'running',
      progressCompleted: 500n,
      progressTotal: 1_300n,
    });
    // Replayed ones fail again meanwhile: they must not be taken for those that are still to come.
    await db`
      update webhook_deliveries set status = 'dead_letter', next_attempt_at = null
      where id = any(${ids}::uuid[]) and status = 'pending'`;
    await runner.makeDue(id);
    await runner.runDue(kind());
    expect(await reportOf(id)).toMatchObject({ matched: 1_300, replayed: 1_300, skipped: skipped(0, 0) });
    expect(new Set(await replayCounts(ids))).toEqual(new Set([1]));
  });

  test('by two runners at once is done by one', async () => {
    const ids = await storeDeliveries(700);
    await start();
    await Promise.all([runner.runDue(kind()), runner.runDue(kind()), runner.runDue(kind())]);
    expect(new Set(await replayCounts(ids))).toEqual(new Set([1]));
  });

  test.each([
    ['disabled', 'webhook_delivery_not_replayable'],
    ['deleted', 'webhook_endpoint_not_found'],
  ])('by its endpoint being %s fails and says how far it came', async (how, code) => {
    await storeDeliveries(900);
    const id = await start();
    await runner.runDue(
      kind({
        onDeliveriesDue: async () => {
          hinted += 1;
        },
        replayDeliveries: async (transaction, endpoint, status, batch) => {
          await (how === 'disabled'
            ? db`update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${endpoint}`
            : db`update webhook_endpoints set deleted_at = now() where id = ${endpoint}`);
          return replayDeliveries(transaction, endpoint, status, batch);
        },
      }),
    );
    const state = await stateOf(id);
    expect(state).toMatchObject({
      status: 'failed',
      errorCode: code,
      progressCompleted: 500n,
      progressTotal: 900n,
    });
    expect(state?.errorDetail).toContain('500 of 900 deliveries had been replayed');
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
