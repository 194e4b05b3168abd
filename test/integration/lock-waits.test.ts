import { beforeAll, describe, expect, test } from 'bun:test';
import { accountLocks } from '../support/locks/account-locks.ts';
import { callsIn, listLockCalls } from '../support/locks/lock-calls.ts';
import { createLockGround, type LockGround } from '../support/locks/lock-ground.ts';
import { whereItWaits } from '../support/locks/lock-wait.ts';
import { orderLocks } from '../support/locks/order-locks.ts';
import { tokenLocks } from '../support/locks/token-locks.ts';

const waits = [...tokenLocks, ...orderLocks, ...accountLocks];

/** Calls that need not be seen waiting, each with its reason. */
const withoutWait: Readonly<Record<string, string>> = {
  'src/features/operations/end-operation.ts endOperation lockOperation':
    'its caller has locked the operation; it reads the columns again',
  'src/features/operations/run-manually.ts requireOperation lockOperation':
    'lockManual has locked the operation; it reads the columns again',
  'src/outbox/publish.ts publishBatch lockUnpublished': 'rows that another worker holds are skipped',
  'src/db/migrate.ts apply lockTables':
    'test/integration/migrations.test.ts sees it wait: "each migration locks at its beginning all that it locks"',
};

describe('every function that locks waits for its lock', () => {
  let ground: LockGround;
  beforeAll(async () => {
    ground = await createLockGround();
  });

  test.each(waits)('$call', async (wait) => {
    expect(await whereItWaits(ground, wait)).toMatch(wait.statement);
  });
});

test('every call of a function that locks is seen waiting here, or says why not', () => {
  const listed = [...new Set([...waits.map(({ call }) => call), ...Object.keys(withoutWait)])].sort();
  expect(listed).toEqual([...new Set(listLockCalls())].sort());
});

test('a new call of a function that locks is found, and its declaration and comments are not', () => {
  const source = `
/** lockToken(mint) */
export async function settle(transaction) {
  await lockToken(transaction);
}
async function lockToken(transaction) {}
const key = lockKey(sql);`;
  expect(callsIn('file.ts', source)).toEqual(['file.ts settle lockToken']);
});
