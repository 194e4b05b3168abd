import { DAMM_V1, DAMM_V2 } from '../../chain/accounts/programs.ts';
import type { Migration } from '../decode/decoded-transaction.ts';
import { type PoolProgram, storeAmmPool } from '../store/token-pools.ts';
import type { DecodedBatch, PublishDependencies } from './batch-publisher.ts';

const programs: ReadonlyMap<string, PoolProgram> = new Map([
  [DAMM_V1, 'damm_v1'],
  [DAMM_V2, 'damm_v2'],
]);

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
    program: programs.get(ammProgram) ?? 'other',
    curvePoolAddress,
    configAddress: ammConfigAddress,
    migration: { signature: migration.signature, slot: migration.slot, transactionIndex },
  };
}
