import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import type { AwaitedRecord, WaitableReply } from '../../src/http/route.ts';
import { ChangeWaits } from '../../src/http/waits/change-waits.ts';
import type { TransactionIntent } from '../../src/intents/schema.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { Deadlines } from '../../src/shared/deadlines.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { createPreparedIntent, type PreparedIntent, signWith } from '../support/intents/intents.ts';
import { landIntent, learnLanding } from '../support/intents/landings.ts';
import { startSendingNode } from '../support/intents/sending-node.ts';
import { type IntentSubmission, submitIntent } from '../support/intents/submit-intent.ts';
import { eventually } from '../support/run/eventually.ts';

const wallet = Keypair.generate();
const node = startSendingNode();

interface Stage {
  api: TestApi;
  key: TestKey;
}

let stage: Stage;

beforeAll(async () => {
  stage = await start();
});

async function start(options: TestApiOptions = {}): Promise<Stage> {
  const api = await startTestApi({ environment: { SOLANA_RPC_URL: node.url }, ...options });
  const walletAddress = wallet.publicKey.toBase58();
  return { api, key: await createTestKey(api.dependencies.database, { walletAddress }) };
}

const prepare = ({ api, key }: Stage) =>
  createPreparedIntent(api.dependencies.database, { accountId: key.accountId, wallet });

function submit(
  { id, unsigned }: PreparedIntent,
  { api, key }: Stage = stage,
  options: Partial<IntentSubmission> = {},
): Promise<Response> {
  const headers = { prefer: 'wait=25' };
  return submitIntent(api.baseUrl, id, { key, signed: signWith(unsigned, wallet), headers, ...options });
}

const waitsOf = ({ api }: Stage) => api.dependencies.pipeline.waits;
const waiting = (count: number, on = stage) =>
  eventually(`${count} waiting`, async () => waitsOf(on).count === count);

async function end({ id }: PreparedIntent, status: 'confirmed' | 'failed', on = stage): Promise<void> {
  const error = status === 'failed' ? 'solana_transaction_failed' : null;
  await on.api.dependencies.database`
    update transaction_intents
    set status = ${status}, error_code = ${error}, completed_at = now(), version = version + 1
    where id = ${id}`;
  waitsOf(on).wake([id]);
}

const intentOf = async (response: Response) => (await response.json()) as TransactionIntent;

describe('a submission that prefers to wait', () => {
  test.each(['confirmed', 'failed'] as const)('is answered when its intent is %s', async (status) => {
    const intent = await prepare(stage);
    const response = submit(intent);
    await waiting(1);
    await end(intent, status);
    const answer = await response;
    const { headers } = answer;
    expect(answer.status).toBe(202);
    expect(headers.get('preference-applied')).toBe('wait=25');
    expect(headers.get('etag')).toBe('"3"');
    expect(headers.get('location')).toBe(`/api/v2/transaction-intents/${intent.id}`);
    expect(headers.get('retry-after')).toBeNull();
    expect(await intentOf(answer)).toMatchObject({ id: intent.id, status, version: 3 });
    expect(waitsOf(stage).count).toBe(0);
  });

  test('has stored and sent the transaction before it waits', async () => {
    const intent = await prepare(stage);
    const sentBefore = node.sent.length;
    const response = submit(intent, stage, { idempotencyKey: 'stored-and-sent-1' });
    await waiting(1);
    await eventually('the node has it', async () => node.sent.length > sentBefore);
    const { database } = stage.api.dependencies;
    const [stored] = await database`
      select status, version, (select count(*)::int from idempotency_records where key = 'stored-and-sent-1') as responses
      from transaction_intents where id = ${intent.id}`;
    expect(stored).toMatchObject({ status: 'submitted', version: 2, responses: 1 });
    // The record of its sends, which is made a second after the first one of this process, locks the row for a moment.
    await stage.api.dependencies.firstBroadcaster.drain();
    // It keeps no lock and no session: a statement that waits for nobody gets both rows.
    const free = await database`
      select from transaction_intents i, accounts a
      where i.id = ${intent.id} and a.id = i.account_id for update skip locked`;
    expect(free.count).toBe(1);
    await end(intent, 'confirmed');
    await response;
  });

  test('is answered at its timeout with the submitted intent', async () => {
    const response = await submit(await prepare(stage), stage, { headers: { prefer: 'wait=1' } });
    expect(response.headers.get('preference-applied')).toBe('wait=1');
    expect(response.headers.get('etag')).toBe('"2"');
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await intentOf(response)).toMatchObject({ status: 'submitted', version: 2 });
  });

  test('is not woken by its own hint, nor by a hint without a change', async () => {
    const intent = await prepare(stage);
    const response = submit(intent);
    await waiting(1);
    waitsOf(stage).wake([intent.id]);
    waitsOf(stage).wakeAll();
    await end(intent, 'confirmed');
    expect(await intentOf(await response)).toMatchObject({ status: 'confirmed' });
  });

  test('that is repeated gets what was stored at the submission, at once, whatever it prefers', async () => {
    const intent = await prepare(stage);
    const idempotencyKey = 'repeated-while-waiting-1';
    const first = submit(intent, stage, { idempotencyKey });
    await waiting(1);
    const during = await submit(intent, stage, { idempotencyKey });
    expect(during.headers.get('idempotent-replayed')).toBe('true');
    expect(during.headers.get('preference-applied')).toBeNull();
    expect(during.headers.get('etag')).toBe('"2"');
    const stored = await during.text();
    expect(JSON.parse(stored)).toMatchObject({ status: 'submitted', version: 2 });
    await end(intent, 'confirmed');
    expect(await intentOf(await first)).toMatchObject({ status: 'confirmed' });
    for (const headers of [{ prefer: 'wait=25' }, { prefer: '' }]) {
      const later = await submit(intent, stage, { idempotencyKey, headers });
      expect(later.headers.get('idempotent-replayed')).toBe('true');
      expect(await later.text()).toBe(stored);
    }
  });

  test('and fifty copies of it at once are one submission, of which one waits', async () => {
    const intent = await prepare(stage);
    const copies = Array.from({ length: 50 }, () =>
      submit(intent, stage, { idempotencyKey: 'fifty-copies-1' }),
    );
    await waiting(1);
    await end(intent, 'confirmed');
    const responses = await Promise.all(copies);
    const held = responses.filter(({ headers }) => headers.has('preference-applied'));
    expect(held).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 202))
      await expectProblem(response, 'idempotency_request_in_progress');
    const replays = responses.filter(({ headers }) => headers.has('idempotent-replayed'));
    for (const replay of replays) expect(await intentOf(replay)).toMatchObject({ version: 2 });
    const events = await stage.api.dependencies.database`
      select from events where subject = ${intent.id} and type like '%.submitted.%'`;
    expect(events.count).toBe(1);
  });

  test('is refused at once, like any other', async () => {
    const intent = await prepare(stage);
    const refused = await submit(intent, stage, { signed: new Uint8Array(3) });
    await expectProblem(refused, 'validation_failed');
    await expectProblem(
      await submit(intent, stage, { ifMatch: '"7"' }),
      'transaction_intent_version_conflict',
    );
    expect(waitsOf(stage).count).toBe(0);
  });

  test('counts once against its rate policy', async () => {
    const { accountId } = stage.key;
    const walletAddress = wallet.publicKey.toBase58();
    const owner = {
      ...stage,
      key: await createTestKey(stage.api.dependencies.database, { accountId, walletAddress }),
    };
    const intents = [await prepare(owner), await prepare(owner)] as const;
    const plain = await submit(intents[0], owner, { headers: {} });
    const response = submit(intents[1], owner);
    await waiting(1);
    waitsOf(owner).wakeAll();
    await end(intents[1], 'confirmed');
    const remaining = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'));
    expect(remaining(plain) - remaining(await response)).toBeLessThanOrEqual(1);
  });

  test('whose client disconnects is submitted, and gives its place back when its time is over', async () => {
    const intent = await prepare(stage);
    const { api, key } = stage;
    const gone = new AbortController();
    const signedTransaction = Buffer.from(signWith(intent.unsigned, wallet)).toString('base64');
    const request = fetch(`${api.baseUrl}/transaction-intents/${intent.id}/submissions`, {
      method: 'POST',
      headers: {
        ...key.header,
        'content-type': 'application/json',
        'idempotency-key': 'gone-client-1',
        'if-match': '"1"',
        prefer: 'wait=5',
      },
      body: JSON.stringify({ signedTransaction }),
      signal: gone.signal,
    }).catch(() => 'gone');
    await waiting(1);
    gone.abort();
    expect(await request).toBe('gone');
    await waiting(0);
    const again = await submit(intent, stage, { idempotencyKey: 'gone-client-1' });
    expect(await intentOf(again)).toMatchObject({ status: 'submitted', version: 2 });
  });
});

describe('a waiting submission whose transaction has landed', () => {
  /** What the wait has read, and the api whose wait for facts takes this time. */
  async function watched(factsWithinMs?: number) {
    const read: WaitableReply[] = [];
    const watch = ({ recordId, ...record }: AwaitedRecord) => ({
      recordId,
      async read() {
        const reply = await record.read();
        read.push(reply);
        const isLimited = reply.moreWithinMs !== undefined && factsWithinMs !== undefined;
        return isLimited ? { ...reply, moreWithinMs: factsWithinMs } : reply;
      },
    });
    const on = await start({
      adjustRoutes: (routes) =>
        routes.map((route) => {
          if (route.kind !== 'mutation' || route.wait === undefined) return route;
          const { wait } = route;
          return { ...route, wait: (input, caller) => watch(wait(input, caller)) };
        }),
    });
    const seen = (version: number) =>
      eventually(`version ${version} is read`, async () =>
        read.some(({ state }) => state === String(version)),
      );
    return { on, read, seen };
  }

  async function land({ id }: PreparedIntent, on: Stage, status?: 'confirmed' | 'failed'): Promise<void> {
    await landIntent(on.api.dependencies.database, id, status);
    waitsOf(on).wake([id]);
  }

  async function learn({ id }: PreparedIntent, on: Stage): Promise<void> {
    await learnLanding(on.api.dependencies.database, id);
    waitsOf(on).wake([id]);
  }

  test('is answered with what it did, which a node shows a moment after the confirmation', async () => {
    const { on, seen } = await watched(Number.POSITIVE_INFINITY);
    const intent = await prepare(on);
    const response = submit(intent, on);
    await waiting(1, on);
    await land(intent, on);
    await seen(3);
    waitsOf(on).wake([intent.id]);
    await learn(intent, on);
    const answer = await response;
    expect(answer.headers.get('etag')).toBe('"4"');
    expect(answer.headers.get('preference-applied')).toBe('wait=25');
    expect(await intentOf(answer)).toMatchObject({ status: 'confirmed', landed: { feeLamports: '5000' } });
    expect(waitsOf(on).count).toBe(0);
  });

  test('is answered without it at most a second after the confirmation', async () => {
    const { on, read, seen } = await watched(1);
    const intent = await prepare(on);
    const response = submit(intent, on);
    await waiting(1, on);
    await land(intent, on);
    await seen(3);
    // A wait that is as long as that of the submission, and ends later.
    const headers = { ...on.key.header, prefer: 'wait=25', 'if-none-match': '"3"' };
    const held = fetch(`${on.api.baseUrl}/transaction-intents/${intent.id}`, { headers });
    const first = await Promise.race([response, held]);
    expect(first).toBe(await response);
    expect(first.headers.get('etag')).toBe('"3"');
    expect(first.headers.get('retry-after')).toBeNull();
    expect(await intentOf(first)).toMatchObject({ status: 'confirmed', landed: null });
    expect(read.at(-1)?.moreWithinMs).toBe(unpublishedLimits.landingWaitMs);
    await learn(intent, on);
    expect(await intentOf(await held)).toMatchObject({ version: 4, landed: { succeeded: true } });
  });

  test('and failed, or was dropped by a fork, is answered at once', async () => {
    const { on, read } = await watched(Number.POSITIVE_INFINITY);
    const failed = await prepare(on);
    const dropped = await prepare(on);
    const responses = [submit(failed, on), submit(dropped, on)] as const;
    await waiting(2, on);
    await land(failed, on, 'failed');
    expect(await intentOf(await responses[0])).toMatchObject({ status: 'failed', landed: null });
    await on.api.dependencies.database.begin(async (transaction) => {
      await landIntent(transaction, dropped.id);
      await transaction`
        update intent_landings set finality = 'reverted', settled_at = now() where intent_id = ${dropped.id}`;
    });
    waitsOf(on).wake([dropped.id]);
    expect(await intentOf(await responses[1])).toMatchObject({ finality: 'reverted', landed: null });
    expect(read.filter(({ moreWithinMs }) => moreWithinMs !== undefined)).toEqual([]);
  });

  test('is answered at once by a process that stops', async () => {
    const { on, seen } = await watched(Number.POSITIVE_INFINITY);
    const intent = await prepare(on);
    const response = submit(intent, on);
    await waiting(1, on);
    await land(intent, on);
    await seen(3);
    on.api.dependencies.draining.begin();
    expect(await intentOf(await response)).toMatchObject({ status: 'confirmed', landed: null });
  });
});

describe('without the preference', () => {
  test.each([
    ['no header', {}],
    ['a malformed one', { prefer: 'wait=soon' }],
    ['less than a second', { prefer: 'wait=0' }],
    ['another preference', { prefer: 'respond-async' }],
  ])('(%s) the response is the stored one, and nothing is opened', async (_name, headers) => {
    const waits = waitsOf(stage);
    const refusedBefore = waits.refused;
    const response = await submit(await prepare(stage), stage, { headers });
    expect(response.headers.get('preference-applied')).toBeNull();
    expect(await intentOf(response)).toMatchObject({ status: 'submitted' });
    expect([waits.count, waits.refused]).toEqual([0, refusedBefore]);
  });
});

describe('a process', () => {
  test('without room for another wait answers at once, with the stored response', async () => {
    const waits = new ChangeWaits({ waitingMax: 2, perCallerMax: 1, readingMax: 1 });
    const on = await start({
      adjust: ({ pipeline }) => {
        pipeline.waits = waits;
      },
    });
    const intents = [await prepare(on), await prepare(on)] as const;
    const first = submit(intents[0], on);
    await waiting(1, on);
    const second = await submit(intents[1], on);
    expect([second.status, second.headers.get('preference-applied')]).toEqual([202, null]);
    expect(waits.refused).toBe(1);
    await end(intents[0], 'confirmed', on);
    expect((await first).headers.get('preference-applied')).toBe('wait=25');
  });

  test('that stops answers all waiting submissions, and holds no further one', async () => {
    const on = await start();
    const intents = await Promise.all(Array.from({ length: 10 }, () => prepare(on)));
    const held = intents.map((intent) => submit(intent, on));
    await waiting(10, on);
    on.api.dependencies.draining.begin();
    for (const response of await Promise.all(held)) {
      expect([response.status, response.headers.get('connection')]).toEqual([202, 'close']);
      expect(await intentOf(response)).toMatchObject({ status: 'submitted' });
    }
    const late = await submit(await prepare(on), on);
    expect([late.status, late.headers.get('preference-applied')]).toEqual([202, null]);
  });

  test.each<[string, () => Promise<WaitableReply>]>([
    ['fails', () => Promise.reject(new Error('the database is gone'))],
    ['does not end', () => Promise.withResolvers<never>().promise],
  ])('whose read after the commit %s answers with what was stored', async (_name, read) => {
    const on = await start({
      adjust: ({ pipeline }) => {
        pipeline.waitDeadlines = new Deadlines(500);
      },
      adjustRoutes: (routes) =>
        routes.map((route) =>
          route.kind === 'mutation' && route.wait !== undefined
            ? { ...route, wait: () => ({ recordId: 'a record', read }) }
            : route,
        ),
    });
    const response = await submit(await prepare(on), on, { idempotencyKey: 'failed-read-1' });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([202, null]);
    expect(await intentOf(response)).toMatchObject({ status: 'submitted', version: 2 });
  });
});
