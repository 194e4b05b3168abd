import { expect, test } from 'bun:test';
import { keepDeletedLog, readDatabase } from '../../faults/evidence/read-database.ts';
import { deleteOldEntries } from '../../src/features/streams/log/delete-old-entries.ts';
import { openDatabase } from '../support/processes/worker-context.ts';

test('the judge has the whole log of streams, although the product deletes what is older than twenty minutes', async () => {
  const db = await openDatabase();
  await keepDeletedLog(db);
  const refs = Array.from({ length: 30 }, () => Bun.randomUUIDv7());
  await db`
    insert into stream_log (kind, ref, at)
    select 'event', ref, now() - case when n <= 20 then interval '1 hour' else interval '1 minute' end
    from unnest(${refs}::uuid[]) with ordinality as given (ref, n) order by n`;
  expect(await deleteOldEntries(db, new Date(), 1_000)).toBe(20);
  const { log } = await readDatabase(db);
  expect(log.map(({ ref }) => ref)).toEqual(refs);
});
