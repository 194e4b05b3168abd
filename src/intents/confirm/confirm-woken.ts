import { proofsNeeded } from '../../chain/node-trust/believed-position.ts';
import { getSignatureStatuses } from '../../chain/rpc/transaction-calls.ts';
import { endIntents } from '../end/end-intents.ts';
import type { ConfirmContext } from './confirm-submitted.ts';
import { LandedReports } from './landed-reports.ts';
import type { WatchedIntent } from './list-awaited-intents.ts';

/** Short, because the next poll comes soon. */
const TIMEOUT_MS = 1_000;

/** The nodes' reports about intents that a notification named. */
export interface WokenOutcome {
  /** Intents that landed and ended, here or in another worker meanwhile. */
  landed: WatchedIntent[];
  /** Intents that at least one node, but not enough of them, reports as landed and failed. */
  doubtful: WatchedIntent[];
  /** Intents that no responding node reports as landed. */
  unknown: WatchedIntent[];
  /** At least one node has responded. */
  isAnswered: boolean;
}

/**
 * Reads the statuses of intents at every node, and ends those that landed by the rules of every poll; a
 * notification itself decides nothing. Polls alone judge expiry.
 * @param intents at most `STATUSES_MAX`
 */
export async function confirmWoken(
  context: ConfirmContext,
  intents: readonly WatchedIntent[],
): Promise<WokenOutcome> {
  const { rpcs, clock } = context;
  const reports = new LandedReports(intents);
  const signatures = intents.map(({ signature }) => signature);
  const byId = new Map(intents.map((intent) => [intent.intentId, intent]));
  let isAnswered = false;
  await Promise.all(
    rpcs.map(async (rpc) => {
      const read = await getSignatureStatuses(rpc, signatures, {
        searchHistory: false,
        timeoutMs: TIMEOUT_MS,
      });
      if (!read.ok) return;
      isAnswered = true;
      const ends = reports.take(read.value.statuses, proofsNeeded(rpcs, clock.now()));
      await endIntents(context, ends, byId);
    }),
  );
  const unsettled = new Set(reports.unsettled);
  return {
    landed: intents.filter((intent) => !unsettled.has(intent)),
    doubtful: reports.unsettled.filter((intent) => reports.isReportedFailed(intent)),
    unknown: reports.unsettled.filter((intent) => !reports.isReportedFailed(intent)),
    isAnswered,
  };
}
