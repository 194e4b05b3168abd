import { type PriceRatio, quotePerBase } from '../../chain/pools/spot-price.ts';
import { BodyReader } from './body-reader.ts';

/** The facts of a swap that make a trade, in raw units. */
export interface SwapEvent {
  type: 'buy' | 'sell';
  /** The amount that the trader paid, including the trading fee. */
  paidRaw: bigint;
  /** The amount that the trader received, after the trading fee. */
  receivedRaw: bigint;
  /** Price of one raw unit of the token after the swap. Null when the transaction does not report it. */
  solPerToken: PriceRatio | null;
  /** SOL reserve of the pool after the swap. Null when the transaction does not report it. */
  solReserveRaw: bigint | null;
  /** The time in the event, for nodes that have lost the time of the block. Null without an event. */
  chainTimeSeconds: bigint | null;
}

/**
 * `EvtSwap2` and `EvtSwap2WithTransferHook` (reference/solana#swap-event). Fields added later are ignored.
 */
export function readSwapEvent(body: Uint8Array): SwapEvent {
  const reader = new BodyReader(body);
  reader.skip(32 + 32); // pool, config
  const type = directionOf(reader.u8());
  reader.skip(1 + 8 + 8 + 1); // has_referral, amount_0, amount_1, swap_mode: the request, not the result
  const paidRaw = reader.u64();
  reader.skip(8 + 8); // excluded_fee_input_amount, amount_left
  const receivedRaw = reader.u64();
  const solPerToken = quotePerBase(reader.u128());
  reader.skip(8 + 8 + 8); // trading, protocol and referral fee
  const solReserveRaw = reader.u64();
  reader.skip(8); // migration_threshold
  return { type, paidRaw, receivedRaw, solPerToken, solReserveRaw, chainTimeSeconds: reader.u64() };
}

/**
 * `EvtSwap`, the only swap event of early program generations. Its `amount_in` (before the time) is the paid
 * amount; `actual_input_amount` is less by the fee. It does not hold the reserve.
 */
export function readLegacySwapEvent(body: Uint8Array): SwapEvent {
  const reader = new BodyReader(body);
  reader.skip(32 + 32); // pool, config
  const type = directionOf(reader.u8());
  reader.skip(1 + 8 + 8 + 8); // has_referral, amount_in and minimum_amount_out as asked, actual_input_amount
  const receivedRaw = reader.u64();
  const solPerToken = quotePerBase(reader.u128());
  reader.skip(8 + 8 + 8); // trading, protocol and referral fee
  const paidRaw = reader.u64();
  return { type, paidRaw, receivedRaw, solPerToken, solReserveRaw: null, chainTimeSeconds: reader.u64() };
}

/** The pool is the first field of every relevant event. Null when the event is too short. */
export function readPoolOf(body: Uint8Array): string | null {
  return body.byteLength >= 32 ? new BodyReader(body).address() : null;
}

function directionOf(tradeDirection: number): 'buy' | 'sell' {
  if (tradeDirection > 1) throw new RangeError('unknown trade direction');
  return tradeDirection === 1 ? 'buy' : 'sell';
}
