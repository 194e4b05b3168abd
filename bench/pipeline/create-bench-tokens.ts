import type { Database } from '../../src/db/client.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { BENCH_TOKENS, benchMint } from './trade-messages.ts';

/** Stores the tokens that `tradeMessage` trades, as the product stores them. */
export async function createBenchTokens(database: Database): Promise<void> {
  const outbox = createOutbox({ source: 'http://bench', docsUrl: 'http://bench/docs' }, systemClock);
  for (let number = 0; number < BENCH_TOKENS; number += 1) {
    await database.begin((transaction) =>
      upsertToken(transaction, outbox, systemClock, {
        mintAddress: benchMint(number),
        creatorWallet: benchMint(number),
        name: 'Benchmark',
        symbol: 'BENCH',
        decimals: 6,
        totalSupply: '1000000000',
        launchType: 'dbc',
        status: 'bonding',
      }),
    );
  }
}
