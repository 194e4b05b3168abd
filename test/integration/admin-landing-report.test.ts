import { beforeAll, expect, test } from 'bun:test';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import {
  type LandingReport,
  type ReportGrouping,
  reportGroupings,
} from '../../src/features/transaction-intents/landing-report/schema.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { insertSentIntents, type SentIntent } from '../support/intents/insert-sent-intents.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { atEnd } from '../support/run/cleanup.ts';

const HOUR_MS = 3_600_000;
const BASE_MS = Math.floor((Date.now() - 3 * 24 * HOUR_MS) / HOUR_MS) * HOUR_MS;
const from = new Date(BASE_MS).toISOString();
const to = new Date(BASE_MS + 2 * HOUR_MS).toISOString();

let api: TestApi;
let db: Database;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  db = connectDatabase(api.database.url, { applicationName: 'test', connections: 2 });
  atEnd(() => db.end({ timeout: 1 }));
  key = await createTestKey(db);
  const landed = (ms: number, more: Partial<SentIntent> = {}): SentIntent => ({
    createdAt: new Date(BASE_MS + ms),
    end: 'confirmed',
    endsAfterMs: 800,
    landing: { slot: 105n, feeLamports: 5_000n, tipLamports: 1_000n },
    sends: [
      { target: 'node', firstSlot: 100n },
      { target: 'lander', firstSlot: null, isHeldOut: true },
    ],
    ...more,
  });
  await insertSentIntents(db, key.accountId, [
    landed(1, { route: 'protected', level: 'high' }),
    landed(2, { sends: [{ target: 'lander', firstSlot: 101n }] }),
    { createdAt: new Date(BASE_MS + HOUR_MS), end: 'solana_blockhash_expired' },
    { createdAt: new Date(BASE_MS + HOUR_MS), end: null },
    landed(-1),
  ]);
});

const admin = async (...args: string[]) =>
  runAdmin(['landing-report', ...args, '--json'], { DATABASE_URL: api.database.url });

async function groupsBy(by: ReportGrouping): Promise<Record<string, unknown>[]> {
  const { code, output } = await admin('--from', from, '--to', to, '--by', by);
  expect({ code, output }).toMatchObject({ code: 0 });
  return JSON.parse(output).groups;
}

test('the report of operators has the figures of its customers, in every grouping', async () => {
  for (const by of reportGroupings) {
    const query = new URLSearchParams({ from, to, by });
    const response = await fetch(`${api.baseUrl}/landing-report?${query}`, { headers: key.header });
    const { total, groups } = (await response.json()) as LandingReport;
    const flat = [
      ...groups.flatMap(({ key: name, figures, without }) => [
        [name, figures] as const,
        ...(without === null ? [] : [[`${name}, held out`, without] as const]),
      ]),
      ['all', total] as const,
    ];
    const text = (of: LandingReport['total']['slots']) => of && `${of.p50} ${of.p90} ${of.p99}`;
    expect(await groupsBy(by)).toEqual(
      flat.map(([name, { slots, milliseconds, ...counts }]) => ({
        [by]: name,
        ...counts,
        slots: text(slots),
        milliseconds: text(milliseconds),
      })),
    );
  }
});

test('it adds up all accounts', async () => {
  const before = (await groupsBy('route')).at(-1);
  const other = await createTestKey(db);
  await insertSentIntents(db, other.accountId, [{ createdAt: new Date(BASE_MS + 5), end: null }]);
  expect((await groupsBy('route')).at(-1)).toEqual({ ...before, sent: 5, open: 2 });
});

test('a range that is empty or too long is refused, with the reason', async () => {
  expect(await admin('--from', to, '--to', from)).toMatchObject({
    code: 1,
    output: expect.stringContaining('`from` must be before `to`'),
  });
  const later = new Date(BASE_MS + 32 * 24 * HOUR_MS).toISOString();
  expect(await admin('--from', from, '--to', later)).toMatchObject({
    code: 1,
    output: expect.stringContaining('At most 31 days'),
  });
});
