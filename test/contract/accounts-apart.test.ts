import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { contractDefinitions } from '../../src/api/routes.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { generateApiKey } from '../../src/shared/api-key.ts';
import { type Resource, resources } from '../support/accounts/account.ts';
import {
  accountRows,
  ownedTables,
  tableOwners,
  tablesOf,
  telltalesIn,
} from '../support/accounts/account-rows.ts';
import { type Field, namedFields } from '../support/accounts/named-fields.ts';
import { insertRecovery } from '../support/accounts/operations.ts';
import { addressOf } from '../support/accounts/owner.ts';
import { type Draft, draftOf, place, signedBy } from '../support/accounts/requests.ts';
import { storedKey } from '../support/accounts/stored-responses.ts';
import {
  readsOf,
  resourceOf,
  startTwoAccounts,
  type TwoAccounts,
  type Way,
} from '../support/accounts/two-accounts.ts';
import type { TestKey } from '../support/api/api-keys.ts';
import { newAddress } from '../support/market/ingest-stream.ts';

let stage: TwoAccounts;
/** The responses to B before A existed. */
let before: Answer[];
/** Values that only A has: its ids, its wallets where no other account has a key for them, its marks. */
let ofOther: Set<string>;
let ofOtherAccount: Set<string>;

const requests = contractDefinitions.filter(({ isStream }) => isStream !== true);
const changes = requests.filter(({ method }) => method !== 'GET');

beforeAll(async () => {
  stage = await startTwoAccounts();
  before = await answersTo(readsOf(stage));
  await stage.addOther();
  const { db, other, own, neighbour } = stage;
  const known = telltalesIn(
    JSON.stringify([
      await accountRows(db, own.accountId),
      await accountRows(db, neighbour.accountId),
      stage.ground,
    ]),
  );
  const unknownTo = (rows: unknown) =>
    new Set([...telltalesIn(JSON.stringify(rows))].filter((one) => !known.has(one)));
  ofOther = unknownTo(await accountRows(db, other.accountId));
  ofOtherAccount = unknownTo(await accountRows(db, other.accountId, 'account'));
});

beforeEach(() => stage.forgetEndpoints());

async function answersTo(drafts: readonly Draft[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const draft of drafts) answers.push(await readAnswer(await stage.send(draft, stage.own.key)));
  return answers;
}

/** Sends a request, and throws when the response shows anything of A. */
async function answerTo(draft: Draft, key: TestKey, placed?: string): Promise<Answer> {
  const response = await stage.send(draft, key);
  const text = `${JSON.stringify([...response.headers])}${await response.clone().text()}`;
  const secrets = key === stage.neighbour ? ofOtherAccount : ofOther;
  const shown = [...telltalesIn(text)].filter((one) => one !== placed && secrets.has(one));
  if (shown.length > 0)
    throw new Error(`${draft.operation.id} shows ${shown.join(', ')} of the other account`);
  return readAnswer(response, placed);
}

/** No event has the id of one as its subject. */
const withoutEvents: readonly Resource[] = ['key', 'launch', 'slot'];

/** Everything of A that a field can name, each with an equivalent that does not exist. */
async function foreignValues(draft: Draft, field: Field): Promise<{ value: string; unknown: string }[]> {
  const { other, own } = stage;
  const unknownId = { unknown: Bun.randomUUIDv7() };
  switch (field.named) {
    case 'wallet':
      return [other.wallet, other.otherWallet].map((wallet) => ({
        value: addressOf(wallet),
        unknown: newAddress(),
      }));
    case 'signed': {
      const intent = own.intents.get(draft.path.intentId ?? '');
      if (intent === undefined) throw new Error('no intent to sign');
      const unknown = signedBy(intent, Keypair.generate());
      return [other.wallet, other.otherWallet].map((wallet) => ({
        value: signedBy(intent, wallet),
        unknown,
      }));
    }
    case 'subject':
      return resources.flatMap((resource) =>
        (withoutEvents.includes(resource) ? [] : other.ids[resource])
          .slice(0, 2)
          .map((value) => ({ value, ...unknownId })),
      );
    case 'cursor': {
      const value = await otherCursor(draft);
      return [{ value, unknown: Buffer.alloc(value.length, 'A').toString() }];
    }
    default: {
      const ids = other.ids[field.named];
      if (ids.length === 0)
        throw new Error(
          `${draft.operation.id} takes the id of a ${field.named}: add some in test/support/accounts/account.ts`,
        );
      if (field.named === 'key')
        return ids.map((value) => ({ value, unknown: generateApiKey('test').keyId }));
      return ids.map((value) => ({ value, ...unknownId }));
    }
  }
}

/** The cursor after the first record of A's list. */
async function otherCursor({ operation }: Draft): Promise<string> {
  const draft = draftOf(operation, stage.other, stage.ground);
  const response = await stage.send({ ...draft, query: { limit: '1' } }, stage.other.key);
  const { page } = (await response.json()) as { page: { nextCursor: string | null } };
  if (page.nextCursor === null)
    throw new Error(
      `${operation.id} has one page for A: give it two records in test/support/accounts/account.ts`,
    );
  return page.nextCursor;
}

/** A request that names a record of A; for an intent, with the submitted bytes of A. */
function foreignDraft(draft: Draft, field: Field, value: string): Draft {
  const placed = place(draft, field, value);
  const signed = stage.other.intents.get(value)?.signed;
  return signed === undefined || placed.body?.signedTransaction === undefined
    ? placed
    : { ...placed, body: { ...placed.body, signedTransaction: signed } };
}

/** A request of B; a change is about an endpoint that no change before it has touched. */
async function ownDraft(operation: RouteDefinition): Promise<Draft> {
  const isChange = operation.method !== 'GET' && resourceOf(operation.path) === 'endpoint';
  const endpoint = isChange ? await stage.freshId('endpoint') : null;
  return draftOf(operation, stage.own, stage.ground, endpoint === null ? {} : { endpoint });
}

async function compareWithUnknown(operation: RouteDefinition, field: Field): Promise<void> {
  // C has no records of its own to name beside those of A.
  const keys = field.place === 'path' ? [stage.own.key, stage.neighbour] : [stage.own.key];
  for (const way of waysOf(operation.id))
    for (const key of keys) {
      stage.way = way;
      const values = await foreignValues(await ownDraft(operation), field);
      let expected: Answer | undefined;
      for (const { value, unknown } of values) {
        const foreign = foreignDraft(await ownDraft(operation), field, value);
        const missing = place({ ...foreign, idempotencyKey: crypto.randomUUID() }, field, unknown);
        expected ??= await answerTo(missing, key, unknown);
        const answer = await answerTo(
          await foreignDraft(await ownDraft(operation), field, value),
          key,
          value,
        );
        expect({ field, way, value, answer }).toEqual({ field, way, value, answer: expected });
      }
    }
}

function waysOf(operationId: string): Way[] {
  return stage.fastOperations.has(operationId) ? ['fast', 'slow'] : ['slow'];
}

describe('the fixture', () => {
  test('accounts for every table of the schema', async () => {
    expect(Object.keys(tableOwners).toSorted()).toEqual((await tablesOf(stage.db)).toSorted());
  });

  test('gives both accounts a row in every table that has rows of accounts', async () => {
    for (const { accountId } of [stage.own, stage.other]) {
      const rows = await accountRows(stage.db, accountId);
      expect(ownedTables.map(([name]) => name).filter((name) => rows[name] === undefined)).toEqual([]);
    }
  });
});

describe('the data of another account', () => {
  test('changes no read and appears in none', async () => {
    const drafts = readsOf(stage);
    const after: Answer[] = [];
    for (const draft of drafts) after.push(await answerTo(draft, stage.own.key));
    for (const [at, draft] of drafts.entries())
      expect({ id: draft.operation.id, ...after[at] }).toEqual({ id: draft.operation.id, ...before[at] });
    const failed = drafts.filter((_, at) => (after[at]?.status ?? 500) >= 500);
    expect(failed.map(({ operation }) => operation.id)).toEqual(['getPredictionEligibility']);
  });

  test.each(requests.map((operation) => [operation.id, operation] as const))(
    '%s treats its ids as unknown ones, and does not change it',
    async (_id, operation) => {
      const rows = await accountRows(stage.db, stage.other.accountId);
      for (const field of namedFields(operation)) await compareWithUnknown(operation, field);
      expect(await accountRows(stage.db, stage.other.accountId)).toEqual(rows);
    },
  );

  test.each(changes.map((operation) => [operation.id, operation] as const))(
    '%s never replays its response under an idempotency key that both use',
    async (id, operation) => {
      for (const way of waysOf(id)) {
        stage.way = way;
        // The record does not exist, so the same request can be sent twice.
        const draft = draftOf(operation, stage.own, stage.ground);
        const field = namedFields(operation).find(({ place: where }) => where === 'path');
        const asked = field === undefined ? draft : place(draft, field, Bun.randomUUIDv7());
        const expected = await answerTo(asked, stage.own.key);
        const shared = { ...asked, idempotencyKey: storedKey(stage.other, id) };
        expect(await answerTo(shared, stage.own.key)).toEqual(expected);
      }
    },
  );

  test.each(
    requests
      .filter(({ auth }) => auth !== 'anonymous')
      .map((operation) => [operation.id, operation] as const),
  )(
    '%s serves its own account, whichever limits the other has reached and keys it has used',
    async (id, operation) => {
      const resource = resourceOf(operation.path);
      for (const way of waysOf(id)) {
        stage.way = way;
        stage.fastCount = 0;
        const answers: string[] = [];
        for (const ownId of await ownIds(resource)) {
          const ids = resource === null ? {} : { [resource]: ownId };
          const draft = draftOf(operation, stage.own, stage.ground, ids);
          const sent = { ...draft, idempotencyKey: storedKey(stage.other, id) };
          if (id === 'recoverWebhookDeliveries') await insertRecovery(stage.db, stage.other, ownId);
          const { status, body } = await answerTo(sent, stage.own.key);
          answers.push(`${status} ${body}`);
          if (status === operation.successStatus) break;
        }
        expect(answers.at(-1)).toStartWith(String(servedWith(operation)));
        if (way !== 'slow') expect(stage.fastCount).toBe(fastServed.has(id) ? 1 : 0);
        // The key is free for the next request.
        await stage.db`
          delete from idempotency_records where account_id = ${stage.own.accountId} and key = ${storedKey(stage.other, id)}`;
      }
    },
  );
});

test('the link to a file of one account opens no file of another', async () => {
  const links: URL[] = [];
  for (const id of stage.own.ids.operation) {
    const response = await fetch(`${stage.api.baseUrl}/operations/${id}`, { headers: stage.own.key.header });
    const { resultUrl } = (await response.json()) as { resultUrl: string | null };
    if (resultUrl?.includes('/operation-results/') === true) links.push(new URL(resultUrl));
  }
  const [link] = links;
  if (link === undefined) throw new Error('no operation of B has a file');
  const follow = async (operationId: string) => {
    const response = await fetch(`${stage.api.origin}/operation-results/${operationId}${link.search}`);
    return readAnswer(response, operationId);
  };
  const own = await follow(link.pathname.split('/').at(-1) ?? '');
  expect(own).toMatchObject({ status: 200, body: `file ${stage.own.mark}` });
  const unknown = await follow(Bun.randomUUIDv7());
  expect(unknown.status).toBe(404);
  for (const id of stage.other.ids.operation) expect(await follow(id)).toEqual(unknown);
});

/** Operations that need a node or a pool, with their response without one. Tests of trading, launches and predictions cover their limits. */
const unserved: Readonly<Record<string, number>> = {
  getPredictionEligibility: 503,
  createPrediction: 503,
  createSwap: 409,
  getSwapInstructions: 409,
  createLaunch: 503,
  createCreatorTransfer: 409,
  createFeeClaims: 503,
  createOrderSlot: 503,
  closeOrderSlot: 409,
  createOrder: 409,
  signOrder: 409,
};
const fastServed = new Set(['submitTransactionIntent']);

const servedWith = ({ id, successStatus }: RouteDefinition) => unserved[id] ?? successStatus;

async function ownIds(resource: Resource | null): Promise<string[]> {
  if (resource === null) return ['-'];
  const fresh = await stage.freshId(resource);
  return [...(fresh === null ? [] : [fresh]), ...stage.own.ids[resource]];
}

/** The response of an operation, without the parts that differ from request to request. */
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Headers that differ in every response. */
const OF_THE_REQUEST = new Set([
  'content-length',
  'date',
  'ratelimit',
  'traceparent',
  'x-duration-ms',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]);

/** @param placed the value that the request named, which the response may repeat */
async function readAnswer(response: Response, placed?: string): Promise<Answer> {
  const plain = (text: string) =>
    text
      .replaceAll(placed ?? '\0', '<placed>')
      .replace(UUID, '<id>')
      .replace(/req_[0-9a-f]{32}/g, '<request>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/whsec_[A-Za-z0-9+/=]+/g, '<secret>')
      .replace(/"signingKeyIds":\["[\w-]+"\]/g, '"signingKeyIds":<keys>')
      .replace(/expires=\d+&signature=[\w-]+/g, '<link>')
      .replace(/"nextCursor":"[\w-]+"/g, '"nextCursor":"<cursor>"');
  const headers = [...response.headers].filter(([name]) => !OF_THE_REQUEST.has(name));
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, plain(value)])),
    body: plain(await response.clone().text()),
  };
}
