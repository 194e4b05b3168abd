import type { Database } from '../../../src/db/client.ts';
import type { predictionRounds } from '../../../src/db/schema/predictions.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { preparing } from '../intents/intents.ts';
import { newAddress, tokenMessage } from '../market/ingest-stream.ts';
import { createTestPresale } from '../market/presales.ts';
import { insertRows } from '../rows/insert-rows.ts';

const HOUR_MS = 3_600_000;

/** A token with pools in which wallets take part. */
export interface StakedToken {
  mint: string;
  presaleId: string;
}

/** Public records, which all accounts read. */
export interface PublicGround extends StakedToken {
  /** Only full accounts take part in this token. */
  elsewhere: StakedToken;
  rounds: Record<'open' | 'empty' | 'delegated' | 'settled' | 'voided', string>;
}

/** Creates a token with a staking pool, fees, a presale and rounds, and another one without rounds. Nobody
 * takes part yet. */
export async function createPublicGround(db: Database): Promise<PublicGround> {
  const { mint, presaleId } = await createStakedToken(db);
  const rounds = await insertRounds(db, mint);
  return { mint, presaleId, rounds, elsewhere: await createStakedToken(db) };
}

async function createStakedToken(db: Database): Promise<StakedToken> {
  const mint = newAddress();
  const token = tokenMessage(mint, { launchType: 'dbc', status: 'bonding', predictionsEnabled: true });
  await db.begin((transaction) =>
    upsertToken(transaction, preparing.outbox, systemClock, token as Parameters<typeof upsertToken>[3]),
  );
  const observed = { slot: 1n, asOf: new Date() };
  await insertRows(db, 'staking_pools', [
    {
      mintAddress: mint,
      poolAddress: newAddress(),
      status: 'active',
      // More than all the stakes of accounts.
      totalStakedRaw: '1000000000',
      stakerCount: 2,
      rewardRatePerSecondRaw: '1',
      rewardsDistributedRaw: '1',
      lockPeriodSeconds: 1,
      ...observed,
    },
  ]);
  await insertRows(db, 'fee_states', [
    { mintAddress: mint, creatorBps: 1, platformBps: 1, stakersBps: 1, accruedLamports: '9', ...observed },
  ]);
  const { id: presaleId } = await createTestPresale(db, systemClock);
  return { mint, presaleId };
}

async function insertRounds(db: Database, mint: string): Promise<PublicGround['rounds']> {
  return {
    open: await insertRound(db, mint, { status: 'open' }),
    empty: await insertRound(db, mint, { status: 'open' }),
    delegated: await insertRound(db, mint, { status: 'open', requiresDelegatedIntent: true }),
    settled: await insertRound(db, mint, {
      status: 'settled',
      lockedAt: new Date(),
      lockedParticipantCount: 2,
      settledAt: new Date(),
      settlementPriceInSol: '1',
    }),
    voided: await insertRound(db, mint, { status: 'voided', voidReason: 'cancelled' }),
  };
}

type RoundRow = typeof predictionRounds.$inferInsert;

async function insertRound(db: Database, mintAddress: string, changes: Partial<RoundRow>): Promise<string> {
  const id = Bun.randomUUIDv7();
  const now = Date.now();
  const row = {
    id,
    mintAddress,
    minimumBalanceRaw: '1',
    prizePoolLamports: '10',
    requiresDelegatedIntent: false,
    opensAt: new Date(now - HOUR_MS),
    locksAt: new Date(now + HOUR_MS),
    settlesAt: new Date(now + 2 * HOUR_MS),
    createdAt: new Date(now),
    updatedAt: new Date(now),
    ...changes,
  };
  await insertRows(db, 'prediction_rounds', [row]);
  return id;
}
