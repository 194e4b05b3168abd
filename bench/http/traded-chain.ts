import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import type { ChainFacts } from '../servers/chain.ts';
import { benchOutbox, randomAddress } from './stored-token.ts';

/** Starts a chain with one traded pool, and stores its token as the product does. */
export async function startTradedChain(
  environment: BenchEnvironment,
): Promise<{ chain: BenchServer; facts: ChainFacts }> {
  const chain = await environment.startServer('chain.ts');
  const facts = (await (await fetch(`http://127.0.0.1:${chain.port}/facts`)).json()) as ChainFacts;
  await environment.database.begin((transaction) =>
    upsertToken(transaction, benchOutbox, systemClock, {
      mintAddress: facts.mint,
      creatorWallet: randomAddress(),
      name: 'Benchmark',
      symbol: 'BENCH',
      decimals: 6,
      totalSupply: '1000000000',
      launchType: 'dbc',
      status: 'bonding',
      poolAddress: facts.pool,
    }),
  );
  return { chain, facts };
}
