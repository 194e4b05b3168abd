import { inverted, quotePerBase } from '../../chain/pools/spot-price.ts';
import { BodyReader } from './body-reader.ts';
import type { SwapEvent } from './curve-event-body.ts';

/** The side of an AMM pool that is SOL. The other side is the token. */
export type SolSide = 'a' | 'b';

/** The fields of an AMM swap event, before it is known which side is the token. */
interface DammSwap {
  isAToB: boolean;
  paidRaw: bigint;
  receivedRaw: bigint;
  /** Square-root price of A in B, Q64.64. */
  nextSqrtPrice: bigint;
  chainTimeSeconds: bigint;
  /** Reserves after the swap. Null when the event does not report them. */
  reserves: { aRaw: bigint; bRaw: bigint } | null;
}

/**
 * `EvtSwap2` of DAMM v2 (reference/solana#damm-swap). It has the same name and discriminator as the curve's
 * event, but another layout. Paid and received amounts are those of the trader's token accounts, so they
 * include the transfer fee of the token program.
 */
export function readDammSwapEvent(body: Uint8Array, solSide: SolSide): SwapEvent {
  const reader = new BodyReader(body);
  reader.skip(32); // pool
  const isAToB = readDirection(reader);
  reader.skip(1 + 1 + 8 + 8 + 1); // collect_fee_mode, has_referral, amount_0, amount_1, swap_mode
  reader.skip(8 + 8 + 8 + 8); // amounts of the swap itself, without the token program's fee
  const nextSqrtPrice = reader.u128();
  reader.skip(8 + 8 + 8 + 8); // claiming, protocol, compounding and referral fee
  const paidRaw = reader.u64(); // included_transfer_fee_amount_in
  reader.skip(8); // included_transfer_fee_amount_out
  const receivedRaw = reader.u64(); // excluded_transfer_fee_amount_out
  const chainTimeSeconds = reader.u64();
  const reserves = { aRaw: reader.u64(), bRaw: reader.u64() };
  return toSwapEvent({ isAToB, paidRaw, receivedRaw, nextSqrtPrice, chainTimeSeconds, reserves }, solSide);
}

/**
 * `EvtSwap` of early generations of DAMM v2, the only swap event at the time, without reserves. For a token
 * with a transfer fee the received amount would be before that fee. No migrated token has one.
 */
export function readLegacyDammSwapEvent(body: Uint8Array, solSide: SolSide): SwapEvent {
  const reader = new BodyReader(body);
  reader.skip(32); // pool
  const isAToB = readDirection(reader);
  reader.skip(1); // has_referral
  const paidRaw = reader.u64(); // amount_in
  reader.skip(8); // minimum_amount_out
  const receivedRaw = reader.u64();
  const nextSqrtPrice = reader.u128();
  reader.skip(8 + 8 + 8 + 8 + 8); // liquidity, protocol, partner and referral fee, actual_amount_in
  const chainTimeSeconds = reader.u64();
  return toSwapEvent(
    { isAToB, paidRaw, receivedRaw, nextSqrtPrice, chainTimeSeconds, reserves: null },
    solSide,
  );
}

function readDirection(reader: BodyReader): boolean {
  const direction = reader.u8();
  if (direction > 1) throw new RangeError('unknown trade direction');
  return direction === 0;
}

function toSwapEvent(swap: DammSwap, solSide: SolSide): SwapEvent {
  const { isAToB, paidRaw, receivedRaw, nextSqrtPrice, chainTimeSeconds, reserves } = swap;
  if (nextSqrtPrice === 0n) throw new RangeError('a pool has a price');
  const aInB = quotePerBase(nextSqrtPrice);
  const paysSol = isAToB === (solSide === 'a');
  return {
    type: paysSol ? 'buy' : 'sell',
    paidRaw,
    receivedRaw,
    solPerToken: solSide === 'a' ? inverted(aInB) : aInB,
    solReserveRaw: reserves === null ? null : reserves[`${solSide}Raw`],
    chainTimeSeconds,
  };
}

const COMPOUNDING = 2;
/** Liquidity of a compounding pool without a position. It keeps the reserves above zero. */
const DEAD_LIQUIDITY = 100n << 64n;

/** `EvtInitializePool`: the creator of the pool, and its first amounts. */
export function readDammOpening(body: Uint8Array) {
  const reader = new BodyReader(body);
  reader.skip(32 + 32 + 32); // pool, token A, token B
  const creator = reader.address();
  const payer = reader.address();
  reader.skip(32 + 27 + 2 + 1); // alpha_vault, base fee, compounding fee, padding
  const dynamicFeeBytes = 32;
  if (reader.u8() === 1) reader.skip(dynamicFeeBytes);
  reader.skip(16 + 16 + 1); // sqrt_min_price, sqrt_max_price, activation_type
  const dead = reader.u8() === COMPOUNDING ? DEAD_LIQUIDITY : 0n;
  const total = reader.u128();
  /** Liquidity of the first position. */
  const liquidity = total < dead ? 0n : total - dead;
  reader.skip(16); // sqrt_price
  const activationPoint = reader.u64();
  reader.skip(1 + 1); // token_a_flag, token_b_flag
  return { creator, payer, liquidity, activationPoint, aRaw: reader.u64(), bRaw: reader.u64() };
}

/** `EvtCreatePosition`. */
export function readPositionCreated(body: Uint8Array) {
  const reader = new BodyReader(body);
  reader.skip(32); // pool
  return { owner: reader.address(), position: reader.address(), nftMint: reader.address() };
}

/** `EvtLiquidityChange`: the change of a position, and the reserves after it. */
export function readLiquidityChange(body: Uint8Array) {
  const reader = new BodyReader(body);
  reader.skip(32); // pool
  const [position, owner] = [reader.address(), reader.address()];
  const [aRaw, bRaw] = [reader.u64(), reader.u64()];
  reader.skip(8 + 8); // the same amounts with the token program's fee
  const reserves = { aRaw: reader.u64(), bRaw: reader.u64() };
  const liquidity = reader.u128();
  reader.skip(8 + 8); // thresholds
  const changeType = reader.u8();
  if (changeType > 1) throw new RangeError('unknown change of liquidity');
  const kind = changeType === 0 ? ('add' as const) : ('remove' as const);
  return { kind, position, owner, aRaw, bRaw, reserves, liquidity };
}

/** `EvtPermanentLockPosition`. */
export function readPermanentLock(body: Uint8Array) {
  const reader = new BodyReader(body);
  reader.skip(32); // pool
  return { position: reader.address(), liquidity: reader.u128(), poolTotal: reader.u128() };
}
