import { storeTrades } from '../../src/indexer/store/trades.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import type { BenchEnvironment } from '../cases/environment.ts';
import { createBenchTokens } from '../pipeline/create-bench-tokens.ts';
import { benchTrade } from '../pipeline/trade-messages.ts';

/** Tokens, and trades that are committed as the worker commits them, with its hint. */
export interface StreamedMarket {
  /** Commits the next trade; resolves when it is committed. */
  trade(): Promise<void>;
  close(): Promise<void>;
}

export async function createStreamedMarket({ database, natsUrl }: BenchEnvironment): Promise<StreamedMarket> {
  await createBenchTokens(database);
  const connection = await connectBus(natsUrl, 'bench');
  let next = 0;
  return {
    async trade() {
      const trade = benchTrade(next);
      next += 1;
      await database.begin((transaction) => storeTrades(transaction, [trade]));
      connection.publish(hints.tokenChanged, trade.mintAddress);
    },
    close: () => connection.close(),
  };
}
