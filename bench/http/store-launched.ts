import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { BenchEnvironment } from '../cases/environment.ts';
import type { ChainFacts } from '../servers/chain.ts';
import { benchOutbox, randomAddress } from './stored-token.ts';

/** Adds the token of the bench chain to the api's database. */
export async function storeLaunched(
  { database }: BenchEnvironment,
  { mint, pool }: ChainFacts,
): Promise<void> {
  await database.begin((transaction) =>
    upsertToken(transaction, benchOutbox, systemClock, {
      mintAddress: mint,
      creatorWallet: randomAddress(),
      name: 'Benchmark',
      symbol: 'BENCH',
      decimals: 6,
      totalSupply: '1000000000',
      launchType: 'dbc',
      status: 'bonding',
      poolAddress: pool,
    }),
  );
}
