import { proofsNeeded } from '../../../chain/node-trust/believed-position.ts';
import { getSignatureStatuses } from '../../../chain/rpc/transaction-calls.ts';
import { endIntents } from '../end-intents.ts';
import type { ConfirmContext } from './confirm-submitted.ts';
import { LandedReports } from './landed-reports.ts';
import type { WatchedIntent } from './list-awaited-intents.ts';

/** The next poll is not far. */
const TIMEOUT_MS = 1_000;

/** The nodes' reports about intents that a notification named. */
export interface WokenOutcome {
  /** Landed, and ended: here, or by another worker meanwhile. */
  landed: WatchedIntent[];
  /** At least one node has it landed and failed, and not enough of them do. */
  doubtful: WatchedIntent[];
  /** No node that responded has it landed. */
  unknown: WatchedIntent[];
  /** A node has responded. */
  isAnswered: boolean;
}

/**
 * Reads the statuses of intents at every node, and ends what landed by the rules of every poll; a notification itself decides nothing.
 * Whether something has expired is left to polls.
 *
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
