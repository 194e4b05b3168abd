import type { Database } from '../../src/db/client.ts';
import { upsertWallet } from '../../src/features/predictions/submissions/upsert-wallet.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestKey, type TestKey } from '../../test/support/api/api-keys.ts';
import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { randomAddress, storeToken } from './stored-token.ts';
import { measureWrite, type WriteRequest } from './write-case.ts';

/** `createPrediction`; the step of its bare server is to read the balance from the stub node. */
export const createPrediction: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const { database } = environment;
    const { accounts, prepare } = await createPredictionSource(database);
    return await measureWrite(
      environment,
      {
        name: 'createPrediction, balance from a stub node',
        route: PREDICTIONS_PATH,
        status: 201,
        ratePerSecond: 100,
        step: { name: 'balance', meaning: 'balance' },
        restMeaning: 'HTTP, balance and statement',
        bareServer: 'bare-prediction.ts',
        bareVariables: { BENCH_ACCOUNTS: JSON.stringify(accounts) },
        prepare,
        async countStored() {
          const [{ count } = { count: Number.NaN }] = await database<{ count: number }[]>`
            select count(*)::int as count from predictions`;
          return count;
        },
        async storedEvent(response) {
          const { id } = JSON.parse(response) as { id: string };
          const [event] = await database<{ body: string }[]>`
            select e.body from predictions p join events e on e.subject = p.id::text where p.id = ${id}`;
          if (event === undefined) throw new Error('the api stored no prediction or no event');
          return event.body;
        },
      },
      options,
    );
  } finally {
    await environment.close();
  }
};

/**
 * Wallets: each predicts once per round, so a round serves this many requests; few enough that their keys stay cached.
 */
const WALLETS = 50;
const HOUR_MS = 3_600_000;
const PREDICTIONS_PATH = '/api/v2/predictions';

/** Predictions that are ready to be submitted once. */
interface PredictionSource {
  /** Opens the rounds for `count` predictions. Returns their requests. */
  prepare(count: number): Promise<WriteRequest[]>;
  /** Accounts by `Authorization` header. */
  accounts: Record<string, string>;
}

/** Verified wallets with keys, and one token whose open rounds require a balance that the stub node reports. */
async function createPredictionSource(database: Database): Promise<PredictionSource> {
  const mintAddress = await storeToken(database);
  const keys: TestKey[] = [];
  for (let at = 0; at < WALLETS; at += 1) {
    const walletAddress = randomAddress();
    const wallet = { address: walletAddress, username: `bench${at}`, verified: true };
    await database.begin((transaction) => upsertWallet(transaction, systemClock, wallet));
    keys.push(await createTestKey(database, { walletAddress }));
  }
  const requestOf = (roundId: string, key: TestKey, number: number) => ({
    path: PREDICTIONS_PATH,
    headers: {
      ...key.header,
      'content-type': 'application/json',
      'idempotency-key': `${roundId}-${number}`,
    },
    body: JSON.stringify({
      roundId,
      walletAddress: key.walletAddress,
      predictedPriceInSol: `0.${number}1`,
    }),
  });
  return {
    accounts: Object.fromEntries(keys.map(({ header, accountId }) => [header.authorization, accountId])),
    async prepare(count) {
      const rounds = await openRounds(database, mintAddress, Math.ceil(count / WALLETS));
      return rounds
        .flatMap((roundId) => keys.map((key, number) => requestOf(roundId, key, number)))
        .slice(0, count);
    },
  };
}

async function openRounds(database: Database, mintAddress: string, count: number): Promise<string[]> {
  const now = Date.now();
  const rows = Array.from({ length: count }, () => ({
    id: Bun.randomUUIDv7(),
    mintAddress,
    status: 'open',
    minimumBalanceRaw: '1',
    prizePoolLamports: '0',
    requiresDelegatedIntent: false,
    opensAt: new Date(now - HOUR_MS),
    locksAt: new Date(now + HOUR_MS),
    settlesAt: new Date(now + 2 * HOUR_MS),
    createdAt: new Date(now),
    updatedAt: new Date(now),
  }));
  await database`insert into prediction_rounds ${database(rows)}`;
  return rows.map(({ id }) => id);
}
