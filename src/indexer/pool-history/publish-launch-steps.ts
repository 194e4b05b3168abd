import type { DecodedBatch, PublishDependencies } from './batch-publisher.ts';

/** Brings the token's status up to what its curve has shown. */
export async function publishLaunchSteps(
  dependencies: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  for (const { decoded } of transactions) {
    if (decoded?.curveCompleted) await dependencies.onLaunchStep(pool.mintAddress, 'curve_completed');
    if (decoded?.migrated) await dependencies.onLaunchStep(pool.mintAddress, 'migrated');
  }
}
