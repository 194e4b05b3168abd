import { expect, test } from 'bun:test';
import { advisoryLocks, withAdvisoryLock } from '../../src/db/advisory-lock.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { atEnd } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';

async function openTwoPools() {
  const { url } = await createTestDatabase();
  const pools = ['holder', 'other'].map((applicationName) =>
    connectDatabase(url, { applicationName, connections: 2 }),
  );
  for (const pool of pools) atEnd(() => pool.end());
  return pools as [(typeof pools)[0], (typeof pools)[0]];
}

test('of two processes one works, and the other may once it is done', async () => {
  const [holder, other] = await openTwoPools();
  const lock = advisoryLocks.chainIndexer;
  const outcome = await withAdvisoryLock(holder, lock, async () => {
    expect(await withAdvisoryLock(other, lock, async () => 'both')).toBeNull();
    return 'one';
  });
  expect(outcome).toEqual({ value: 'one' });
  expect(await withAdvisoryLock(other, lock, async () => 'next')).toEqual({ value: 'next' });
});

test('a lock that is held for long keeps no vacuum from removing what died meanwhile', async () => {
  const [holder, other] = await openTwoPools();
  await withAdvisoryLock(holder, advisoryLocks.chainIndexer, async () => {
    const sessions = await other<{ backendXmin: string | null }[]>`
      select backend_xmin from pg_stat_activity
      where application_name = 'holder' and datname = current_database() and state = 'idle in transaction'`;
    expect(sessions.map(({ backendXmin }) => backendXmin)).toEqual([null]);
  });
});
