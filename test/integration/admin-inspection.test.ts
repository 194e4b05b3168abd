import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { createPreparedIntent } from '../support/intents/intents.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { insertAttempt } from '../support/rows/insert-attempt.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { atEnd } from '../support/run/cleanup.ts';

let db: Database;
let url: string;
let key: TestKey;
let endpointId: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  const pool = connectDatabase(url, { applicationName: 'test', connections: 2 });
  atEnd(() => pool.end({ timeout: 1 }));
  db = pool;
  key = await createTestKey(db);
  endpointId = await insertEndpoint(db, { accountId: key.accountId, url: 'https://subscriber.test/hook' });
});

async function admin(...args: string[]) {
  const { code, output } = await runAdmin(args, { DATABASE_URL: url });
  return { code, output: output.trim() };
}

async function done(...args: string[]) {
  const { code, output } = await admin(...args, '--json');
  expect({ code, output }).toMatchObject({ code: 0 });
  return JSON.parse(output);
}

async function newDelivery(
  status: 'succeeded' | 'dead_letter' | 'retrying',
  ofEndpoint = endpointId,
): Promise<string> {
  const eventId = await insertEvent(db, { accountId: key.accountId });
  return insertDelivery(db, { endpointId: ofEndpoint, eventId, status });
}

const unknown = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

test('account list: pages of accounts with usable keys and wallets, and the account of a wallet', async () => {
  const wallet = Keypair.generate().publicKey.toBase58();
  const { accountId } = await createTestKey(db, { walletAddress: wallet });
  await createTestKey(db, { accountId, walletAddress: wallet, expiresAt: new Date(Date.now() - 1_000) });
  const { accounts, next } = await done('account', 'list', '--wallet', wallet);
  expect(accounts).toEqual([
    { id: accountId, createdAt: expect.any(String), usableKeys: 1, wallets: [wallet] },
  ]);
  expect(next).toBeNull();
  const first = await done('account', 'list', '--limit', '1');
  expect(first.accounts).toMatchObject([{ id: accountId }]);
  const second = await done('account', 'list', '--limit', '1', '--after', first.next);
  expect(second.accounts).toMatchObject([{ id: key.accountId }]);
  expect(second.next).toBeNull();
});

describe('deliveries', () => {
  test('list: by status, in pages, of deleted endpoints too', async () => {
    const ofAccount = key.accountId;
    const other = await insertEndpoint(db, {
      accountId: ofAccount,
      deletedAt: new Date(),
      status: 'disabled',
      disabledReason: 'gone',
    });
    const ids = [await newDelivery('succeeded', other), await newDelivery('dead_letter', other)];
    const all = await done('delivery', 'list', '--endpoint', other);
    expect(all.deliveries.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
    const dead = await done('delivery', 'list', '--endpoint', other, '--status', 'dead_letter');
    expect(dead.deliveries).toMatchObject([{ id: ids[1], status: 'dead_letter' }]);
    const page = await done('delivery', 'list', '--endpoint', other, '--limit', '1');
    const rest = await done('delivery', 'list', '--endpoint', other, '--limit', '1', '--after', page.next);
    expect([page.deliveries[0].id, rest.deliveries[0].id].sort()).toEqual(ids.sort());
    expect(await admin('delivery', 'list', '--endpoint', unknown)).toEqual({
      code: 1,
      output: `endpoint ${unknown} does not exist`,
    });
  });

  test('show: the delivery, where it goes, and every attempt with the reason that only operators see', async () => {
    const id = await newDelivery('dead_letter');
    const first = {
      attemptNumber: 1,
      succeeded: false,
      errorCode: 'timeout',
      errorDetail: 'no byte in 10 s',
    };
    await insertAttempt(db, { deliveryId: id, ...first });
    const body = Buffer.from('\u001b[2Jgone');
    const second = { attemptNumber: 2, succeeded: false, errorCode: 'http_status', responseStatus: 500 };
    await insertAttempt(db, { deliveryId: id, ...second, responseBody: body, totalMs: 12 });
    const shown = await done('delivery', 'show', '--id', id);
    expect(shown).toMatchObject({
      id,
      accountId: key.accountId,
      url: 'https://subscriber.test/hook',
      status: 'dead_letter',
      replayCount: 0,
      attempts: [
        {
          attemptNumber: 2,
          outcome: 'failed',
          errorDetail: null,
          responseStatus: 500,
        },
        { attemptNumber: 1, errorCode: 'timeout', errorDetail: 'no byte in 10 s' },
      ],
    });
    const { code, output } = await admin('delivery', 'show', '--id', id);
    expect(code).toBe(0);
    expect(output).toContain('no byte in 10 s');
    // The response of a subscriber is shown as text, without control codes.
    expect(output).toContain('\\u001b[2Jgone');
    expect(output).not.toContain('\u001b');
    expect((await admin('delivery', 'show', '--id', unknown)).code).toBe(1);
  });

  test('retry: a finished one is due again, ten times; one under way, or of a disabled endpoint, is refused', async () => {
    const id = await newDelivery('dead_letter');
    expect(await done('delivery', 'retry', '--id', id)).toMatchObject({ id, status: 'pending' });
    const again = await admin('delivery', 'retry', '--id', id);
    expect(again.code).toBe(1);
    expect(again.output.split('\n')).toHaveLength(1);
    await db`update webhook_deliveries set status = 'succeeded', next_attempt_at = null, replay_count = 10 where id = ${id}`;
    expect((await admin('delivery', 'retry', '--id', id)).code).toBe(1);
    const off = await insertEndpoint(db, {
      accountId: key.accountId,
      status: 'disabled',
      disabledReason: 'gone',
    });
    expect(await admin('delivery', 'retry', '--id', await newDelivery('succeeded', off))).toEqual({
      code: 1,
      output: `endpoint ${off} is disabled: it gets no deliveries`,
    });
    expect((await admin('delivery', 'retry', '--id', unknown)).code).toBe(1);
  });
});

describe('endpoints', () => {
  const events = (id: string) =>
    db<{ type: string }[]>`select type from events where subject = ${id} order by recorded_in, id`.then(
      (rows) => rows.map(({ type }) => type),
    );

  test('disable and enable take effect once each, each with its event, and the relay reads the endpoint again', async () => {
    const id = await insertEndpoint(db, { accountId: key.accountId });
    await db`update webhook_endpoints set paused_until = now() + interval '1 day' where id = ${id}`;
    const off = await done('endpoint', 'disable', '--id', id, '--yes');
    expect(off).toMatchObject({ id, accountId: key.accountId, status: 'disabled', disabledReason: 'manual' });
    expect((await done('endpoint', 'disable', '--id', id, '--yes')).version).toBe(off.version);
    const on = await done('endpoint', 'enable', '--id', id);
    expect(on).toMatchObject({
      status: 'enabled',
      disabledReason: null,
      pausedUntil: null,
      version: off.version + 1,
    });
    expect((await done('endpoint', 'enable', '--id', id)).version).toBe(on.version);
    expect(await events(id)).toEqual([
      'build.service.webhook_endpoint.disabled.v1',
      'build.service.webhook.ping.v1',
      'build.service.webhook_endpoint.changed.v1',
    ]);
  });

  test('disable is refused without --yes where nobody can be asked, and changes nothing', async () => {
    const id = await insertEndpoint(db, { accountId: key.accountId });
    for (const json of [[], ['--json']]) {
      const { code, output } = await admin('endpoint', 'disable', '--id', id, ...json);
      expect(code).toBe(1);
      expect(output).toBe(
        `endpoint ${id} gets the events that it misses only if its account requests a recovery: add --yes to do it without being asked`,
      );
    }
    expect(await done('endpoint', 'show', '--id', id)).toMatchObject({ status: 'enabled', version: 1 });
  });

  test('show has deleted ones, which are not enabled; an unknown one is refused', async () => {
    const id = await insertEndpoint(db, {
      accountId: key.accountId,
      deletedAt: new Date(),
      status: 'disabled',
      disabledReason: 'gone',
    });
    expect(await done('endpoint', 'show', '--id', id)).toMatchObject({ id, deletedAt: expect.any(String) });
    expect(await admin('endpoint', 'enable', '--id', id)).toEqual({
      code: 1,
      output: `endpoint ${id} is deleted`,
    });
    for (const verb of ['show', 'enable'])
      expect(await admin('endpoint', verb, '--id', unknown)).toEqual({
        code: 1,
        output: `endpoint ${unknown} does not exist`,
      });
    expect((await admin('endpoint', 'show', '--id', id, '--json')).output).not.toMatch(/sealed|whsec_/);
  });
});

test('intent list and show: without and with the transaction, and how it is being sent', async () => {
  const wallet = Keypair.generate();
  const { id, unsigned } = await createPreparedIntent(db, { accountId: key.accountId, wallet });
  const { intents } = await done('intent', 'list', '--account', key.accountId, '--status', 'prepared');
  expect(intents).toMatchObject([
    { id, kind: 'token_transfer', expectedSigner: wallet.publicKey.toBase58() },
  ]);
  expect(intents[0]).not.toHaveProperty('serializedTransaction');
  expect((await done('intent', 'list', '--account', key.accountId, '--kind', 'token_swap')).intents).toEqual(
    [],
  );
  expect(await done('intent', 'show', '--id', id)).toMatchObject({
    id,
    accountId: key.accountId,
    serializedTransaction: Buffer.from(unsigned).toString('base64'),
    broadcast: null,
  });
  expect(await admin('intent', 'show', '--id', unknown)).toEqual({
    code: 1,
    output: `intent ${unknown} does not exist`,
  });
});

test('an unknown account is refused wherever an account is named', async () => {
  const account = ['--account', unknown];
  const ping = ['--type', 'build.service.webhook.ping.v1', '--subject', 'a'];
  for (const line of [
    ['key', 'list', ...account],
    ['key', 'create', ...account, '--wallet', key.walletAddress, '--scopes', 'all'],
    ['intent', 'list', ...account],
    ['endpoint', 'list', ...account],
    ['operation', 'create', ...account, '--kind', 'import'],
    ['event', 'publish', ...account, ...ping, '--data', JSON.stringify({ endpointId })],
  ])
    expect({ line, ...(await admin(...line)) }).toEqual({
      line,
      code: 1,
      output: `account ${unknown} does not exist`,
    });
});

test('event publish accepts only data that fits the schema of the type, by its full or short name', async () => {
  const subject = Bun.randomUUIDv7();
  let type = 'build.service.webhook.ping.v1';
  const publish = (data: object, ...more: string[]) =>
    admin(
      'event',
      'publish',
      '--type',
      type,
      '--subject',
      subject,
      ...more,
      '--data',
      JSON.stringify(data),
      '--json',
    );
  const account = ['--account', key.accountId];
  for (const [data, reason] of [
    [{}, '--data does not match the schema of webhook.ping: /endpointId'],
    [{ endpointId: 'x' }, '--data does not match the schema of webhook.ping: /endpointId'],
    [{ endpointId, more: 1 }, '--data does not match the schema of webhook.ping: /more'],
  ] as const) {
    const { code, output } = await publish(data, ...account);
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(reason) });
  }
  expect(await publish({ endpointId })).toMatchObject({ code: 2 });
  expect(await db`select from events where subject = ${subject}`).toHaveLength(0);
  expect((await publish({ endpointId }, ...account)).code).toBe(0);
  type = 'webhook.ping';
  expect((await publish({ endpointId }, ...account)).code).toBe(0);
  const sent = await db<{ type: string }[]>`select type from events where subject = ${subject}`;
  expect(sent.map((event) => event.type)).toEqual(Array(2).fill('build.service.webhook.ping.v1'));
});
