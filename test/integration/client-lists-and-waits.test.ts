import { describe, expect, spyOn, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { secretKeySigner } from 'launchwire';
import { createOperation } from '../../src/features/operations/create-operation.ts';
import { expireIntents } from '../../src/intents/end/expire-intents.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { problemBody, startFaultyApi } from '../support/client/faulty-api.ts';
import { startFaultyProxy } from '../support/client/faulty-proxy.ts';
import { createPreparedIntent } from '../support/intents/intents.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';
import { thrown } from '../support/run/thrown.ts';

const stage = await startFaultyApi();
const { api, proxy, wallet, clientOf } = stage;

describe('lists', () => {
  test('are read item by item or page by page from a cursor, and only as far as the loop goes', async () => {
    const { database } = api.dependencies;
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const operation = await database.begin((sql) =>
        createOperation(sql, systemClock, { accountId: stage.key.accountId, kind: 'work', input: {} }),
      );
      made.unshift(operation.id);
    }
    const client = clientOf();
    const ids = async (items: AsyncIterable<{ id: string }>) =>
      (await Array.fromAsync(items)).map(({ id }) => id);
    expect(await ids(client.listOperations.all({ limit: 2 }))).toEqual(made);
    expect(proxy.requests).toHaveLength(3);
    const pages = await Array.fromAsync(client.listOperations.pages({ limit: 2 }));
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    const cursor = pages[0]?.page.nextCursor ?? expect.unreachable();
    expect(await ids(client.listOperations.all({ limit: 2, cursor }))).toEqual(made.slice(2));
    proxy.requests.length = 0;
    for await (const { id } of client.listOperations.all({ limit: 2 })) if (id === made[1]) break;
    expect(proxy.requests).toHaveLength(1);
    expect(await ids(client.listOperations.all({ status: 'failed' }))).toEqual([]);
  });

  test('end at the last page, even if that has a cursor for later items', async () => {
    const page = (hasMore: boolean, nextCursor: string) =>
      JSON.stringify({ data: [{ name: nextCursor }], page: { hasMore, nextCursor } });
    proxy.faults.push({ status: 200, body: page(true, 'one') }, { status: 200, body: page(false, 'two') });
    expect(await Array.fromAsync(clientOf().listTokens.all())).toMatchObject([
      { name: 'one' },
      { name: 'two' },
    ]);
    expect(proxy.requests).toHaveLength(2);
  });

  test('end with an error when the service sends the same cursor again', async () => {
    const body = JSON.stringify({ data: [], page: { hasMore: true, nextCursor: 'same' } });
    proxy.faults.push({ status: 200, body }, { status: 200, body });
    expect(await thrown(Array.fromAsync(clientOf().listTokens.all()))).toMatchObject({
      message: expect.stringContaining('the cursor of the page itself'),
    });
  });
});

describe('waiting', () => {
  const paths = () =>
    proxy.requests.map(({ path, headers }) => [path.split('/').at(-2), headers.prefer ?? null]);
  const refused = {
    status: 429,
    headers: { 'retry-after': '61' },
    body: problemBody('stream_limit_reached', 429),
  };

  test('for an intent uses one stream for all waits, and reads once that stream sends every change', async () => {
    const { database } = api.dependencies;
    const client = clientOf();
    const made = await Promise.all(
      [1, 2, 3].map(() => createPreparedIntent(database, { accountId: stage.key.accountId, wallet })),
    );
    const ended = made.map(({ id }) => client.waitForIntent(id));
    await eventually('two reads each', async () => paths().length === 7);
    const { context } = intentContext(database, [], { now: () => new Date(Date.now() + 3_600_000) });
    expect(await expireIntents(context, null, 10)).toBe(made.length);
    const intents = await Promise.all(ended);
    expect(intents).toMatchObject(made.map(({ id }) => ({ id, status: 'expired', version: 2 })));
    for (const { serializedTransaction } of intents) expect(serializedTransaction).toBeString();
    // Nothing was read to see the end, and nothing was held.
    expect(paths()).toHaveLength(7);
    expect(paths().filter(([, prefer]) => prefer !== null)).toEqual([]);
    expect(proxy.requests.filter(({ path }) => path.includes('/stream?'))).toHaveLength(1);
    // A final record needs no stream.
    expect(await client.waitForIntent(made[0]?.id ?? '')).toEqual(intents[0] ?? expect.unreachable());
    expect(paths()).toHaveLength(8);
  });

  test('for an operation follows the same stream', async () => {
    const { database } = api.dependencies;
    const { id } = await database.begin((sql) =>
      createOperation(sql, systemClock, { accountId: stage.key.accountId, kind: 'work', input: {} }),
    );
    const ended = clientOf().waitForOperation(id);
    await eventually('the second read', async () => paths().length === 3);
    await database`update operations set status = 'cancelled', completed_at = now() where id = ${id}`;
    expect(await ended).toMatchObject({ id, status: 'cancelled' });
    expect(paths()).toHaveLength(3);
  });

  test('holds requests where no stream opens, and misses no change in between', async () => {
    const { database, pipeline } = api.dependencies;
    const { id } = await createPreparedIntent(database, { accountId: stage.key.accountId, wallet });
    proxy.faults.push(null, refused);
    const ended = clientOf().waitForIntent(id);
    await eventually('the held request', async () => pipeline.waits.count === 1);
    const signer = await secretKeySigner(wallet);
    // The lost response of the submission changes nothing: it is repeated, and the wait goes on.
    const spoilt = await startFaultyProxy(api.origin);
    spoilt.faults.push(null, 'lose');
    const other = clientOf({ baseUrl: `${spoilt.origin}/api/v2/` });
    expect(await other.signAndSubmit(id, signer)).toMatchObject({ status: 'submitted', version: 2 });
    expect(spoilt.requests.map(({ answered, replayed }) => [answered, replayed])).toEqual([
      [200, false],
      [202, false],
      [202, true],
    ]);
    await database`update transaction_intents set status = 'confirmed', version = 3, completed_at = now() where id = ${id}`;
    await eventually('the end', async () => {
      // Hints may come between two requests; the next one then sees the new version at once.
      pipeline.waits.wake([id]);
      return pipeline.waits.count === 0;
    });
    expect(await ended).toMatchObject({ id, status: 'confirmed', version: 3 });
    const held = proxy.requests.filter(({ headers }) => headers.prefer !== undefined);
    expect(held.length).toBeGreaterThanOrEqual(1);
    for (const { headers } of held) expect(headers['if-none-match']).toMatch(/^"[12]"$/);
  });

  test('polls where the service neither streams nor holds requests', async () => {
    const operation = (status: string) => JSON.stringify({ id: 'o', kind: 'work', status });
    const first = { status: 200, body: operation('queued') };
    const busy = { status: 200, headers: { 'retry-after': '1' }, body: operation('queued') };
    const applied = { 'preference-applied': 'wait=20', 'retry-after': '1' };
    const letGo = { status: 200, headers: applied, body: operation('running') };
    proxy.faults.push(first, refused, busy, letGo, letGo, { status: 200, body: operation('succeeded') });
    const timers = spyOn(globalThis, 'setTimeout');
    // The second response is not held but has a change; the third has neither.
    expect((await clientOf().waitForOperation('o')).status).toBe('succeeded');
    const pauses = timers.mock.calls.filter(([, delayMs]) => delayMs === 1_000);
    timers.mockRestore();
    expect(pauses.length).toBeGreaterThanOrEqual(2);
    expect(proxy.requests.map(({ headers }) => headers.prefer)).toEqual([
      undefined,
      undefined,
      ...new Array(4).fill('wait=20'),
    ]);
  });

  test('an intent of another wallet is not signed', async () => {
    const { id } = await createPreparedIntent(api.dependencies.database, {
      accountId: stage.key.accountId,
      wallet,
    });
    const stranger = await secretKeySigner(Keypair.generate());
    expect(await thrown(clientOf().signAndSubmit(id, stranger))).toMatchObject({ name: 'TypeError' });
    expect(proxy.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
