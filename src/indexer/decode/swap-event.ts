import { encodeAddress } from '../../shared/address.ts';

/** The fields of a swap event that make a trade, in raw units. */
export interface SwapEvent {
  poolAddress: string;
  type: 'buy' | 'sell';
  /** What the trader gave, trading fee included. */
  paidRaw: bigint;
  /** What the trader got, trading fee deducted. */
  receivedRaw: bigint;
  /** Q64.64. */
  nextSqrtPrice: bigint;
  /** SOL reserve of the curve after the swap; null when the event does not contain it. */
  quoteReserveRaw: bigint | null;
  chainTimeSeconds: bigint;
}

/** Little-endian fields, one after another (Borsh). Reading past the end throws RangeError. */
class BodyReader {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  address(): string {
    return encodeAddress(this.#take(32));
  }

  u8(): number {
    return this.#take(1).readUInt8(0);
  }

  u64(): bigint {
    return this.#take(8).readBigUInt64LE(0);
  }

  u128(): bigint {
    const low = this.u64();
    return (this.u64() << 64n) | low;
  }

  skip(byteCount: number): void {
    this.#take(byteCount);
  }

  #take(byteCount: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + byteCount);
    if (taken.byteLength < byteCount) throw new RangeError('the event is shorter than its layout');
    this.#at += byteCount;
    return taken;
  }
}

/** `EvtSwap2` and `EvtSwap2WithTransferHook` (reference/solana#swap-event). Fields appended later do no harm. */
export function readSwapEvent(body: Uint8Array): SwapEvent {
  const reader = new BodyReader(body);
  const poolAddress = reader.address();
  reader.skip(32); // config
  const type = directionOf(reader.u8());
  reader.skip(1 + 8 + 8 + 1); // has_referral, amount_0, amount_1, swap_mode: what was requested, not what was done
  const paidRaw = reader.u64();
  reader.skip(8 + 8); // excluded_fee_input_amount, amount_left
  const receivedRaw = reader.u64();
  const nextSqrtPrice = reader.u128();
  reader.skip(8 + 8 + 8); // trading, protocol and referral fee
  const quoteReserveRaw = reader.u64();
  reader.skip(8); // migration_threshold
  return {
    poolAddress,
    type,
    paidRaw,
    receivedRaw,
    nextSqrtPrice,
    quoteReserveRaw,
    chainTimeSeconds: reader.u64(),
  };
}

/**
 * `EvtSwap`, the only swap event of early program generations. Its `amount_in` (before the time) is what was paid;
 * `actual_input_amount` has the fee taken off. The reserve is not in it.
 */
export function readLegacySwapEvent(body: Uint8Array): SwapEvent {
  const reader = new BodyReader(body);
  const poolAddress = reader.address();
  reader.skip(32); // config
  const type = directionOf(reader.u8());
  reader.skip(1 + 8 + 8 + 8); // has_referral, amount_in and minimum_amount_out as requested, actual_input_amount
  const receivedRaw = reader.u64();
  const nextSqrtPrice = reader.u128();
  reader.skip(8 + 8 + 8); // trading, protocol and referral fee
  const paidRaw = reader.u64();
  return {
    poolAddress,
    type,
    paidRaw,
    receivedRaw,
    nextSqrtPrice,
    quoteReserveRaw: null,
    chainTimeSeconds: reader.u64(),
  };
}

/** The pool, which every other event of interest names first. */
export function readPoolOf(body: Uint8Array): string {
  return new BodyReader(body).address();
}

function directionOf(tradeDirection: number): 'buy' | 'sell' {
  if (tradeDirection > 1) throw new RangeError('unknown trade direction');
  return tradeDirection === 1 ? 'buy' : 'sell';
}
