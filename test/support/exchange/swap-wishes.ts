import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import fc from 'fast-check';
import type { LaunchAddresses } from '../../../sandbox/market/launch-addresses.ts';
import { swapOnAmm, swapOnCurve } from '../../../sandbox/market/pool-instructions.ts';
import type { PoolClock, SwapMode } from '../../../src/chain/pools/swap-request.ts';
import {
  type ExchangeModel,
  type ModelPool,
  quote,
  type SwapAccounts,
  type SwapOrder,
} from './exchange-model.ts';

const U64_MAX = (1n << 64n) - 1n;
const MODE_AT = 24;
const modeNumbers = { exact_in: 0, partial_fill: 1, exact_out: 2 } as const;
const referralAt = { dbc: 12, damm: 11 } as const;
/** The largest payment of a buy, which is small compared with the threshold of a curve. */
const LARGEST_BUY_LAMPORTS = 1_500_000_000;
const MORE_THAN_ANYBODY_HAS = 150_000_000_000n;

/** One swap of a bundle, before there are prices. */
export interface SwapWish {
  market: number;
  /** A trader with nothing to sell buys instead, unless the swap must fail. */
  side: 'buy' | 'sell';
  mode: SwapMode;
  /** The share of the spendable amount. */
  share: number;
  /** `quoted`: the limit is the quote from before the bundle. */
  limit: 'none' | 'quoted' | 'hopeless';
  amount: 'usual' | 'zero' | 'too_much';
  hasReferral: boolean;
}

export interface Bundle {
  trader: number;
  /** Slots since the previous bundle. */
  slots: number;
  wishes: SwapWish[];
}

/** True once in `times` draws on average. */
function rarely(times: number): fc.Arbitrary<boolean> {
  return fc.nat(times - 1).map((number) => number === 0);
}

export function anyBundle(markets: number, traders: number): fc.Arbitrary<Bundle> {
  const wish: fc.Arbitrary<SwapWish> = fc
    .record({
      market: fc.nat(markets - 1),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      mode: fc.constantFrom('exact_in' as const, 'partial_fill' as const, 'exact_out' as const),
      share: fc.integer({ min: 1, max: 1_000 }).map((number) => number / 1_000),
      isQuoted: fc.boolean(),
      isHopeless: rarely(25),
      isZero: rarely(60),
      isTooMuch: rarely(50),
      hasReferral: fc.boolean(),
    })
    .map(({ isQuoted, isHopeless, isZero, isTooMuch, ...rest }) => ({
      ...rest,
      limit: isHopeless ? 'hopeless' : isQuoted ? 'quoted' : 'none',
      // A partial fill of too much would complete a curve at once.
      amount: isZero ? 'zero' : isTooMuch && rest.mode !== 'partial_fill' ? 'too_much' : 'usual',
    }));
  return fc.record({
    trader: fc.nat(traders - 1),
    slots: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }) },
      { weight: 1, arbitrary: fc.integer({ min: 30, max: 200 }) },
    ),
    wishes: fc.array(wish, { minLength: 2, maxLength: 3 }),
  });
}

/** The order of a wish in the state before the bundle. */
export function orderOf(
  model: ExchangeModel,
  clock: PoolClock,
  wish: SwapWish,
  accounts: SwapAccounts,
): SwapOrder {
  const { mode, hasReferral } = wish;
  const hasNothing = model.balance(accounts.base) === 0n && wish.amount === 'usual';
  const side = hasNothing ? 'buy' : wish.side;
  const pool = model.pool(wish.market);
  const inRaw = inputOf(model, { ...wish, side }, accounts);
  const free = { side, hasReferral, mode: 'exact_in' as const, amountRaw: inRaw, limitRaw: 0n };
  const outlook = quote(pool, clock, free);
  const outRaw = outlook.error === null ? outlook.outRaw : 0n;
  if (mode === 'exact_out') {
    const amountRaw = wish.amount === 'zero' ? 0n : outRaw > 1n ? outRaw - outRaw / 50n : 1_000n;
    const limits = { none: U64_MAX, quoted: inRaw, hopeless: 0n };
    return { side, mode, hasReferral, amountRaw, limitRaw: limits[wish.limit] };
  }
  const limits = { none: 0n, quoted: outRaw, hopeless: U64_MAX };
  return { side, mode, hasReferral, amountRaw: inRaw, limitRaw: limits[wish.limit] };
}

function inputOf(model: ExchangeModel, { side, share, amount }: SwapWish, accounts: SwapAccounts): bigint {
  if (amount === 'zero') return 0n;
  if (side === 'buy')
    return amount === 'too_much'
      ? MORE_THAN_ANYBODY_HAS
      : BigInt(Math.ceil(share ** 3 * LARGEST_BUY_LAMPORTS));
  const held = model.balance(accounts.base);
  if (amount === 'too_much') return held + 1_000_000n;
  return (held * BigInt(Math.ceil(share * 1_000))) / 1_000n;
}

export function instructionOf(
  addresses: LaunchAddresses,
  { venue }: ModelPool,
  trader: string,
  order: SwapOrder,
  accounts: SwapAccounts,
  referralSide: 'base' | 'quote',
): TransactionInstruction {
  const { side, amountRaw, limitRaw } = order;
  const swap = venue === 'dbc' ? swapOnCurve : swapOnAmm;
  const instruction = swap(addresses, trader, { side, mode: 'exact_in', amountRaw, limitRaw });
  const data = Buffer.from(instruction.data);
  data.writeUInt8(modeNumbers[order.mode], MODE_AT);
  const referral = {
    pubkey: new PublicKey(accounts.referral[referralSide]),
    isSigner: false,
    isWritable: true,
  };
  const keys = instruction.keys.map((key, at) =>
    order.hasReferral && at === referralAt[venue] ? referral : key,
  );
  return new TransactionInstruction({ programId: instruction.programId, keys, data });
}
