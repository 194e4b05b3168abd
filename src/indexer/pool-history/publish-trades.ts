import { jetstream } from '@nats-io/jetstream';
import { settleWhileConnected } from '../../shared/bus/connect.ts';
import { publishStored } from '../../shared/bus/publish.ts';
import { ensureStreams } from '../../shared/bus/streams.ts';
import { INGEST_STREAM, ingestSubject } from '../../shared/bus/topology.ts';
import type { DecodedTrade } from '../decode/decode-transaction.ts';
import type { TradeMessage } from '../ingest/kinds/trade.ts';
import type { DecodedBatch, PlacedTransaction, PublishDependencies } from './batch-publisher.ts';

const ACK_TIMEOUT_MS = 5_000;
/** Acknowledgements awaited at the same time, as in the outbox publisher. */
const WINDOW = 256;

/** A decoded trade with its place in the block. */
interface PlacedTrade extends DecodedTrade {
  transactionIndex: number;
}

/**
 * Publishes trades in order and returns when the broker has stored all of them. Throws when it refused one.
 * The caller then publishes all again: the broker drops repeated trades by `Nats-Msg-Id`, and ingest by the
 * trade's identity.
 */
export async function publishTrades(
  { connection }: PublishDependencies,
  { transactions }: DecodedBatch,
): Promise<void> {
  const trades = transactions.flatMap(placedTrades);
  const stream = jetstream(connection);
  for (let from = 0; from < trades.length; from += WINDOW) {
    const results = await settleWhileConnected(
      connection,
      trades.slice(from, from + WINDOW).map((trade) =>
        publishStored(stream, ingestSubject('trade'), JSON.stringify(toMessage(trade)), {
          // The id includes the slot, because the same transaction can land again after a rollback.
          msgID: `${trade.signature}:${trade.slot}:${trade.outerIndex}:${trade.innerIndex}`,
          timeout: ACK_TIMEOUT_MS,
        }),
      ),
    );
    const refusal = results.find((result) => result.status === 'rejected');
    if (refusal === undefined) continue;
    // The broker may have lost its store, so the streams are created again before the next attempt.
    await ensureStreams(connection, { only: [INGEST_STREAM] });
    throw refusal.reason;
  }
}

function placedTrades({ decoded, transactionIndex }: PlacedTransaction): PlacedTrade[] {
  return decoded?.trades.map((trade) => ({ ...trade, transactionIndex })) ?? [];
}

function toMessage(trade: PlacedTrade): TradeMessage {
  const { mintAddress, type, traderWallet, solAmount, tokenAmount, spotPriceInSol, liquidityInSol } = trade;
  return {
    mintAddress,
    type,
    traderWallet,
    solAmount,
    tokenAmount,
    spotPriceInSol,
    liquidityInSol,
    onCurve: trade.venue === 'dbc',
    slot: trade.slot.toString(),
    transactionIndex: trade.transactionIndex,
    outerIndex: trade.outerIndex,
    innerIndex: trade.innerIndex,
    blockTime: trade.blockTime.toISOString(),
    transactionSignature: trade.signature,
  };
}
