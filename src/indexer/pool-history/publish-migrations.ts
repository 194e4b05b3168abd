import type { Migration } from '../decode/decoded-transaction.ts';
import { poolProgramOf, storeAmmPool } from '../store/token-pools.ts';
import type { DecodedBatch, PublishDependencies } from './batch-publisher.ts';

/** Makes the AMM pool known that the liquidity of a curve went into, so that it is read from then on. */
export async function publishMigrations(
  { db, clock }: PublishDependencies,
  { transactions }: DecodedBatch,
): Promise<void> {
  for (const { decoded, transactionIndex } of transactions)
    for (const migration of decoded?.migrations ?? [])
      await storeAmmPool(db, ammPoolOf(migration, transactionIndex), clock.now());
}

function ammPoolOf(migration: Migration, transactionIndex: number) {
  const { mintAddress, ammProgram, ammPoolAddress, ammConfigAddress, curvePoolAddress } = migration;
  return {
    poolAddress: ammPoolAddress,
    mintAddress,
    program: poolProgramOf(ammProgram),
    curvePoolAddress,
    configAddress: ammConfigAddress,
    migration: { signature: migration.signature, slot: migration.slot, transactionIndex },
  };
}
