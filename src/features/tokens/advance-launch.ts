import type { ChainRpc } from '../../chain/rpc.ts';
import type { Database } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { findAnnouncedPool } from './announced-pool.ts';
import { lockLaunch, sendLaunchEvents } from './launch-rows.ts';
import { type CurveFact, type LaunchState, stateAfterFact } from './state.ts';

/** The dependencies of advancing a launch. `onTokensChanged` runs after a commit. */
export interface LaunchContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  rpcs: readonly ChainRpc[];
  onTokensChanged(mintAddresses: readonly string[]): void;
}

/**
 * Moves a token from any status to the one that the chain has shown for its curve. Idempotent, in any order.
 */
export async function advanceLaunch(
  context: LaunchContext,
  mintAddress: string,
  fact: CurveFact,
): Promise<void> {
  const { db, outbox, clock } = context;
  // The creation of a curve is shown once and announces the token.
  const isCreation = fact.stage === 'trading' && fact.at !== null;
  const pool = isCreation ? await findAnnouncedPool(db, context, mintAddress) : null;
  const isChanged = await db.begin(async (transaction) => {
    const previous = await lockLaunch(transaction, mintAddress);
    if (previous === null) return false;
    const next = stateAfterFact(previous, fact);
    if (isSame(previous, next)) return false;
    await transaction`
      update tokens set ${transaction({ ...next, updatedAt: clock.now() })} where mint_address = ${mintAddress}`;
    await sendLaunchEvents(transaction, outbox, mintAddress, previous, next, false, pool);
    return true;
  });
  if (isChanged) context.onTokensChanged([mintAddress]);
}

function isSame(previous: LaunchState, next: LaunchState): boolean {
  return (Object.keys(next) as (keyof LaunchState)[]).every(
    (key) => previous[key]?.valueOf() === next[key]?.valueOf(),
  );
}
