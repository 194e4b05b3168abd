import { checkTrade } from '../../src/indexer/ingest/kinds/trade.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import type { BenchEnvironment } from '../cases/environment.ts';
import { createBenchTokens } from '../pipeline/create-bench-tokens.ts';
import { tradeMessage } from '../pipeline/trade-messages.ts';

/** Variables of an api that all streams of a bench fit into. */
export const STREAM_LIMITS = { STREAMS_PER_ADDRESS: '100000', STREAMS_MAX: '100000' };

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
      const checked = checkTrade(tradeMessage(next));
      next += 1;
      if (!checked.ok) throw new Error(`bench trade: ${checked.detail}`);
      await database.begin((transaction) => storeTrades(transaction, [checked.message]));
      connection.publish(hints.tokenChanged, checked.message.mintAddress);
    },
    close: () => connection.close(),
  };
}
