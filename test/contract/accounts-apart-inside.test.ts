import { beforeAll, describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { deliveryRecovery, deliveryReplay } from '../../src/features/operations/kinds/delivery-recovery.ts';
import type { AnyOperationKind } from '../../src/features/operations/runner/kind.ts';
import { readSubmissionFacts } from '../../src/features/predictions/submissions/read-submission-facts.ts';
import {
  findEndpointCondition,
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
} from '../../src/features/webhooks/deliveries/recover-deliveries.ts';
import { createIdempotency } from '../../src/http/mutations/idempotency.ts';
import { findIntent } from '../../src/intents/find-intent.ts';
import { storeSubmissions, type VerifiedSubmission } from '../../src/intents/submit/store-submissions.ts';
import { internalDefinitions } from '../../src/internal/routes.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { type Account, createAccount } from '../support/accounts/account.ts';
import { accountRows, telltalesIn } from '../support/accounts/account-rows.ts';
import { insertIntent } from '../support/accounts/intents.ts';
import { addressOf } from '../support/accounts/owner.ts';
import { createPublicGround, type PublicGround } from '../support/accounts/public-ground.ts';
import { storedKey } from '../support/accounts/stored-responses.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { preparing } from '../support/intents/intents.ts';
import {
  createTestServiceKey,
  startTestInternalApi,
  type TestInternalApi,
  type TestServiceKey,
} from '../support/internal/internal-api.ts';
import {
  createTestRunner,
  operationState,
  resultText,
  type TestRunner,
} from '../support/operations/operation-runner.ts';

const DAY_MS = 86_400_000;

let internal: TestInternalApi;
let db: Database;
let ground: PublicGround;
let own: Account;
let other: Account;

beforeAll(async () => {
  internal = await startTestInternalApi();
  db = internal.owner;
  ground = await createPublicGround(db);
  own = await createAccount(db, ground, false);
  other = await createAccount(db, ground, true);
});

/** Acts as B and expects that A's rows stay the same. */
async function leavesOtherAlone<Value>(work: () => Promise<Value>): Promise<Value> {
  const rows = await accountRows(db, other.accountId);
  const value = await work();
  expect(await accountRows(db, other.accountId)).toEqual(rows);
  return value;
}

describe('a submission', () => {
  async function isStored(submission: VerifiedSubmission): Promise<boolean> {
    return (await storeSubmissions(db, [submission]))[0] === true;
  }

  /** A verified submission of one account's intent in the name of another account. */
  async function submission(
    ofAccount: Account,
    asAccount: Account,
    key: string,
  ): Promise<VerifiedSubmission> {
    const { id, signed } = await insertIntent(db, ofAccount);
    const intent = await findIntent(db, id, ofAccount.accountId);
    if (intent === null) throw new Error('the intent is missing');
    const { accountId } = asAccount;
    const submittedAt = systemClock.now();
    const signedTransaction = Buffer.from(signed, 'base64');
    const submitted = {
      ...intent,
      accountId,
      status: 'submitted' as const,
      version: 2,
      signedTransaction,
      submittedAt,
    };
    const event = { name: 'transaction_intent.submitted', subject: id, accountId, data: {} } as const;
    const record = {
      key,
      fingerprint: crypto.getRandomValues(new Uint8Array(32)),
      lockId: '1',
      status: 202,
      headers: {},
      body: Buffer.from('{}'),
      retentionMs: DAY_MS,
    };
    return { submitted, nextSendAt: submittedAt, event: preparing.outbox.compose(event), record };
  }

  test('is not one of another account’s intent', async () => {
    const foreign = await submission(other, own, crypto.randomUUID());
    expect(await leavesOtherAlone(() => isStored(foreign))).toBe(false);
  });

  test('is stored under a key that another account has used, and not under one that it has used itself', async () => {
    const key = storedKey(other, 'submitTransactionIntent');
    await db`delete from idempotency_records where account_id = ${own.accountId} and key = ${key}`;
    expect(await isStored(await submission(own, own, key))).toBe(true);
    expect(await isStored(await submission(own, own, key))).toBe(false);
  });
});

test('does not wait for a change that another account is making under the same key', async () => {
  const idempotency = createIdempotency(db, null, systemClock);
  const response = { status: 200, headers: {}, body: Buffer.from('{}') };
  const attempt = ({ accountId }: Account) => ({
    accountId,
    key: 'shared-by-two-accounts',
    fingerprint: crypto.getRandomValues(new Uint8Array(32)),
    sealed: false,
  });
  const { replayed } = await idempotency.run(attempt(other), async () => {
    expect((await idempotency.run(attempt(own), async () => response)).replayed).toBe(false);
    return response;
  });
  expect(replayed).toBe(false);
});

test('a prediction intent that a wallet signed for one account is of no use to another account of the wallet', async () => {
  const factsOf = (accountId: string) =>
    readSubmissionFacts(db, ground.rounds.delegated, addressOf(other.wallet), accountId);
  expect((await factsOf(other.accountId))?.intent).not.toBeNull();
  expect((await factsOf(own.accountId))?.intent).toBeNull();
});

describe('an operation that an operator created for an account', () => {
  let runner: TestRunner;
  const deliveries = {
    findEndpoint: findEndpointCondition,
    isBacklogged,
    isRetryBacklogged,
    recoverFinished,
    recoverMissed,
    recoverRetrying,
    onDeliveriesDue: () => {},
  };
  const kinds: Record<string, AnyOperationKind> = {
    delivery_replay: deliveryReplay(deliveries),
    delivery_recovery: deliveryRecovery(deliveries),
  };
  const since = new Date(Date.now() - DAY_MS).toISOString();
  const inputs: Record<string, object> = {
    delivery_replay: { status: 'succeeded', since },
    delivery_recovery: {
      since,
      until: new Date(Date.now() + DAY_MS).toISOString(),
      statuses: ['missed', 'retrying', 'succeeded'],
    },
  };
  beforeAll(() => {
    runner = createTestRunner(db);
  });

  async function run(kind: string, endpointId = '') {
    const id = await runner.create(own.accountId, kind, { ...inputs[kind], endpointId });
    const [of] = [kinds[kind]];
    if (of === undefined) throw new Error(`no kind ${kind}`);
    for (let isDue = true; isDue; ) {
      await runner.runDue(of);
      await runner.makeDue(id);
      isDue =
        (await operationState(db, id))?.status === 'queued' ||
        (await operationState(db, id))?.status === 'running';
    }
    return { id, state: await operationState(db, id) };
  }

  test.each(Object.keys(kinds))(
    'that names an endpoint of another account fails as for an unknown endpoint: %s',
    async (kind) => {
      const { state: unknown } = await run(kind, Bun.randomUUIDv7());
      expect(unknown).toMatchObject({ status: 'failed', errorCode: 'webhook_endpoint_not_found' });
      for (const endpointId of other.ids.endpoint)
        expect((await leavesOtherAlone(() => run(kind, endpointId))).state).toEqual(unknown);
    },
  );

  test.each(Object.keys(kinds))('sends its endpoint no events of another account: %s', async (kind) => {
    await db`delete from events_to_fan_out`;
    const [endpointId = ''] = own.ids.endpoint;
    // No relay runs here that would end an attempt, for which a recovery waits.
    await db`
      update webhook_deliveries set status = 'retrying', next_attempt_at = now(), lease_expires_at = null
      where endpoint_id = ${endpointId} and status = 'processing'`;
    const { id, state } = await leavesOtherAlone(() => run(kind, endpointId));
    expect(state).toMatchObject({ status: 'succeeded' });
    const foreign = telltalesIn(JSON.stringify(await accountRows(db, other.accountId)));
    const ownRows = telltalesIn(JSON.stringify([await accountRows(db, own.accountId), ground]));
    expect(foreign.has(other.mark)).toBe(true);
    const text = `${await resultText(db, id)}`;
    expect([...telltalesIn(text)].filter((one) => foreign.has(one) && !ownRows.has(one))).toEqual([]);
    const { count } = await db`
      select from webhook_deliveries d join events e on e.id = d.event_id
      where d.endpoint_id = ${endpointId} and e.account_id <> ${own.accountId}`;
    expect(count).toBe(0);
  });
});

describe('the internal API', () => {
  let keys: [TestServiceKey, TestServiceKey];
  beforeAll(async () => {
    keys = [await createTestServiceKey(db), await createTestServiceKey(db)];
  });

  /** The body, about B wherever it names an account. */
  const about = (body: unknown): string =>
    JSON.stringify(body, (name, value) => (name === 'accountId' ? own.accountId : value));

  test.each(internalDefinitions.map((operation) => [operation.id, operation] as const))(
    '%s for one account changes and shows nothing of another, and finds no response of another key',
    async (id, operation) => {
      const { init, headers } = sampleRequest(operation);
      const path = operation.path
        .replace(':operationId', own.ids.operation[0] ?? '')
        .replace(':roundId', ground.rounds.empty)
        .replace(':id', ground.presaleId)
        .replace(':mint', ground.mint);
      const foreign = telltalesIn(JSON.stringify(await accountRows(db, other.accountId)));
      const ownRows = telltalesIn(JSON.stringify([await accountRows(db, own.accountId), ground]));
      await leavesOtherAlone(async () => {
        for (const key of keys) {
          const response = await fetch(`${internal.baseUrl}${path}`, {
            ...init,
            ...(operation.body !== undefined && { body: about(operation.exampleBody) }),
            headers: { ...headers, ...key.header, 'idempotency-key': storedKey(other, id) },
          });
          const text = await response.text();
          expect(response.headers.get('idempotent-replayed')).not.toBe('true');
          expect(text).not.toContain('idempotency_key_reused');
          expect([...telltalesIn(text)].filter((one) => foreign.has(one) && !ownRows.has(one))).toEqual([]);
        }
      });
    },
  );
});
