import type { Database } from '../../../src/db/client.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { testOutbox } from '../processes/worker-context.ts';
import { tokenMessage } from './ingest-stream.ts';

/** Stores a token that trades on its bonding curve, as the worker does when a feed reports it. */
export async function storeBondingToken(db: Database, mint: string): Promise<void> {
  const token = { ...tokenMessage(mint), launchType: 'dbc', status: 'bonding' } as const;
  await db.begin((transaction) => upsertToken(transaction, testOutbox(systemClock), systemClock, token));
}
