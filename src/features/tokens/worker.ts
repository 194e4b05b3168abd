import type { ChainRpc } from '../../chain/rpc.ts';
import type { Database } from '../../db/client.ts';
import type { WorkerDoor } from '../../db/jobs/job.ts';
import type { IngestDependencies } from '../../indexer/ingest/dependencies.ts';
import type { Clock } from '../../shared/clock.ts';
import { advanceLaunch } from './advance-launch.ts';
import { findReportedPool } from './announced-pool.ts';
import { followRankings, isRankingDue, type RankingContext } from './follow-rankings.ts';
import { listLaunchToken, settleLaunchToken } from './settle-launch.ts';
import { upsertToken } from './upsert-token.ts';

export interface TokenWorkerDependencies {
  db: Database;
  clock: Clock;
  rpcs: readonly ChainRpc[];
}

export interface TokenJobDependencies extends Pick<TokenWorkerDependencies, 'db' | 'clock'> {
  metrics: { onTokensRanked: RankingContext['onRanked'] };
  /** Tells the apis, which show nothing of what they have cached then. */
  onTokensHidden(): void;
}

export const tokenWorker = {
  open({ db, rpcs, clock }: TokenWorkerDependencies) {
    const findPool: IngestDependencies['findReportedPool'] = (token) =>
      findReportedPool(db, { rpcs, clock }, token);
    return { upsertToken, findReportedPool: findPool, listLaunchToken, settleLaunchToken, advanceLaunch };
  },
  jobs: ({ db, clock, metrics, onTokensHidden }: TokenJobDependencies) => [
    {
      // A traded token within a second, one whose windows move within the minute (contract/tokens#rankings).
      name: 'token-rankings',
      isDue: isRankingDue,
      step: () =>
        followRankings({
          db,
          clock,
          onRanked(step) {
            metrics.onTokensRanked(step);
            if (step.hasHidden) onTokensHidden();
          },
        }),
    },
  ],
} satisfies WorkerDoor;
