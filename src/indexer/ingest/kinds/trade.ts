import { type Static, Type } from '@sinclair/typebox';
import { tradeTypes } from '../../../db/values/trades.ts';
import {
  type DecimalString as Decimal,
  divideDecimals,
  PRICE_FRACTION_DIGITS,
  truncateDecimal,
} from '../../../shared/decimal.ts';
import { type IndexedTrade, tradeId } from '../../market/indexed-trade.ts';
import { storeTrades } from '../../store/trades.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import {
  Address,
  DecimalString,
  InstructionIndex,
  IntString,
  messageCheck,
  nullable,
  Signature,
  Timestamp,
} from '../shapes.ts';
import { APPLIED, type Checked, readAs, type Verdict, waitingFor } from '../verdict.ts';

/** `ingest.trade` (contract/market-data#trades). */
const schema = Type.Object({
  mintAddress: Address,
  type: Type.Union(tradeTypes.map((type) => Type.Literal(type))),
  traderWallet: Address,
  solAmount: DecimalString,
  tokenAmount: DecimalString,
  spotPriceInSol: Type.Optional(nullable(DecimalString)),
  liquidityInSol: Type.Optional(nullable(DecimalString)),
  /** Whether the trade was on the bonding curve. */
  onCurve: Type.Optional(nullable(Type.Boolean())),
  slot: IntString,
  /** Position in the block. Sources that do not know it leave it out. */
  transactionIndex: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  outerIndex: InstructionIndex,
  innerIndex: InstructionIndex,
  blockTime: Timestamp,
  transactionSignature: Signature,
});

export type TradeMessage = Static<typeof schema>;

const check = messageCheck(schema, ({ tokenAmount }) =>
  tokenAmount === '0' ? '/tokenAmount Expected more than zero' : null,
);

export function checkTrade(value: unknown): Checked<IndexedTrade> {
  return readAs(check(value), toTrade);
}

function toTrade(message: TradeMessage): IndexedTrade {
  // The schema's pattern is the one of a DecimalString.
  const solAmount = message.solAmount as Decimal;
  const tokenAmount = message.tokenAmount as Decimal;
  const spotPrice = (message.spotPriceInSol ?? null) as Decimal | null;
  return {
    id: tradeId(message.transactionSignature, message.outerIndex, message.innerIndex),
    mintAddress: message.mintAddress,
    type: message.type,
    traderWallet: message.traderWallet,
    solAmount,
    tokenAmount,
    pricePerTokenInSol: divideDecimals(solAmount, tokenAmount, PRICE_FRACTION_DIGITS),
    spotPriceInSol: spotPrice === null ? null : truncateDecimal(spotPrice, PRICE_FRACTION_DIGITS),
    liquidityInSol: (message.liquidityInSol ?? null) as Decimal | null,
    onCurve: message.onCurve ?? null,
    slot: BigInt(message.slot),
    transactionIndex: message.transactionIndex ?? 0,
    outerIndex: message.outerIndex,
    innerIndex: message.innerIndex,
    blockTime: new Date(message.blockTime),
    transactionSignature: message.transactionSignature,
  };
}

/** Applies trades of several tokens in one transaction. */
export function applyTrades(
  dependencies: KindDependencies,
  trades: readonly IndexedTrade[],
): Promise<Verdict[]> {
  return applyIsolating(trades, async (batch) => {
    const { db, followed, orders, onOrdersTriggered, onTokensChanged, onTradesQueued } = dependencies;
    const stored = await db.begin((transaction) => storeTrades(transaction, batch, followed, orders));
    if (stored.triggered > 0) onOrdersTriggered();
    onTokensChanged(stored.changedMints);
    if (stored.queued > 0) onTradesQueued();
    return batch.map((trade) => {
      if (stored.unknownMints.has(trade.mintAddress)) return waitingFor('unknown_token', trade.mintAddress);
      return stored.conflicts.has(trade) ? waitingFor('trade_conflict', trade.id) : APPLIED;
    });
  });
}
