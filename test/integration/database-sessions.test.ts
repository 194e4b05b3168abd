import { beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { databaseFailure } from '../../src/db/failure.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { databaseReadiness } from '../../src/db/observation.ts';
import { sessionFault } from '../../src/db/session.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { startDroppingPooler } from '../support/database/dropping-pooler.ts';
import { atEnd } from '../support/run/cleanup.ts';

const ROLE = 'launchwire_worker';
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

function connect(url: string): Database {
  const pool = connectDatabase(url, {
    applicationName: 'sessions',
    connections: 1,
    role: ROLE,
    limits: databaseLimits.worker,
  });
  atEnd(() => pool.end({ timeout: 0 }));
  return pool;
}

async function urlThrough(dropped: readonly string[], login?: string): Promise<string> {
  const url = new URL(database.url);
  url.port = String(await startDroppingPooler(Number(url.port), dropped));
  if (login !== undefined) [url.username, url.password] = [login, 'sessions'];
  return url.href;
}

describe('a session', () => {
  test('is as it was asked for, whoever logs in', async () => {
    for (const url of [database.url, await urlThrough([])])
      expect(await sessionFault(connect(url))).toBeNull();
  });

  test('that works as another than the role of its process is found out, and is never ready', async () => {
    const pool = connect(await urlThrough(['role']));
    expect(await sessionFault(pool)).toEqual({
      failure: 'role_lost',
      detail: `postgres instead of ${ROLE}`,
    });
    expect(await databaseReadiness(pool).check()).toEqual({
      ready: false,
      detail: 'its sessions do not work as the role of this process',
    });
  });

  test.each([
    ['statement_timeout', 'statement_timeout of 0 ms instead of 120000 ms'],
    ['lock_timeout', 'lock_timeout of 0 ms instead of 10000 ms'],
    [
      'idle_in_transaction_session_timeout',
      'idle_in_transaction_session_timeout of 0 ms instead of 15000 ms',
    ],
  ])('that lost its %s is found out, and is never ready', async (name, detail) => {
    const pool = connect(await urlThrough([name]));
    expect(await sessionFault(pool)).toEqual({ failure: 'limits_lost', detail });
    expect(await databaseReadiness(pool).check()).toEqual({
      ready: false,
      detail: 'its sessions do not have the limits of this process',
    });
  });

  test('whose limits the URL changes is found out', async () => {
    const pool = connect(`${database.url}?lock_timeout=1`);
    expect((await sessionFault(pool))?.detail).toBe('lock_timeout of 1 ms instead of 10000 ms');
  });

  test('whose user has role and limits by itself needs no start-up parameters', async () => {
    const login = `sessions_${crypto.randomUUID().slice(0, 8)}`;
    await database.sql.unsafe(`
      create user ${login} password 'sessions' in role ${ROLE};
      alter user ${login} set role ${ROLE};
      alter user ${login} set statement_timeout = '120s';
      alter user ${login} set lock_timeout = '10s';
      alter user ${login} set idle_in_transaction_session_timeout = '15s'`);
    atEnd(async () => void (await database.sql.unsafe(`drop user ${login}`)));
    const dropped = ['role', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    expect(await sessionFault(connect(await urlThrough(dropped, login)))).toBeNull();
  });
});

test('a pooler that refuses start-up parameters is no lost connection', async () => {
  const refusal = 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0';
  const message = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(refusal)]);
  message.writeInt32BE(message.length - 1, 1);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => void server.close());
  const url = new URL(database.url);
  url.port = String((server.address() as { port: number }).port);
  const failure = await connect(url.href)`select 1`.catch(databaseFailure);
  expect(failure).toBe('parameter_refused');
});
