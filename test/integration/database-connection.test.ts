import { expect, test } from 'bun:test';
import { connectDatabase, type DatabaseOptions } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database.ts';

async function settingsWith(options: Partial<DatabaseOptions>) {
  const { url } = await createTestDatabase();
  const database = connectDatabase(url, { applicationName: 'test-client', connections: 1, ...options });
  try {
    const [row] = await database`
      select current_setting('application_name') as name, current_setting('jit') as jit,
        current_setting('plan_cache_mode') as plans, current_setting('max_parallel_workers_per_gather')::int as workers,
        current_setting('statement_timeout') as timeout`;
    return row;
  } finally {
    await database.end({ timeout: 1 });
  }
}

test('a pool is recognisable, and never compiles plans', async () => {
  const settings = await settingsWith({ statementTimeoutMs: 5_000 });
  expect(settings).toEqual({ name: 'test-client', jit: 'off', plans: 'auto', workers: 2, timeout: '5s' });
});

test('generic plans come without parallel workers', async () => {
  const settings = await settingsWith({ genericPlans: true });
  expect(settings).toMatchObject({ jit: 'off', plans: 'force_generic_plan', workers: 0 });
});
