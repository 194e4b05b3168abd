import type { DecimalString } from '../../shared/decimal.ts';

/** One swap as it is stored (contract/market-data#trades). */
export interface IndexedTrade {
  /** Derived from the identity, so that a trade has the same id in every database. */
  id: string;
  mintAddress: string;
  type: 'buy' | 'sell';
  traderWallet: string;
  solAmount: DecimalString;
  tokenAmount: DecimalString;
  /** solAmount / tokenAmount, cut off after 18 fractional digits. */
  pricePerTokenInSol: DecimalString;
  spotPriceInSol: DecimalString | null;
  liquidityInSol: DecimalString | null;
  /** Whether the trade was on the bonding curve. Null when the source does not report it. */
  onCurve: boolean | null;
  slot: bigint;
  transactionIndex: number;
  outerIndex: number;
  innerIndex: number;
  blockTime: Date;
  transactionSignature: string;
}

/** The stored facts of a trade that was reverted (`trade_reverted`). */
export type RevertedTrade = Pick<
  IndexedTrade,
  | 'id'
  | 'mintAddress'
  | 'traderWallet'
  | 'type'
  | 'solAmount'
  | 'tokenAmount'
  | 'liquidityInSol'
  | 'onCurve'
  | 'slot'
  | 'transactionIndex'
  | 'outerIndex'
  | 'innerIndex'
  | 'blockTime'
>;

// Namespace of trade ids (UUIDv5, RFC 9562 section 5.5): an arbitrary constant that must never change.
const TRADE_NAMESPACE = '6f0e4c9a-3f0b-5d1c-9a57-1c6f3f6b2a10';

/** The id of the trade with this identity (contract/market-data#trade-identity). */
export function tradeId(signature: string, outerIndex: number, innerIndex: number): string {
  return Bun.randomUUIDv5(`${signature}:${outerIndex}:${innerIndex}`, TRADE_NAMESPACE);
}

/**
 * The position of a trade on the chain, as text that sorts in chain order. The id comes last, because most
 * sources do not report the transaction's index, so that several trades of one slot may share the rest. It
 * matches `trades_chain_order`.
 */
export function chainPosition(
  trade: Pick<IndexedTrade, 'slot' | 'transactionIndex' | 'outerIndex' | 'innerIndex' | 'id'>,
): string {
  const { slot, transactionIndex, outerIndex, innerIndex, id } = trade;
  const transactionPart = `${slotText(slot)}:${transactionIndex.toString().padStart(10, '0')}`;
  return `${transactionPart}:${indexText(outerIndex)}:${indexText(innerIndex)}:${id}`;
}

let lastSlot = -1n;
let lastText = '';

/** Trades come slot by slot, and each position is asked for several times: the text of a slot is made once. */
function slotText(slot: bigint): string {
  if (slot !== lastSlot) {
    lastSlot = slot;
    lastText = slot.toString().padStart(20, '0');
  }
  return lastText;
}

const INDEX_TEXTS = Array.from({ length: 64 }, (_, index) => index.toString().padStart(5, '0'));

const indexText = (index: number) => INDEX_TEXTS[index] ?? index.toString().padStart(5, '0');

const END = 'end';

/** The position at the end of a transaction, after all its facts. */
export function endPosition({ slot, transactionIndex }: { slot: bigint; transactionIndex: number }): string {
  return chainPosition({ slot, transactionIndex, outerIndex: 99_999, innerIndex: 99_999, id: END });
}

/**
 * The position of a reading of accounts that followed this transaction: after the transaction's own facts.
 */
export function positionOfReading({ slot, transactionIndex }: Parameters<typeof endPosition>[0]): string {
  const id = `shown:${END}`;
  return chainPosition({ slot, transactionIndex, outerIndex: 99_999, innerIndex: 99_999, id });
}

export function isEndPosition(position: string): boolean {
  return position.endsWith(`:${END}`);
}

/** The prefix of every position in a slot. */
export function slotPrefix(slot: bigint): string {
  return `${slotText(slot)}:`;
}
