import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/db/client.ts';
import { enterWorkerKeys } from '../../src/db/worker-keys.ts';
import {
  createSecretBox,
  deriveKey,
  ORDER_KEY_PURPOSE,
  RESULT_KEY_PURPOSE,
} from '../../src/shared/secret-box.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { insertTriggeredOrder } from '../support/orders/insert-triggered-order.ts';
import { openDatabase, urlOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const LOCAL = '11111111111111111111111111111111';

let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});

/** A node that says only where it is. */
function startNode(genesis: string): string {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { id, method } = (await request.json()) as { id: unknown; method: string };
      const sample = { slot: 1_000, numSlots: 300, numTransactions: 1, samplePeriodSecs: 60 };
      const position = {
        absoluteSlot: 1_000,
        blockHeight: 1_000,
        epoch: 1,
        slotIndex: 1,
        slotsInEpoch: 432_000,
      };
      const results: Record<string, unknown> = {
        getGenesisHash: genesis,
        getRecentPerformanceSamples: [sample],
      };
      return Response.json({ jsonrpc: '2.0', result: results[method] ?? position, id });
    },
  });
  atEnd(async () => void (await server.stop(true)));
  return `http://127.0.0.1:${server.port}`;
}

/** One check of the doctor, and its verdict. */
async function check(name: string, environment: Record<string, string>, ...options: string[]) {
  const { code, output } = await runAdmin(['doctor', '--json', ...options], {
    DATABASE_URL: urlOf(db),
    ...environment,
  });
  const { healthy, checks } = JSON.parse(output) as {
    healthy: boolean;
    checks: { check: string; state: string; detail: string }[];
  };
  expect(healthy).toBe(code === 0);
  const { state, detail } = checks.find((one) => one.check === name) ?? expect.unreachable(output);
  return { healthy, finding: `${state}: ${detail}` };
}

describe('the parts of a deployment fit its environment', () => {
  const PUBLIC_URL = 'https://api.example.com';
  const live = { API_ENVIRONMENT: 'live', PUBLIC_URL };
  const deployment = (environment: Record<string, string>, ...options: string[]) =>
    check('deployment', environment, ...options);

  test('a live one on mainnet with a public address is healthy', async () => {
    expect(await deployment({ ...live, SOLANA_RPC_URL: startNode(MAINNET) })).toEqual({
      healthy: true,
      finding: `ok: live, ${PUBLIC_URL}, mainnet-beta`,
    });
  });

  test.each([
    [
      { API_ENVIRONMENT: 'live' },
      'PUBLIC_URL is http://localhost:3000, which leads clients to their own machine',
    ],
    [
      { ...live, PUBLIC_URL: 'https://127.0.0.2' },
      'PUBLIC_URL is https://127.0.0.2, which leads clients to their own',
    ],
    [
      { ...live, PUBLIC_URL: 'https://[::1]:8443' },
      'PUBLIC_URL is https://[::1]:8443, which leads clients to their',
    ],
    [
      { ...live, PUBLIC_URL: 'https://0.0.0.0' },
      'PUBLIC_URL is https://0.0.0.0, which leads clients to their',
    ],
    [
      { ...live, PUBLIC_URL: 'https://api.localhost' },
      'PUBLIC_URL is https://api.localhost, which leads clients to',
    ],
    [
      { ...live, PUBLIC_URL: 'http://api.example.com' },
      'PUBLIC_URL is http://api.example.com, which leads clients there without TLS',
    ],
    [
      { ...live, DOCS_URL: 'http://localhost:3000/docs' },
      'DOCS_URL is http://localhost:3000/docs, which leads',
    ],
  ])('a live one whose links lead nowhere is not: %j', async (environment, fault) => {
    const { healthy, finding } = await deployment(environment);
    expect(healthy).toBe(false);
    expect(finding).toStartWith(`failed: API_ENVIRONMENT is live, and ${fault}`);
  });

  test('a live one on another cluster is not, unless that one is named', async () => {
    const [main, dev, local] = [startNode(MAINNET), startNode(DEVNET), startNode(LOCAL)];
    const nameOf = (url: string) => new URL(url).host;
    for (const [url, cluster] of [
      [dev, 'devnet'],
      [local, 'localnet'],
    ] as const) {
      const environment = { ...live, SOLANA_RPC_URL: url };
      expect(await deployment(environment)).toEqual({
        healthy: false,
        finding: `failed: API_ENVIRONMENT is live, and node ${nameOf(url)} is of ${cluster}, not of mainnet-beta`,
      });
      expect(await deployment(environment, '--cluster', cluster)).toEqual({
        healthy: true,
        finding: `ok: live, ${PUBLIC_URL}, ${cluster}`,
      });
    }
    const mixed = await deployment({ ...live, SOLANA_RPC_URL: `${main},${dev}` });
    expect(mixed.finding).toContain(`node ${nameOf(dev)} is of devnet, not of mainnet-beta`);
    expect(mixed.finding).not.toContain(nameOf(main));
  });

  test('one for tests may be anywhere, and the finding says where; a cluster that is named must be met', async () => {
    const SOLANA_RPC_URL = startNode(MAINNET);
    expect(await deployment({ SOLANA_RPC_URL })).toEqual({
      healthy: true,
      finding: 'ok: test, http://localhost:3000, mainnet-beta',
    });
    expect((await deployment({ SOLANA_RPC_URL }, '--cluster', 'devnet')).healthy).toBe(false);
    expect((await deployment({})).finding).toBe('ok: test, http://localhost:3000, no node says the cluster');
  });
});

test('two entries at one host are named as as many witnesses, which is a warning', async () => {
  const url = startNode(MAINNET);
  const host = new URL(url).host;
  for (const name of [host, `${host}-2`]) {
    const { healthy, finding } = await check(`node ${name}`, {
      SOLANA_RPC_URL: `${url}/?key=a,${url}/?key=b`,
    });
    expect(healthy).toBe(true);
    expect(finding).toStartWith(
      'ok: mainnet-beta, slot 1000; several entries of SOLANA_RPC_URL are at its host',
    );
  }
  const { finding } = await check(`node ${host}`, { SOLANA_RPC_URL: `${url},${startNode(MAINNET)}` });
  expect(finding).toBe('ok: mainnet-beta, slot 1000');
});

describe('keys that processes share are those of the workers', () => {
  const [FIRST, SECOND, LINKS, SECRET] = [randomBytes(32), randomBytes(32), randomBytes(32), randomBytes(32)];
  const text = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join();
  let accountId: string;

  beforeEach(async () => {
    await db`delete from worker_keys`;
    await db`truncate orders cascade`;
    ({ accountId } = await createTestKey(db));
  });

  const enter = async (...orderKeys: Uint8Array[]) => {
    await enterWorkerKeys(db, { orderKeys, resultLinkKeys: [LINKS] });
    // A worker enters its keys again and again; this one is seen for as long as the test takes.
    await db`update worker_keys set seen_at = now() + interval '1 hour'`;
  };
  const insert = (key: Uint8Array) =>
    insertTriggeredOrder(db, { accountId, box: createSecretBox(key), status: 'open' });
  const orderKeys = (...keys: Buffer[]) => check('order keys', { ORDER_KEYS: text(...keys) });

  test('no key of orders is compared without one here, without a worker, and where no orders are taken', async () => {
    expect((await check('order keys', {})).finding).toStartWith('skipped: needs ORDER_KEYS');
    await insert(FIRST);
    const silent = 'skipped: no worker has run within the last 90 seconds';
    expect(await orderKeys(FIRST)).toEqual({ healthy: true, finding: silent });
    await db`truncate orders cascade`;
    await enter();
    expect((await orderKeys(FIRST)).finding).toStartWith('skipped: no running worker has a key of orders');
  });

  test('the same keys of orders everywhere are healthy, in every step of a rotation too', async () => {
    await enter(FIRST);
    await insert(FIRST);
    const fit = 'ok: a running worker has the first; waiting orders: 1, all of them open';
    expect(await orderKeys(FIRST)).toEqual({ healthy: true, finding: fit });
    await enter(FIRST, SECOND);
    expect((await orderKeys(SECOND, FIRST)).finding).toBe(fit);
  });

  test('other keys of orders here than in the workers are a failure, also where nobody set ORDER_KEYS here', async () => {
    await enter(FIRST);
    await insert(FIRST);
    expect(await orderKeys(SECOND)).toEqual({
      healthy: false,
      finding:
        'failed: no running worker has the first of ORDER_KEYS: give api, worker and this command the same keys; ' +
        '1 of 1 waiting orders open under no key that a worker is known to have',
    });
    const { finding } = await check('order keys', { SECRET_KEY: text(SECRET) });
    expect(finding).toStartWith(
      'failed: ORDER_KEYS is not set here, and no running worker has the key derived from SECRET_KEY',
    );
    await enter(deriveKey(SECRET, ORDER_KEY_PURPOSE));
    expect((await check('order keys', { SECRET_KEY: text(SECRET) })).finding).toStartWith(
      'failed: 1 of 1 waiting',
    );
  });

  test('orders that the api sealed under a key of no worker are a failure with their number', async () => {
    await enter(FIRST);
    await insert(FIRST);
    await insert(SECOND);
    const { healthy, finding } = await orderKeys(FIRST, SECOND);
    expect(healthy).toBe(false);
    expect(finding).toStartWith(
      'failed: 1 of 2 waiting orders open under no key that a worker is known to have: add',
    );
    await db`delete from worker_keys`;
    await enter();
    expect((await orderKeys(FIRST)).finding).toStartWith(
      'failed: no running worker has a key of orders: give it',
    );
  });

  test('keys of links that workers sign under and the others would refuse are a failure', async () => {
    const links = (environment: Record<string, string>) => check('result link keys', environment);
    expect((await links({ RESULT_LINK_KEYS: text(LINKS) })).finding).toStartWith(
      'skipped: no worker has run',
    );
    await enter();
    expect((await links({})).finding).toBe('skipped: needs RESULT_LINK_KEYS');
    for (const RESULT_LINK_KEYS of [text(LINKS), text(FIRST, LINKS)])
      expect((await links({ RESULT_LINK_KEYS })).finding).toBe(
        'ok: every running worker signs under one of them',
      );
    expect(await links({ RESULT_LINK_KEYS: text(FIRST), SECRET_KEY: text(SECRET) })).toEqual({
      healthy: false,
      finding:
        'failed: a worker signs links to results under a key that is not in RESULT_LINK_KEYS: give api, worker and this command the same keys',
    });
    expect((await links({ SECRET_KEY: text(SECRET) })).finding).toStartWith(
      'skipped: needs RESULT_LINK_KEYS: a',
    );
    await db`delete from worker_keys`;
    await enterWorkerKeys(db, { orderKeys: [], resultLinkKeys: [deriveKey(SECRET, RESULT_KEY_PURPOSE)] });
    expect((await links({ SECRET_KEY: text(SECRET) })).finding).toStartWith('ok:');
  });
});
