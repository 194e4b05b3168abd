import type { WorkerDoor } from '../../db/jobs/job.ts';
import { isClaimDue, type SettlementContext, settleClaims } from './claims/settle-claims.ts';
import { toDistribution } from './record.ts';

export const feeWorker = {
  open: () => ({ describeFeeDistribution: toDistribution }),
  jobs: (context: SettlementContext) => [
    // Announces claims that have landed.
    { name: 'fee-claims', isDue: isClaimDue, step: () => settleClaims(context) },
  ],
} satisfies WorkerDoor;
