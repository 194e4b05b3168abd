import type { ChainHeadSource } from '../../chain/head.ts';
import type { StepJob } from '../../db/jobs/job.ts';
import type { Logger } from '../../shared/log.ts';
import type { ConfirmContext } from '../confirm/confirm-submitted.ts';
import { BEFORE_ALL_IDS } from '../confirm/list-awaited-intents.ts';
import { isSuspectOverdue, listSuspects, meetHistory } from '../end/expire-intents.ts';
import { settleUnsubmitted } from './settle-unsubmitted.ts';

const BATCH_MAX = 50;
/** Between two looks of the nodes at the same intents. */
const LOOK_EVERY_MS = 2_000;

export interface LostSubmissionsDependencies {
  context: ConfirmContext;
  chainHead: ChainHeadSource;
  log: Logger;
  /** Receives how many overdue intents wait for the nodes, after each round over all of them. */
  onHeld(count: number): void;
}

/**
 * The job that ends overdue intents that are older than a promotion or a restore, by what the chain says
 * (decisions/0072). Their submissions may have been lost with the old server.
 */
export function lostSubmissions({ context, chainHead, log, onHeld }: LostSubmissionsDependencies): StepJob {
  const { db, clock } = context;
  const blockHeight = () => chainHead.current()?.blockHeight ?? null;
  const fastest = () => chainHead.pace().fastestPerSecond;
  let afterId = BEFORE_ALL_IDS;
  let held = 0;
  let nextLookMs = 0;
  const isResting = (now: Date) => now.getTime() < nextLookMs;
  return {
    name: 'lost-submissions',
    isDue: (sql, now) => (isResting(now) ? sql`false` : isSuspectOverdue(sql, now, blockHeight(), fastest())),
    async step() {
      if (await meetHistory(db)) log.warn({}, 'database.history_began');
      const now = clock.now();
      const intents = await listSuspects(db, {
        now,
        blockHeight: blockHeight(),
        fastestPerSecond: fastest(),
        afterId,
        limit: BATCH_MAX,
      });
      const settled = await settleUnsubmitted(context, intents);
      for (const intentId of settled.landed) log.warn({ intentId }, 'intent.landed_after_loss');
      held += settled.held;
      const isWhole = intents.length < BATCH_MAX;
      afterId = isWhole ? BEFORE_ALL_IDS : (intents.at(-1)?.id ?? BEFORE_ALL_IDS);
      if (isWhole) {
        if (held > 0) nextLookMs = clock.now().getTime() + LOOK_EVERY_MS;
        onHeld(held);
        held = 0;
      }
      return !isWhole;
    },
  };
}
