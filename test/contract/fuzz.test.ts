import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { committedDocument } from '../../scripts/committed-document.ts';
import { contractDefinitions } from '../../src/api/routes.ts';
import type { Account } from '../support/accounts/account.ts';
import { accountRows, telltalesIn } from '../support/accounts/account-rows.ts';
import { addressOf } from '../support/accounts/owner.ts';
import { draftOf } from '../support/accounts/requests.ts';
import { startTwoAccounts, type TwoAccounts } from '../support/accounts/two-accounts.ts';
import { SchemaJudge } from '../support/documentation/schema-judge.ts';
import { type DescribedOperation, describedOperations } from '../support/fuzz/described-operation.ts';
import { type DrawnRequest, requestsOf } from '../support/fuzz/drawn-request.ts';
import { fuzzBudget } from '../support/fuzz/fuzz-budget.ts';

const document = JSON.parse(committedDocument());
const judge = new SchemaJudge(document);
const operations = describedOperations(document);
const budget = fuzzBudget(operations.length);

let stage: TwoAccounts;
/** What only the one of the accounts has: its ids, marks and wallets. */
let ofOwn: Set<string>;
let ofOther: Set<string>;
/** What everybody may see of an account where it takes part: in rankings, say. */
let shown: Set<string>;

beforeAll(async () => {
  stage = await startTwoAccounts({ isRandom: true });
  await stage.addOther();
  const telltales = async ({ accountId }: Account) =>
    telltalesIn(JSON.stringify(await accountRows(stage.db, accountId)));
  // Tokens are public, also those that came into the world with an account's records.
  const tokens = await stage.db<{ text: string }[]>`select to_jsonb(t)::text as text from visible_tokens t`;
  const ground = telltalesIn(JSON.stringify([stage.ground, ...tokens.map(({ text }) => text)]));
  const [own, other] = [await telltales(stage.own), await telltales(stage.other)];
  ofOwn = own.difference(other).difference(ground);
  ofOther = other.difference(own).difference(ground);
  shown = new Set(
    [stage.own, stage.other].flatMap(({ wallet, otherWallet, mark }) => [
      addressOf(wallet),
      addressOf(otherWallet),
      mark,
    ]),
  );
});

type Caller = 'own' | 'other' | 'nobody';

/** Sends a request; throws where the response is none of the document, or shows what another account has. */
async function judgeRequest(
  operation: DescribedOperation,
  caller: Caller,
  { path, init }: DrawnRequest,
): Promise<void> {
  const credential = caller === 'nobody' ? {} : stage[caller].key.header;
  const headers = { ...init.headers, ...credential };
  const response = await fetch(`${stage.api.baseUrl}${path}`, { ...init, headers, redirect: 'manual' });
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (isStream) return void (await response.body?.cancel());
  const text = await response.text();
  expect(operation.faultOf(judge, response, text)).toBeUndefined();
  // Without nodes some operations are unavailable; no request makes another fault.
  expect(response.status === 503 || response.status < 500, text).toBe(true);
  const foreign = caller === 'own' ? ofOther : caller === 'other' ? ofOwn : ofOwn.union(ofOther);
  const asked = telltalesIn(decodeURIComponent(path) + init.body);
  const open = operation.isAnonymous ? asked.union(shown) : asked;
  expect([...telltalesIn(text).intersection(foreign).difference(open)]).toEqual([]);
}

describe('any request, by any account or none, is answered as the document says and with nothing of another', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (id, operation) => {
      const definition = contractDefinitions.find((one) => one.id === id) ?? expect.unreachable();
      const drafts = [stage.own, stage.other].map((account) => draftOf(definition, account, stage.ground));
      const callers = fc.constantFrom<Caller>('own', 'own', 'other', 'nobody');
      await fc.assert(
        fc.asyncProperty(callers, requestsOf(operation, drafts), (caller, request) =>
          judgeRequest(operation, caller, request),
        ),
        budget,
      );
      await stage.forgetEndpoints();
    },
  );
});
