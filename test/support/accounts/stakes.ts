import type { Database } from '../../../src/db/client.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { signatureOf } from '../market/market-arbitraries.ts';
import { insertRows } from '../rows/insert-rows.ts';
import { addressOf, type Owner } from './owner.ts';
import type { StakedToken } from './public-ground.ts';

let numbers = 700_000;

/** The shares of an account's wallet in a token: stakes, fees to claim, and its part in the presale. */
export async function insertStakes(
  db: Database,
  { wallet }: Owner,
  { mint: mintAddress, presaleId }: StakedToken,
): Promise<void> {
  const walletAddress = addressOf(wallet);
  const number = numbers++;
  const observed = { slot: 1n, asOf: new Date() };
  const amount = String(number);
  await insertRows(db, 'staking_positions', [
    {
      id: Bun.randomUUIDv7(),
      positionAddress: newAddress(),
      mintAddress,
      walletAddress,
      stakedRaw: amount,
      pendingRewardsRaw: amount,
      claimedRewardsRaw: '0',
      stakedAt: new Date(),
      ...observed,
    },
  ]);
  await insertRows(db, 'staking_totals', [
    { mintAddress, walletAddress, stakedRaw: amount, stakedSince: new Date() },
  ]);
  await insertRows(db, 'fee_claimables', [
    { mintAddress, walletAddress, claimableLamports: amount, ...observed },
  ]);
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const sums = { depositedLamports: amount, refundedLamports: '0', claimedRaw: '0' };
  await insertRows(db, 'presale_participations', [
    { presaleId, walletAddress, status: 'deposited', ...sums, ...times },
  ]);
  await insertRows(db, 'presale_movements', [
    {
      transactionSignature: signatureOf(number),
      instructionIndex: 0,
      presaleId,
      kind: 'deposit',
      walletAddress,
      amount,
      slot: 1n,
      blockTime: new Date(),
    },
  ]);
}
