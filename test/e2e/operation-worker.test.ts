import { beforeAll, describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { type HolderNode, ownerAddress, startHolderNode } from '../support/chain/holder-node.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { operationEvents } from '../support/operations/operation-runner.ts';
import { startWorkerProcess } from '../support/processes/service-processes.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { eventually } from '../support/run/eventually.ts';

const MINT_BYTES = new Uint8Array(32).fill(6);
const MINT = encodeAddress(MINT_BYTES);
const HOLDERS = 12_000;
const RESULT_LINK_KEYS = Buffer.alloc(32, 8).toString('base64');

let stage: WorkerStage;
let db: Database;
let node: HolderNode;
let api: ApiProcess;
let key: TestKey;

beforeAll(async () => {
  stage = await createWorkerStage();
  ({ db } = stage);
  node = await startHolderNode({
    mint: MINT_BYTES,
    slot: 99n,
    count: HOLDERS,
    accountAt: (position) => ({ owner: position, amountRaw: BigInt(position + 1) }),
  });
  api = await startApiProcess(stage.databaseUrl, { NATS_URL: stage.nats.url, RESULT_LINK_KEYS });
  key = await createTestKey(db);
});

/** A worker without SECRET_KEY. It signs links with separate keys. */
const startWorker = () =>
  startWorkerProcess({
    ...stage.environment,
    SOLANA_RPC_URL: node.url,
    PUBLIC_URL: new URL(api.baseUrl).origin,
    RESULT_LINK_KEYS,
  });

/** Runs the admin CLI; its exit code and what it printed. */
async function admin(...args: string[]): Promise<{ code: number; output: string }> {
  return runAdmin([...args, '--json'], { DATABASE_URL: stage.databaseUrl });
}

async function adminDone(...args: string[]): Promise<Record<string, unknown> & { id: string }> {
  const { code, output } = await admin(...args);
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
  return JSON.parse(output) as Record<string, unknown> & { id: string };
}

async function refused(reason: string, ...args: string[]): Promise<void> {
  const { code, output } = await admin(...args);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(reason) });
}

async function getOperation(id: string) {
  const response = await fetch(`${api.baseUrl}/operations/${id}`, { headers: key.header });
  return (await response.json()) as { status: string; resultUrl: string | null; progress?: object };
}

const input = JSON.stringify({ mintAddress: MINT, minimumBalanceRaw: '3' });
const createExport = () =>
  adminDone('operation', 'create', '--account', key.accountId, '--kind', 'audience_export', '--input', input);

async function stored(id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from operation_token_accounts where operation_id = ${id}`;
  return row?.count ?? 0;
}

describe('a worker that is killed in the middle of an export', () => {
  test('leaves it to others, who finish it once, whole, with a file that the api serves', async () => {
    node.faults = { hangAt: 6_000 };
    const victim = await startWorker();
    const { id } = await createExport();
    await eventually('in the middle', async () => (await stored(id)) >= 5_000);
    await victim.kill();
    expect(await getOperation(id)).toMatchObject({ status: 'running', resultUrl: null });

    node.faults = {};
    const survivors = await Promise.all([startWorker(), startWorker()]);
    // The retry is due after 30 seconds. This makes it due now.
    await db`update operations set due_at = now() where id = ${id}`;
    const operation = await eventually('the end', async () => {
      const current = await getOperation(id);
      return current.status === 'succeeded' ? current : null;
    });
    expect(operation.progress).toEqual({ completed: HOLDERS - 2, total: HOLDERS - 2, unit: 'holders' });
    const response = await fetch((operation.resultUrl ?? '').replace('localhost', '127.0.0.1'));
    const lines = (await response.text()).split('\r\n');
    expect(lines.slice(0, 2)).toEqual([
      'wallet_address,balance_raw,slot',
      `${ownerAddress(HOLDERS - 1)},${HOLDERS},99`,
    ]);
    expect(lines.slice(-2)).toEqual([`${ownerAddress(2)},3,99`, '']);
    expect(new Set(lines).size).toBe(HOLDERS - 2 + 2);
    expect((await operationEvents(db, id)).map(({ name }) => name)).toEqual(['operation.succeeded']);
    for (const worker of survivors) expect(await worker.stop()).toEqual({ code: 0, signal: null });
  });
});

test('a worker that is stopped hands its operation to another, which need not wait for the lease', async () => {
  node.faults = { hangAt: 6_000 };
  const first = await startWorker();
  const { id } = await createExport();
  await eventually('in the middle', async () => (await stored(id)) >= 5_000);
  node.faults = {};
  expect(await first.stop()).toEqual({ code: 0, signal: null });
  const second = await startWorker();
  await eventually('the end', async () => (await getOperation(id)).status === 'succeeded');
  await second.stop();
});

test('the link that a worker without SECRET_KEY put into its event is served by the api', async () => {
  const worker = await startWorker();
  const { id } = await createExport();
  const link = await eventually('the event', async () => {
    const [event] = await db<{ body: string }[]>`
      select body from events where body like ${`%/operation-results/${id}?%`}`;
    return /http[^"]*\/operation-results\/[^"]*/.exec(event?.body ?? '')?.[0];
  });
  expect((await fetch(link)).status).toBe(200);
  expect((await fetch(link.replace(/signature=./, 'signature='))).status).not.toBe(200);
  await worker.stop();
});

describe('the admin commands', () => {
  test('drive an operation of a kind that no worker runs, from queued to its one end', async () => {
    const created = await adminDone(
      'operation',
      'create',
      '--account',
      key.accountId,
      '--kind',
      'launch_audit',
    );
    const { id } = created;
    expect(created).toMatchObject({ status: 'queued', kind: 'launch_audit', startedAt: null });
    const worker = await startWorker();
    const progress = ['operation', 'progress', '--id', id, '--completed'];
    await adminDone(...progress, '2', '--total', '9', '--unit', 'tokens');
    expect(await getOperation(id)).toMatchObject({
      status: 'running',
      progress: { completed: 2, total: 9, unit: 'tokens' },
    });
    expect((await admin(...progress, '10', '--total', '9')).code).toBe(2);
    expect((await admin('operation', 'succeed', '--id', id, '--result-url', 'http://x.test/')).code).toBe(2);
    await adminDone('operation', 'succeed', '--id', id, '--result-url', 'https://files.example/audit.pdf');
    expect(await getOperation(id)).toMatchObject({
      status: 'succeeded',
      resultUrl: 'https://files.example/audit.pdf',
    });
    for (const verb of [['succeed'], ['cancel'], ['fail', '--code', 'internal_error']])
      await refused('that never changes', 'operation', verb[0] ?? '', '--id', id, ...verb.slice(1));
    await refused('that never changes', ...progress, '3', '--total', '9');
    expect((await operationEvents(db, id)).map(({ name }) => name)).toEqual(['operation.succeeded']);
    await worker.stop();
  });

  test('fail and cancel such an operation, with the event of each', async () => {
    const create = () =>
      adminDone('operation', 'create', '--account', key.accountId, '--kind', 'launch_audit');
    const [failing, cancelled] = [await create(), await create()];
    const detail = 'The auditor is ill.';
    await adminDone(
      'operation',
      'fail',
      '--id',
      failing.id,
      '--code',
      'api_dependency_unavailable',
      '--detail',
      detail,
    );
    expect(await getOperation(failing.id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'api_dependency_unavailable',
        detail,
        requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/),
      },
    });
    expect((await admin('operation', 'fail', '--id', cancelled.id, '--code', 'bad_luck')).code).toBe(2);
    expect(await adminDone('operation', 'cancel', '--id', cancelled.id)).toMatchObject({
      status: 'cancelled',
      cancelRequested: false,
    });
    const names = async (id: string) => (await operationEvents(db, id)).map(({ name }) => name);
    expect([await names(failing.id), await names(cancelled.id)]).toEqual([
      ['operation.failed'],
      ['operation.cancelled'],
    ]);
  });

  test('refuse a wrong input, an unknown account, an operation of the worker and an unknown id', async () => {
    const create = ['operation', 'create', '--account'];
    await refused('/mintAddress', ...create, key.accountId, '--kind', 'audience_export');
    await refused('lowercase', ...create, key.accountId, '--kind', 'Audit');
    await refused('does not exist', ...create, Bun.randomUUIDv7(), '--kind', 'audit');
    const { id } = await createExport();
    await refused('run by the worker', 'operation', 'succeed', '--id', id);
    await refused(
      'run by the worker',
      'operation',
      'progress',
      '--id',
      id,
      '--completed',
      '1',
      '--total',
      '2',
    );
    expect(await adminDone('operation', 'cancel', '--id', id)).toMatchObject({ status: 'cancelled' });
    await refused('does not exist', 'operation', 'cancel', '--id', Bun.randomUUIDv7());
  });

  test('replay deliveries through the worker, print the counts, and refuse endpoints that receive none', async () => {
    const endpointId = await insertEndpoint(db, { accountId: key.accountId });
    await insertDelivery(db, { endpointId, eventId: await insertEvent(db), status: 'dead_letter' });
    const worker = await startWorker();
    const replay = ['delivery', 'replay', '--status', 'dead_letter', '--endpoint'];
    const done = await adminDone(...replay, endpointId, '--since', '2020-01-01T00:00:00Z', '--wait');
    expect(done).toMatchObject({
      kind: 'delivery_replay',
      status: 'succeeded',
      progress: { completed: 1, total: 1, unit: 'deliveries' },
      result: { matched: 1, replayed: 1 },
    });
    expect(await getOperation(done.id)).toMatchObject({ status: 'succeeded' });
    await worker.stop();
    await refused('does not exist', ...replay, Bun.randomUUIDv7());
    await db`update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${endpointId}`;
    await refused('is disabled', ...replay, endpointId);
    await db`update webhook_endpoints set deleted_at = now() where id = ${endpointId}`;
    await refused('is deleted', ...replay, endpointId);
    expect((await admin(...replay, endpointId, '--since', 'yesterday')).code).toBe(2);
  });
});
