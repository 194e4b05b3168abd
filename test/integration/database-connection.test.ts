import { expect, test } from 'bun:test';
import { type AddressInfo, createServer } from 'node:net';
import { connectDatabase, type DatabaseOptions } from '../../src/db/client.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';

async function settingsWith(options: Partial<DatabaseOptions>) {
  const { url } = await createTestDatabase();
  const database = connectDatabase(url, { applicationName: 'test-client', connections: 1, ...options });
  try {
    const [row] = await database`
      select current_setting('application_name') as name, current_setting('jit') as jit,
        current_setting('plan_cache_mode') as plans, current_setting('max_parallel_workers_per_gather')::int as workers`;
    const limits = await database<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name = any(${LIMITS}) order by name`;
    return { ...row, limits: Object.fromEntries(limits.map(({ name, setting }) => [name, Number(setting)])) };
  } finally {
    await database.end({ timeout: 1 });
  }
}

const LIMITS = [
  'client_connection_check_interval',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'statement_timeout',
  'tcp_keepalives_count',
  'tcp_keepalives_idle',
  'tcp_keepalives_interval',
  'tcp_user_timeout',
];

test('a pool is recognisable, and never compiles plans', async () => {
  const settings = await settingsWith({});
  expect(settings).toMatchObject({ name: 'test-client', jit: 'off', plans: 'auto', workers: 2 });
});

test('generic plans come without parallel workers', async () => {
  const settings = await settingsWith({ genericPlans: true });
  expect(settings).toMatchObject({ jit: 'off', plans: 'force_generic_plan', workers: 0 });
});

test.each(Object.entries(databaseLimits))(
  'every session of %s ends what takes too long, and itself when its client is gone',
  async (_process, limits) => {
    expect((await settingsWith({ limits })).limits).toEqual({
      statement_timeout: limits.statementMs,
      lock_timeout: limits.lockMs,
      idle_in_transaction_session_timeout: limits.idleInTransactionMs,
      client_connection_check_interval: 5_000,
      tcp_keepalives_idle: 10,
      tcp_keepalives_interval: 5,
      tcp_keepalives_count: 3,
      tcp_user_timeout: 20_000,
    });
  },
);

test('a statement fails when every server, the last one too, closes its connection before it is ready', async () => {
  // As a proxy does whose server is gone: it accepts, and closes without an error.
  const ports = await Promise.all(
    ['one', 'other'].map(async () => {
      const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end()));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      atEnd(async () => void server.close());
      return (server.address() as AddressInfo).port;
    }),
  );
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const database = connectDatabase(`postgres://nobody@${hosts}/none`, {
    applicationName: 'test-client',
    connections: 2,
  });
  atEnd(() => database.end({ timeout: 1 }));
  const statements = [
    () => database`select 1`.execute(),
    () => database.begin((transaction) => transaction`select 2`),
  ];
  // One after the other: a second one would be rejected before anybody waits for it.
  for (const statement of statements)
    await expect(statement()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
});
