import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { accountLocks } from '../support/locks/account-locks.ts';
import { callsIn, listLockCalls, listLockStatements, statementsIn } from '../support/locks/lock-calls.ts';
import { createLockGround, type LockGround } from '../support/locks/lock-ground.ts';
import { whereItWaits } from '../support/locks/lock-wait.ts';
import { orderLocks } from '../support/locks/order-locks.ts';
import { statementLocks } from '../support/locks/statement-locks.ts';
import { tokenLocks } from '../support/locks/token-locks.ts';

const waits = [...tokenLocks, ...orderLocks, ...accountLocks];
const named = (title: string, file: string) => ({ title, file });

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

/** Tests of a race that see the function wait. */
const seenElsewhere: Readonly<Record<string, { title: string; file: string }>> = {
  'src/features/predictions/rounds/advance-round.ts holdRound': named(
    'waits for submissions that are under way and counts them; later ones find the round closed',
    'test/integration/prediction-rounds.test.ts',
  ),
  'src/features/predictions/submissions/accept-on-fast-path.ts commit': named(
    'when a concurrent lock closes the round: the one statement waits for it, and changes nothing',
    'test/contract/predictions-submission.test.ts',
  ),
  'src/features/streams/following/follow-deliveries.ts follow': named(
    'holds every delivery that is committed after following began, also one that was written before',
    'test/integration/stream-log.test.ts',
  ),
  'src/features/webhooks/deliveries/recover-deliveries.ts recoverRetrying': named(
    'that the relay claims at that moment are left to it, and counted',
    'test/integration/retrying-recovery.test.ts',
  ),
  'src/features/webhooks/deliveries/recover-deliveries.ts recoverFinished': named(
    'counts deliveries that stopped being replayable meanwhile, and leaves them alone',
    'test/integration/delivery-replay.test.ts',
  ),
  'src/features/webhooks/deliveries/replay-delivery.ts holdEndpoint': named(
    'replayed while their endpoint is being disabled wait for that change, and are refused',
    'test/contract/webhook-operations.test.ts',
  ),
  'src/intents/end/end-intents.ts storeEnds': named(
    'an intent that is submitted after the expirer has found it is left',
    'test/integration/expire.test.ts',
  ),
  'src/intents/send/record-sends.ts recordSends': named(
    'waits for a worker that is about to end the intent, and then changes nothing',
    'test/integration/first-send.test.ts',
  ),
};

/** Statements that lock and need not be seen waiting, each with its reason. */
const statementsWithoutWait: Readonly<Record<string, string>> = {
  'src/db/advisory-lock.ts requireLock':
    'what it fences off is tested with sessions that are lost: test/integration/advisory-lock.test.ts',
  'src/intents/land/store-landings.ts storeLandings':
    'the same statement changes these rows, and compares their versions: without the lock it would wait as well',
};

describe('every function that locks waits for its lock', () => {
  let ground: LockGround;
  beforeAll(async () => {
    ground = await createLockGround();
  });

  test.each([...waits, ...statementLocks])('$call', async (wait) => {
    expect(await whereItWaits(ground, wait)).toMatch(wait.statement);
  });
});

test('every call of a function that locks is seen waiting here, or says why not', () => {
  const listed = [...new Set([...waits.map(({ call }) => call), ...Object.keys(withoutWait)])].sort();
  expect(listed).toEqual([...new Set(listLockCalls())].sort());
});

test('every other statement that locks is seen waiting, here or in a test of its race, or says why not', () => {
  const listed = [
    ...statementLocks.map(({ call }) => call),
    ...Object.keys(seenElsewhere),
    ...Object.keys(statementsWithoutWait),
  ];
  expect(listed.sort()).toEqual([...new Set(listLockStatements())].sort());
  for (const { title, file } of Object.values(seenElsewhere)) {
    const source = readFileSync(file, 'utf8');
    expect(source).toContain(`'${title}'`);
    expect(source).toMatch(/untilBlocked/);
  }
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

test('a new statement that locks is found, and one that skips what others hold is not', () => {
  const source = `
async function hold(transaction) {
  await transaction\`select from tokens where mint = 'm' for no key update\`;
}
class Follower {
  async #follow(transaction) {
    await transaction\`select pg_advisory_xact_lock(1)\`;
  }
}
async function claim(transaction) {
  await transaction\`select from tokens limit 1 for update skip locked\`;
  await transaction\`select from tokens t limit 1 for update of t skip locked\`;
}`;
  expect(statementsIn('file.ts', source)).toEqual(['file.ts hold', 'file.ts follow']);
});
