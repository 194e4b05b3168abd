import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import { priorityLevels, sendRoutes } from '../../src/db/values/transaction-intents.ts';
import {
  IntentSendsSchema,
  type LandingFigures,
  type LandingReport,
  LandingReportSchema,
  type ReportGrouping,
  reportGroupings,
} from '../../src/features/transaction-intents/landing-report/schema.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { fillGate } from '../support/api/full-gate.ts';
import { expectProblem } from '../support/api/problems.ts';
import { insertSentIntents, type SentIntent } from '../support/intents/insert-sent-intents.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The begin of an hour some days ago. */
const BASE_MS = Math.floor((Date.now() - 3 * DAY_MS) / HOUR_MS) * HOUR_MS;
const at = (ms: number) => new Date(BASE_MS + ms);
const iso = (ms: number) => at(ms).toISOString();

let api: TestApi;
let db: Database;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  db = api.dependencies.database;
});

beforeEach(async () => {
  key = await createTestKey(db);
});

const get = (path: string, query: Record<string, string> = {}, owner = key) =>
  fetch(`${api.baseUrl}${path}?${new URLSearchParams(query)}`, { headers: owner.header });

async function report(by?: ReportGrouping, from = iso(0), to = iso(DAY_MS)): Promise<LandingReport> {
  const response = await get('/landing-report', { from, to, ...(by !== undefined && { by }) });
  expect(response.status).toBe(200);
  const body = (await response.json()) as LandingReport;
  expect([...Value.Errors(LandingReportSchema, body)]).toEqual([]);
  return body;
}

const nothing: LandingFigures = {
  sent: 0,
  landed: 0,
  failed: 0,
  expired: 0,
  open: 0,
  reverted: 0,
  slots: null,
  milliseconds: null,
  feesLamports: '0',
  tipsLamports: '0',
  unknownFees: 0,
};

const confirmed = (ms: number, more: Partial<SentIntent> = {}): SentIntent => ({
  createdAt: at(ms),
  end: 'confirmed',
  endsAfterMs: 800,
  landing: { slot: 105n, feeLamports: 5_000n, tipLamports: 1_000n },
  sends: [{ target: 'node', firstSlot: 100n }],
  ...more,
});

describe('the range of a report', () => {
  test('without intents has zeros, and no percentiles', async () => {
    expect(await report()).toEqual({
      from: iso(0),
      to: iso(DAY_MS),
      by: 'route',
      total: nothing,
      groups: [],
    });
    for (const by of ['level', 'address'] as const)
      expect(await report(by)).toMatchObject({ by, groups: [] });
  });

  test('has every hour that it touches, also those without intents', async () => {
    await insertSentIntents(db, key.accountId, [confirmed(HOUR_MS + 1)]);
    const { groups } = await report('hour', iso(HOUR_MS - 1), iso(3 * HOUR_MS + 1));
    expect(groups.map(({ key: hour, figures }) => [hour, figures.sent])).toEqual([
      [iso(0), 0],
      [iso(HOUR_MS), 1],
      [iso(2 * HOUR_MS), 0],
      [iso(3 * HOUR_MS), 0],
    ]);
  });

  test('begins at `from` and ends before `to`', async () => {
    await insertSentIntents(db, key.accountId, [confirmed(0), confirmed(500), confirmed(1_000)]);
    const sent = async (from: number, to: number) => (await report('route', iso(from), iso(to))).total.sent;
    expect([
      await sent(0, 1_000),
      await sent(0, 1_001),
      await sent(1, 1_000),
      await sent(1_001, 2_000),
    ]).toEqual([2, 3, 1, 0]);
  });

  test('has an intent by its `createdAt`, although its id was made before the simulation', async () => {
    const id = (ms: number) => Bun.randomUUIDv7('hex', at(ms));
    const slow = [confirmed(0, { id: id(-900) }), confirmed(1_000, { id: id(100) })];
    await insertSentIntents(db, key.accountId, slow);
    const sent = async (from: number, to: number) => (await report('route', iso(from), iso(to))).total.sent;
    expect([await sent(-1_000, 0), await sent(0, 1_000), await sent(1_000, 2_000)]).toEqual([0, 1, 1]);
  });

  test('may be written in any offset, and is returned in UTC', async () => {
    const from = iso(0).replace('Z', '+00:00');
    expect(await report('route', from)).toMatchObject({ from: iso(0) });
  });

  test.each([
    ['empty', 0, 0],
    ['empty', 1, 0],
    ['too_long', 0, 31 * DAY_MS + 1],
  ])('is refused as %s', async (reason, from, to) => {
    const problem = await expectProblem(
      await get('/landing-report', { from: iso(from), to: iso(to) }),
      'landing_report_range_invalid',
    );
    expect(problem).toMatchObject({ context: { reason } });
  });

  test('may be 31 days', async () => {
    expect((await report('hour', iso(0), iso(31 * DAY_MS))).groups.length).toBe(31 * 24);
  });

  test('is refused outside the years that an id can hold', async () => {
    const query = { from: '1969-12-31T23:59:59Z', to: '1970-01-01T01:00:00Z' };
    const problem = await expectProblem(await get('/landing-report', query), 'landing_report_range_invalid');
    expect(problem).toMatchObject({ context: { reason: 'out_of_range' } });
  });

  test.each([
    [{ to: iso(1) }, '/from'],
    [{ from: iso(0) }, '/to'],
    [{ from: 'yesterday', to: iso(1) }, '/from'],
    [{ from: iso(0), to: iso(1), by: 'wallet' }, '/by'],
    [{ from: iso(0), to: iso(1), limit: '5' }, '/limit'],
  ])('%j is invalid', async (query, pointer) => {
    const problem = await expectProblem(
      await get('/landing-report', query as unknown as Record<string, string>),
      'validation_failed',
    );
    expect(JSON.stringify(problem)).toContain(pointer);
  });

  test('with one intent too many is refused, and with as many as may be all are counted', async () => {
    const most = unpublishedLimits.landingReportIntents;
    await db`
      insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset,
        signed_transaction, policy, version, expires_at, created_at, submitted_at)
      select (lpad(to_hex(${BASE_MS}::int8 + n / 10), 12, '0') || '7' || lpad(to_hex(n % 10), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid,
        ${key.accountId}, 'kind_' || n % 3, 'submitted', 'x', '', 1, '', '{}', 2, now(), ${at(0)}, ${at(0)}
      from generate_series(1, ${most + 1}) n`;
    const problem = await expectProblem(
      await get('/landing-report', { from: iso(0), to: iso(DAY_MS) }),
      'landing_report_range_invalid',
    );
    expect(problem).toMatchObject({ context: { reason: 'too_many' } });
    await db`
      delete from transaction_intents where account_id = ${key.accountId} and id = (
        select id from transaction_intents where account_id = ${key.accountId} limit 1)`;
    const { total } = await report();
    expect([total.sent, total.open]).toEqual([most, most]);
  });
});

/** Intents with every end, each end `times` times. The more there are, the later they land. */
function everyEnd(
  times: number,
  sends: SentIntent['sends'] = [{ target: 'node', firstSlot: 100n }],
): SentIntent[] {
  const t = BigInt(times);
  const more = { sends, endsAfterMs: 800 * times };
  const reverted = { slot: 100n + 7n * t, feeLamports: 6_000n, tipLamports: null, isReverted: true };
  return Array.from({ length: times }, (_, round): SentIntent[] => [
    confirmed(10 * round + 1, {
      ...more,
      landing: { slot: 100n + 5n * t, feeLamports: 5_000n, tipLamports: 1_000n },
    }),
    confirmed(10 * round + 2, { ...more, landing: reverted }),
    confirmed(10 * round + 3, {
      ...more,
      end: 'solana_transaction_failed',
      landing: { slot: 100n + 3n * t, feeLamports: null, tipLamports: null },
    }),
    { createdAt: at(10 * round + 4), end: 'transaction_intent_invalid_state', sends },
    { createdAt: at(10 * round + 5), end: 'solana_blockhash_expired', sends },
    { createdAt: at(10 * round + 6), end: 'transaction_intent_broadcast_exhausted', sends },
    { createdAt: at(10 * round + 7), end: null, sends },
  ]).flat();
}

const everyEndCounted = (times: number): LandingFigures => ({
  sent: 7 * times,
  landed: 2 * times,
  failed: 2 * times,
  expired: 2 * times,
  open: times,
  reverted: times,
  slots: { p50: 5 * times, p90: 7 * times, p99: 7 * times },
  milliseconds: { p50: 800 * times, p90: 800 * times, p99: 800 * times },
  feesLamports: String(11_000 * times),
  tipsLamports: String(1_000 * times),
  unknownFees: times,
});

describe('a report counts', () => {
  test.each([1, 2])('each end %d times, and only what was sent', async (times) => {
    await insertSentIntents(db, key.accountId, everyEnd(times));
    await db`
      insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset,
        policy, version, expires_at, created_at)
      values (${Bun.randomUUIDv7('hex', at(8))}, ${key.accountId}, 'swap', 'prepared', 'x', '', 1, '{}', 1, now(), ${at(8)})`;
    const { total, groups } = await report();
    expect([total, ...groups.map(({ figures }) => figures)]).toEqual([
      everyEndCounted(times),
      everyEndCounted(times),
    ]);
  });

  test('lamports exactly beyond what a double holds', async () => {
    const landing = { slot: 105n, feeLamports: 2n ** 62n, tipLamports: 2n ** 62n + 1n };
    await insertSentIntents(db, key.accountId, [confirmed(1, { landing }), confirmed(2, { landing })]);
    const { feesLamports, tipsLamports } = (await report()).total;
    expect([feesLamports, tipsLamports]).toEqual([String(2n ** 63n), String(2n ** 63n + 2n)]);
  });

  test('no intent of another account', async () => {
    const stranger = await createTestKey(db);
    const [id = ''] = await insertSentIntents(db, stranger.accountId, [confirmed(1)]);
    for (const by of reportGroupings) expect((await report(by)).total).toEqual(nothing);
    await expectProblem(await get(`/transaction-intents/${id}/sends`), 'transaction_intent_not_found');
  });

  test.each([1, 2])('with and without an address that was held out of some, times %d', async (times) => {
    const heldOutOf = (target: string) => [
      { target: 'node', firstSlot: 100n },
      { target, firstSlot: null, isHeldOut: true },
    ];
    const sends = ['node', 'fast'].map((target) => ({ target, firstSlot: 100n }));
    await insertSentIntents(db, key.accountId, [
      ...[1, 2, 3].map((ms) => confirmed(ms, { sends })),
      ...everyEnd(times, heldOutOf('fast')),
      { createdAt: at(9), end: null, sends: heldOutOf('late') },
    ]);
    const { groups, total } = await report('address');
    expect(total.sent).toBe(4 + 7 * times);
    expect(groups).toEqual([
      {
        key: 'fast',
        figures: expect.objectContaining({
          sent: 3,
          landed: 3,
          expired: 0,
          slots: { p50: 5, p90: 5, p99: 5 },
        }),
        without: everyEndCounted(times),
      },
      { key: 'late', figures: nothing, without: { ...nothing, sent: 1, open: 1 } },
      {
        key: 'node',
        figures: expect.objectContaining({ sent: 4 + 7 * times, landed: 3 + 2 * times, expired: 2 * times }),
        without: null,
      },
    ]);
  });
});

/** The report as a fold of the intents, for any of them. */
function expectedGroups(
  intents: readonly SentIntent[],
  by: 'route' | 'level',
): Record<string, LandingFigures> {
  const groups = Map.groupBy(intents, ({ route, level }) =>
    by === 'route' ? (route ?? 'fast') : (level ?? 'none'),
  );
  return Object.fromEntries([...groups].map(([name, members]) => [name, figuresOf(members)]));
}

function figuresOf(intents: readonly SentIntent[]): LandingFigures {
  const count = (is: (intent: SentIntent) => boolean) => intents.filter(is).length;
  const isExpired = ({ end }: SentIntent) =>
    end === 'solana_blockhash_expired' || end === 'transaction_intent_broadcast_exhausted';
  const landings = intents.flatMap(({ landing, endsAfterMs = 0, sends = [] }) =>
    landing ? { ...landing, endsAfterMs, sends } : [],
  );
  const slots = landings.flatMap(({ slot, sends }) => {
    const known = sends.flatMap(({ firstSlot, isHeldOut }) =>
      firstSlot === null || isHeldOut ? [] : Number(firstSlot),
    );
    // Without a known slot, or with a first record of a resend after the landing, nothing can be counted.
    const first = Math.min(...known);
    return first <= Number(slot) ? Number(slot) - first : [];
  });
  const sum = (values: (bigint | null)[]) =>
    String(values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n));
  return {
    sent: intents.length,
    landed: count(({ end }) => end === 'confirmed'),
    failed: count((intent) => intent.end !== null && intent.end !== 'confirmed' && !isExpired(intent)),
    expired: count(isExpired),
    open: count(({ end }) => end === null),
    reverted: 0,
    slots: percentilesOf(slots),
    milliseconds: percentilesOf(landings.map(({ endsAfterMs }) => endsAfterMs)),
    feesLamports: sum(landings.map(({ feeLamports }) => feeLamports)),
    tipsLamports: sum(landings.map(({ tipLamports }) => tipLamports)),
    unknownFees: landings.filter(({ feeLamports }) => feeLamports === null).length,
  };
}

function percentilesOf(values: number[]): LandingFigures['slots'] {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const smallestOf = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0;
  return { p50: smallestOf(50), p90: smallestOf(90), p99: smallestOf(99) };
}

const lamports = fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n }));
const landed = fc.record({
  slot: fc.bigInt({ min: 90n, max: 200n }),
  feeLamports: lamports,
  tipLamports: lamports,
});
const sentIntent: fc.Arbitrary<SentIntent> = fc
  .record({
    ms: fc.integer({ min: 0, max: DAY_MS - 1 }),
    kind: fc.constantFrom('swap', 'launch', 'transfer'),
    route: fc.constantFrom(...sendRoutes),
    level: fc.option(fc.constantFrom(...priorityLevels)),
    endsAfterMs: fc.integer({ min: 0, max: 90_000 }),
    end: fc.constantFrom(
      null,
      'confirmed',
      'solana_transaction_failed',
      'solana_blockhash_expired',
      'transaction_intent_broadcast_exhausted',
    ),
    landing: landed,
    firstSlots: fc.array(fc.option(fc.bigInt({ min: 90n, max: 110n })), { maxLength: 3 }),
  })
  .map(({ ms, end, landing, firstSlots, ...more }) => ({
    ...more,
    createdAt: at(ms),
    end,
    landing: end === 'confirmed' || end === 'solana_transaction_failed' ? landing : null,
    sends: firstSlots.map((firstSlot, index) => ({ target: `address-${index}`, firstSlot })),
  }));

test('the figures of any intents are those of their rows, in every group and in total', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sentIntent, { maxLength: 40 }), async (intents) => {
      key = await createTestKey(db);
      await insertSentIntents(db, key.accountId, intents);
      for (const by of ['route', 'level'] as const) {
        const { total, groups } = await report(by);
        expect(total).toEqual(figuresOf(intents));
        expect(Object.fromEntries(groups.map(({ key: name, figures }) => [name, figures]))).toEqual(
          expectedGroups(intents, by),
        );
      }
      const { groups } = await report('hour');
      expect(groups.reduce((sum, { figures }) => sum + figures.sent, 0)).toBe(intents.length);
    }),
    { numRuns: 20 },
  );
});

describe('the sends of an intent', () => {
  test('are shown by name of the address, with what was held out', async () => {
    const sends = [
      { target: 'node', firstSlot: 100n },
      { target: 'fast', firstSlot: null, isHeldOut: true },
      { target: 'slow', firstSlot: 103n },
    ];
    const [id = ''] = await insertSentIntents(db, key.accountId, [confirmed(1, { sends })]);
    await db`
      update intent_sends set send_count = 3, taken_count = 2, answer = 'unavailable', reason = 'rate_limited'
      where intent_id = ${id} and target = 'slow'`;
    const response = await get(`/transaction-intents/${id.toUpperCase()}/sends`);
    const body = await response.json();
    expect([response.status, [...Value.Errors(IntentSendsSchema, body)]]).toEqual([200, []]);
    const sentAt = iso(11);
    expect(body).toEqual({
      intentId: id,
      addresses: [
        {
          name: 'fast',
          heldOut: true,
          sendCount: 0,
          takenCount: 0,
          firstSentAt: null,
          lastSentAt: null,
          firstSlot: null,
          answer: null,
          reason: null,
        },
        {
          name: 'node',
          heldOut: false,
          sendCount: 1,
          takenCount: 1,
          firstSentAt: sentAt,
          lastSentAt: sentAt,
          firstSlot: '100',
          answer: 'accepted',
          reason: null,
        },
        {
          name: 'slow',
          heldOut: false,
          sendCount: 3,
          takenCount: 2,
          firstSentAt: sentAt,
          lastSentAt: sentAt,
          firstSlot: '103',
          answer: 'unavailable',
          reason: 'rate_limited',
        },
      ],
    });
  });

  test('are none before the first record', async () => {
    const [id = ''] = await insertSentIntents(db, key.accountId, [{ createdAt: at(1), end: null }]);
    expect(await (await get(`/transaction-intents/${id}/sends`)).json()).toEqual({
      intentId: id,
      addresses: [],
    });
  });

  test('of an unknown intent are not found', async () => {
    await expectProblem(
      await get(`/transaction-intents/${Bun.randomUUIDv7()}/sends`),
      'transaction_intent_not_found',
    );
  });
});

test('reports beyond the capacity are refused, and do not wait without end', async () => {
  const { reports } = api.dependencies.gates;
  const empty = fillGate(reports);
  const problem = await expectProblem(
    await get('/landing-report', { from: iso(0), to: iso(DAY_MS) }),
    'api_dependency_unavailable',
  );
  expect(problem).toMatchObject({ status: 503 });
  await empty();
  expect((await report()).total).toEqual(nothing);
});
