import type { Database } from '../../../src/db/client.ts';
import { insertRows } from '../rows/insert-rows.ts';
import { addressOf, type Owner } from './owner.ts';
import type { PublicGround } from './public-ground.ts';

const HOUR_MS = 3_600_000;

/** Inserts predictions in every state, and a used and an unused delegated intent that the wallet has
 * signed. */
export async function insertPredictions(
  db: Database,
  { accountId, wallet, mark }: Owner,
  { rounds }: PublicGround,
): Promise<string[]> {
  const shared = {
    accountId,
    walletAddress: addressOf(wallet),
    username: mark,
    predictedPriceInSol: '1',
    evaluationSlot: 1n,
    balanceRaw: '5',
    submittedAt: new Date(),
    rank: null as number | null,
    distancePpm: null as string | null,
    payoutLamports: null as string | null,
  };
  const [taken] = await db<{ rank: number }[]>`
    select coalesce(max(rank), 0) as rank from predictions where round_id = ${rounds.settled}`;
  const result = { rank: (taken?.rank ?? 0) + 1, distancePpm: '1', payoutLamports: '1' };
  const rows = [
    { ...shared, id: Bun.randomUUIDv7(), roundId: rounds.open, status: 'accepted' },
    { ...shared, id: Bun.randomUUIDv7(), roundId: rounds.settled, status: 'settled', ...result },
    { ...shared, id: Bun.randomUUIDv7(), roundId: rounds.voided, status: 'voided' },
  ];
  await insertRows(db, 'predictions', rows);
  const ids = rows.map(({ id }) => id);
  await insertRows(
    db,
    'prediction_intents',
    [ids[2], null].map((consumedBy) => ({
      id: Bun.randomUUIDv7(),
      accountId,
      roundId: rounds.delegated,
      walletAddress: addressOf(wallet),
      predictedPriceInSol: '1',
      signature: Buffer.alloc(64, 1),
      expiresAt: new Date(Date.now() + HOUR_MS),
      createdAt: new Date(),
      consumedBy,
    })),
  );
  return ids;
}
