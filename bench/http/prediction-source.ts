import type { Database } from '../../src/db/client.ts';
import { upsertWallet } from '../../src/features/predictions/submissions/upsert-wallet.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestKey, type TestKey } from '../../test/support/api-keys.ts';
import { wireRequest } from '../cases/http-variant.ts';
import { randomAddress, storeToken } from './stored-token.ts';

/** A wallet predicts once a round, so a round serves so many requests; few enough that their keys stay cached. */
const WALLETS = 50;
const HOUR_MS = 3_600_000;
export const PREDICTIONS_PATH = '/api/v2/predictions';

/** Predictions that are ready to be submitted once. */
export interface PredictionSource {
  /** Opens the rounds for so many predictions; their requests. */
  prepare(count: number): Promise<Uint8Array[]>;
  /** One prediction as `fetch` takes it, for a round of its own. */
  prepareOne(): Promise<{ headers: Record<string, string>; body: string }>;
  /** Accounts by `Authorization` header. */
  accounts: Record<string, string>;
}

/** Verified wallets with keys, and one token whose open rounds ask for a balance that the stub node grants. */
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
      return rounds.flatMap((roundId) =>
        keys.map((key, number) => {
          const { headers, body } = requestOf(roundId, key, number);
          return wireRequest('POST', PREDICTIONS_PATH, headers, body);
        }),
      );
    },
    async prepareOne() {
      const [roundId = ''] = await openRounds(database, mintAddress, 1);
      const [key] = keys;
      if (key === undefined) throw new Error('there is no wallet');
      return requestOf(roundId, key, 0);
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
