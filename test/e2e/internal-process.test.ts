import { expect, test } from 'bun:test';
import { freePort } from '../../sandbox/services/free-port.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { startInternalProcess } from '../support/processes/service-processes.ts';
import { eventually } from '../support/run/eventually.ts';
import { runBun, spawnBun } from '../support/sandbox/sandbox-process.ts';

test('the internal API is off without its port, serves the keys of the command line, and stops cleanly', async () => {
  const { url } = await createTestDatabase();
  const environment = { DATABASE_URL: url, SOLANA_RPC_URL: 'http://127.0.0.1:9' };
  expect(await spawnBun(['src/internal/main.ts'], environment).ended).toMatchObject({
    code: 1,
    output: expect.stringContaining('INTERNAL_PORT is required'),
  });

  const port = await freePort();
  const child = await startInternalProcess({ ...environment, INTERNAL_PORT: String(port) });
  const admin = async (...args: string[]) => {
    const { code, output } = await runBun(
      ['src/admin/main.ts', 'service-key', ...args, '--json'],
      environment,
    );
    return { code, output };
  };
  const created = await admin('create', '--groups', 'wallets', '--name', 'backend');
  const { key, keyId, groups } = JSON.parse(created.output) as Record<string, string>;
  expect(key).toMatch(/^lws_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);
  expect(groups as unknown).toEqual(['wallets']);
  const [, , secret = ''] = (key ?? '').split('_');
  const send = () =>
    fetch(`http://127.0.0.1:${port}/internal/v1/wallets`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ address: 'So11111111111111111111111111111111111111112' }),
    });
  // Before the others: only the last lines are kept.
  expect(child.lastLines().join('\n')).toContain('internal.listening');
  expect((await send()).status).toBe(200);

  const listed = await admin('list');
  expect(listed.output).toContain(keyId ?? '-');
  expect(listed.output).not.toContain(secret);
  expect(await admin('create', '--groups', 'everything', '--name', 'x')).toMatchObject({ code: 2 });
  expect(await admin('revoke', '--yes', '--id', 'unknown')).toMatchObject({ code: 1 });
  expect((await admin('revoke', '--yes', '--id', keyId ?? '')).code).toBe(0);
  await eventually('the revoked key is refused', async () => (await send()).status === 401);

  expect(child.lastLines().join('\n')).not.toContain(secret);
  expect(await child.stop()).toMatchObject({ code: 0 });
});
