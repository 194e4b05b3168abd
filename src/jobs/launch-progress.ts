import type { Database } from '../db/client.ts';
import type { TokenStatus } from '../features/tokens/record.ts';
import { type ReportedToken, upsertToken } from '../features/tokens/upsert.ts';
import type { LaunchStep } from '../indexer/pool-history/publish-and-advance.ts';
import type { Outbox } from '../outbox/append.ts';
import type { Clock } from '../shared/clock.ts';

export interface LaunchProgressContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  onTokensChanged(mintAddresses: readonly string[]): void;
  onEventsAdded(): void;
}

/** What a step of the curve does to the status of its token; from any other status it does nothing. */
const transitions: Readonly<Record<LaunchStep, { from: readonly TokenStatus[]; to: TokenStatus }>> = {
  curve_completed: { from: ['bonding'], to: 'graduating_migration_pending' },
  migrated: { from: ['bonding', 'graduating_migration_pending'], to: 'graduated' },
};

/** Brings a token's status up to what its curve has shown. Idempotent. */
export async function advanceLaunch(
  context: LaunchProgressContext,
  mintAddress: string,
  step: LaunchStep,
): Promise<void> {
  const { db, outbox, clock } = context;
  const { from, to } = transitions[step];
  const outcome = await db.begin(async (transaction) => {
    // The lock of upsertToken: between reading the token and reporting it nobody else may change it.
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`token:${mintAddress}`}, 0))`;
    const [token] = await transaction<ReportedToken[]>`
      select mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type from tokens
      where mint_address = ${mintAddress} and status = any(${from as TokenStatus[]})`;
    return token === undefined ? null : upsertToken(transaction, outbox, clock, { ...token, status: to });
  });
  if (outcome === null) return;
  context.onTokensChanged([mintAddress]);
  if (outcome.events.length > 0) context.onEventsAdded();
}
