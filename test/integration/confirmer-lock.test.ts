import { expect, test } from 'bun:test';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { advisoryLocks, withAdvisoryLock } from '../../src/db/advisory-lock.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { intentConfirmer } from '../../src/intents/worker.ts';
import { loopFailures } from '../../src/shared/loop-failures.ts';
import { forwardRpc } from '../support/chain/forward-rpc.ts';
import { startSubmittedIntents } from '../support/intents/submitted-intent.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { startDueWork } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const { chain, db, submit, intent, context, broadcast } = await startSubmittedIntents();

/** Before the node: holds the first answer about a transaction until `lostMeanwhile` has happened. */
function nodeThatHolds(lostMeanwhile: () => Promise<void>): string {
  let first: Promise<void> | undefined;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text();
      if (body.includes('getSignatureStatuses')) {
        first ??= lostMeanwhile();
        await first;
      }
      return forwardRpc(chain.rpcUrl, request, body);
    },
  });
  atEnd(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

test('a confirmer that lost its lock while a node answered, and the next holder, end an intent once', async () => {
  const { id } = await submit();
  await broadcast(chain.rpcUrl);
  chain.advanceSlots(1);
  const submitted = context(chain.rpcUrl);
  let thief: Promise<unknown> = Promise.resolve();
  const url = nodeThatHolds(async () => {
    await db`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
        and objid = ${advisoryLocks.intentConfirmer} and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())`;
    thief = eventually('the lock', () =>
      withAdvisoryLock(db, advisoryLocks.intentConfirmer, async () => {
        expect(await confirmSubmitted(submitted)).toBe(0);
      }),
    );
    await thief;
  });
  const stop = new AbortController();
  const running = runTestJob(intentConfirmer({ ...submitted, rpcs: [createChainRpc(url)] }), {
    dueWork: startDueWork(db, stop.signal),
    signal: stop.signal,
  });
  await eventually('the failed round', async () => (loopFailures.get('intent-confirmer') ?? 0) > 0);
  expect(await intent(id)).toMatchObject({ status: 'confirmed', version: 3 });
  expect(
    await db`select from events where subject = ${id} and type like '%transaction\\_intent.confirmed%'`,
  ).toHaveLength(1);
  stop.abort();
  await Promise.all([running, thief]);
});
