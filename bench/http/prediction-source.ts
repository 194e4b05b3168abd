import type { Database } from '../../src/db/client.ts';
import { upsertWallet } from '../../src/features/predictions/submissions/upsert-wallet.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestKey, type TestKey } from '../../test/support/api/api-keys.ts';
import { randomAddress, storeToken } from './stored-token.ts';
import type { WriteRequest } from './write-case.ts';

/** Wallets: each predicts once per round, so a round serves this many requests; few enough that their keys stay cached. */
const WALLETS = 50;
const HOUR_MS = 3_600_000;
export const PREDICTIONS_PATH = '/api/v2/predictions';

/** Predictions that are ready to be submitted once. */
export interface PredictionSource {
  /** Opens the rounds for that many predictions. Returns their requests. */
  prepare(count: number): Promise<WriteRequest[]>;
  /** Accounts by `Authorization` header. */
  accounts: Record<string, string>;
}

/** Verified wallets with keys, and one token whose open rounds require a balance that the stub node reports. */
export async function createPredictionSource(database: Database): Promise<PredictionSource> {
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
