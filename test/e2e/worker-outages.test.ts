import { expect, test } from 'bun:test';
import { startChain } from '../../sandbox/chain/server.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { advisoryLocks } from '../../src/db/advisory-lock.ts';
import type { Database } from '../../src/db/client.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/database/own-postgres.ts';
import { readReadiness } from '../support/http/readiness.ts';
import {
  fundedWallet,
  insertAccount,
  insertIntent,
  signedTransfer,
} from '../support/intents/submitted-intent.ts';
import { startRelayProcess, startWorkerProcess } from '../support/processes/service-processes.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { createWorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

interface Stage {
  db: Database;
  environment: Readonly<Record<string, string>>;
  /** A submitted intent whose transaction can land. */
  submit(): Promise<string>;
  status(id: string): Promise<string | undefined>;
}

async function startStage(server?: OwnPostgres): Promise<Stage> {
  const chain = await startChain({ slotMs: 100, blockhashWindow: 3_000 });
  atEnd(() => chain.stop());
  const { db, environment } = await createWorkerStage(
    { SOLANA_RPC_URL: chain.rpcUrl, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
    server?.url,
  );
  const wallet = await fundedWallet(chain.rpcUrl);
  const accountId = await insertAccount(db);
  return {
    db,
    environment,
    async submit() {
      const { bytes, lastValidBlockHeight } = await signedTransfer(chain.rpcUrl, wallet);
      const now = new Date();
      const expiresAt = new Date(now.getTime() + 600_000);
      return insertIntent(db, accountId, { transaction: bytes, lastValidBlockHeight, expiresAt, now });
    },
    async status(id) {
      const [row] = await db<{ status: string }[]>`select status from transaction_intents where id = ${id}`;
      return row?.status;
    },
  };
}

/** The session that holds the chain indexer's lock. A worker keeps it while it runs. */
async function indexerSession(db: Database): Promise<number | undefined> {
  const [row] = await db<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and granted
      and objid = ${advisoryLocks.chainIndexer} and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())`;
  return row?.pid;
}

test('while a worker is frozen another takes over its work; awake again it goes on without harm', async () => {
  const { db, environment, submit, status } = await startStage();
  const frozen = await startWorkerProcess(environment);
  const before = await eventually('the indexer', () => indexerSession(db));
  process.kill(frozen.pid, 'SIGSTOP');
  const other = await startWorkerProcess(environment);
  await eventually('another indexer', async () => {
    const now = await indexerSession(db);
    return now !== undefined && now !== before;
  });
  const meanwhile = await submit();
  await eventually('the confirmation', async () => (await status(meanwhile)) === 'confirmed');
  process.kill(frozen.pid, 'SIGCONT');
  const together = await submit();
  await eventually('the next confirmation', async () => (await status(together)) === 'confirmed');
  await other.stop();
  const alone = await submit();
  await eventually('its own confirmation', async () => (await status(alone)) === 'confirmed');
  // The first may be final by now.
  const confirmations = (await eventsOf(db)).filter((event) =>
    event.startsWith('transaction_intent.confirmed'),
  );
  expect(confirmations).toEqual(
    [meanwhile, together, alone].map((id) => `transaction_intent.confirmed ${id}`),
  );
  expect(await frozen.stop()).toEqual({ code: 0, signal: null });
});

test('worker and relay report why Postgres is away, and go on when it is back', async () => {
  const server = await startOwnPostgres();
  const { environment, submit, status } = await startStage(server);
  const [workerPort, relayPort] = [await freePort(), await freePort()];
  const worker = await startWorkerProcess({ ...environment, METRICS_PORT: String(workerPort) });
  const relay = await startRelayProcess({ ...environment, METRICS_PORT: String(relayPort) });
  const reasons = () =>
    Promise.all(
      [workerPort, relayPort].map(async (port) => {
        const { dependencies } = await readReadiness(`http://127.0.0.1:${port}`);
        return dependencies.find(({ name }) => name === 'postgres')?.detail;
      }),
    );
  expect(await reasons()).toEqual([undefined, undefined]);
  await server.stop();
  const refused = 'it refuses connections';
  await eventually('the reason', async () => (await reasons()).every((reason) => reason === refused));
  await server.start();
  await eventually('readiness', async () => (await reasons()).every((reason) => reason === undefined));
  const id = await submit();
  await eventually('the confirmation', async () => (await status(id)) === 'confirmed');
  expect((await Promise.all([worker.stop(), relay.stop()])).map(({ code }) => code)).toEqual([0, 0]);
});
