import { expect, test } from 'bun:test';
import { entries } from '../../drizzle/meta/_journal.json';
import { connectDatabase } from '../../src/db/client.ts';
import { crossingsFrom } from '../../src/db/way-back.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { atEnd } from '../support/run/cleanup.ts';

const { url } = await createTestDatabase();
const db = connectDatabase(url, { applicationName: 'test', connections: 1 });
atEnd(() => db.end({ timeout: 1 }));

async function schemaBack(to: string) {
  const { code, output } = await runAdmin(['schema', 'back', '--to', to, '--json'], { DATABASE_URL: url });
  return { code, report: output.startsWith('{') ? JSON.parse(output) : {} };
}

test('an api from before migration 0039 is refused, because its list of events ends there', async () => {
  const outbox = createOutbox(
    { source: 'https://x.test/api/v2', docsUrl: 'https://x.test/docs' },
    systemClock,
  );
  const id = await db.begin((transaction) =>
    outbox.append(transaction, { name: 'launch.created', subject: 'x', accountId: null, data: {} }),
  );
  // The condition of every list of events of these releases.
  const listed = await db`select id from events where recorded_in < pg_snapshot_xmin(pg_current_snapshot())`;
  expect(listed.map((row) => row.id)).not.toContain(id);
  const { code, report } = await schemaBack('0038_trades_by_signature');
  expect(code).toBe(1);
  expect(report.crossings[0]).toMatchObject({
    migration: '0039_one_commit_order',
    process: 'api',
    stops: expect.stringContaining('listEvents ends with the migration'),
    events: 1,
  });
});

test('a later release may be started, and what it cannot do is named', async () => {
  const { code, report } = await schemaBack('0043_platform_fee_accounts');
  expect({ code, result: report.result }).toEqual({ code: 0, result: 'may be started' });
  expect(report.crossings.map(({ migration }: { migration: string }) => migration)).toContain(
    '0045_cursors_survive_promotion',
  );
  expect(report.crossings.every(({ stops }: { stops?: string }) => stops === undefined)).toBe(true);
  const newest = entries.at(-1)?.tag ?? '';
  expect((await schemaBack(newest)).report.crossings).toEqual([]);
});

test('a migration that does not exist is refused, and every crossing is one that does', async () => {
  expect((await schemaBack('0000_nothing')).code).toBe(1);
  const tags = entries.map(({ tag }) => tag);
  const [first = ''] = tags;
  for (const { migration } of crossingsFrom(first)) expect(tags).toContain(migration);
});
