import type { DecodedTransaction } from '../decode/decode-transaction.ts';
import type { DecodedBatch, LaunchFact, PublishDependencies } from './batch-publisher.ts';

/** Brings the token up to what its curve has shown. */
export async function publishLaunchSteps(
  dependencies: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  for (const { decoded } of transactions)
    if (decoded !== null)
      for (const fact of factsOf(decoded)) await dependencies.onLaunchStep(pool.mintAddress, fact);
}

function factsOf({ launches, curveCompletions, migrations }: DecodedTransaction): LaunchFact[] {
  return [
    ...launches.map(({ blockTime }) => ({ stage: 'trading' as const, at: blockTime })),
    ...curveCompletions.map(({ blockTime }) => ({ stage: 'completed' as const, at: blockTime })),
    ...migrations.map(({ blockTime }) => ({ stage: 'migrated' as const, at: blockTime })),
  ];
}
