import type { Database } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import type { TokenStatus } from './record.ts';
import { type CurveStep, curveTransitions } from './state.ts';
import { lockMint, type ReportedToken, upsertToken } from './upsert-token.ts';

/** What advancing a launch needs. The two listeners run after a commit. */
export interface LaunchContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  onTokensChanged(mintAddresses: readonly string[]): void;
  onEventsAdded(): void;
}

/** Brings a token's status up to what its curve has shown. Idempotent. */
export async function advanceLaunch(
  context: LaunchContext,
  mintAddress: string,
  step: CurveStep,
): Promise<void> {
  const { db, outbox, clock } = context;
  const { from, to } = curveTransitions[step];
  const outcome = await db.begin(async (transaction) => {
    // Between reading the token and reporting it nobody else may change it.
    await lockMint(transaction, mintAddress);
    const [token] = await transaction<ReportedToken[]>`
      select mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type from tokens
      where mint_address = ${mintAddress} and status = any(${from as TokenStatus[]})`;
    return token === undefined ? null : upsertToken(transaction, outbox, clock, { ...token, status: to });
  });
  if (outcome === null) return;
  context.onTokensChanged([mintAddress]);
  if (outcome.events.length > 0) context.onEventsAdded();
}
