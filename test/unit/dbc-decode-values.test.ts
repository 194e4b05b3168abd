import { expect, test } from 'bun:test';
import { readSwapEvent } from '../../src/indexer/decode/curve-event-body.ts';
import { tradeValues } from '../../src/indexer/decode/trade-values.ts';
import { decodeAddress } from '../../src/shared/address.ts';

const POOL = 'FDf8k27HyccJoZNnMPC2JRvmdxjAi1X82wtvEj7YfAem';
const EXACT_OUT = 2;

interface Fields {
  direction: number;
  swapMode: number;
  amount0: bigint;
  paid: bigint;
  paidWithoutFee: bigint;
  received: bigint;
  tradingFee: bigint;
  sqrtPrice: bigint;
}

/** The body of an `EvtSwap2` (reference/solana#swap-event): 179 bytes. */
function swapBody(fields: Fields): Buffer {
  const u64 = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    return bytes;
  };
  const body = Buffer.concat([
    decodeAddress(POOL) ?? Buffer.alloc(0),
    Buffer.alloc(32),
    Buffer.from([fields.direction, 0]),
    ...[fields.amount0, 1n].map(u64),
    Buffer.from([fields.swapMode]),
    ...[fields.paid, fields.paidWithoutFee, 0n, fields.received].map(u64),
    ...[fields.sqrtPrice & (2n ** 64n - 1n), fields.sqrtPrice >> 64n].map(u64),
    ...[fields.tradingFee, 0n, 0n, 5_000_000_000n, 85_000_000_000n, 1_790_000_000n].map(u64),
  ]);
  expect(body.byteLength).toBe(179);
  return body;
}

const buy: Fields = {
  direction: 1,
  swapMode: 0,
  amount0: 1_000_000_000n,
  paid: 1_000_000_000n,
  paidWithoutFee: 990_000_000n,
  received: 3_000_000n,
  tradingFee: 10_000_000n,
  sqrtPrice: 2n ** 64n,
};

test('the value of an exact-out buy is the amount paid; the first amount of its event is the requested output', () => {
  const exactOut = { ...buy, swapMode: EXACT_OUT, amount0: 3_000_000n, paid: 1_234_567_891n };
  expect(tradeValues(readSwapEvent(swapBody(exactOut)), 6)).toEqual({
    type: 'buy',
    solAmount: '1.234567891',
    tokenAmount: '3',
    pricePerTokenInSol: '0.411522630333333333',
    spotPriceInSol: '0.001',
    liquidityInSol: '5',
  } as ReturnType<typeof tradeValues>);
});

test('a fee in the bought token lowers only the received amount', () => {
  const feeInToken = { ...buy, paidWithoutFee: buy.paid, received: 2_970_000n, tradingFee: 30_000n };
  expect(tradeValues(readSwapEvent(swapBody(feeInToken)), 6)).toMatchObject({
    solAmount: '1',
    tokenAmount: '2.97',
  });
});

test('a fee in the sold token is part of the amount that the trader gave', () => {
  const sell = { ...buy, direction: 0, paid: 3_000_000n, paidWithoutFee: 2_970_000n, received: 40n };
  expect(tradeValues(readSwapEvent(swapBody(sell)), 6)).toMatchObject({
    type: 'sell',
    solAmount: '0.00000004',
    tokenAmount: '3',
    pricePerTokenInSol: '0.000000013333333333',
  });
});

test('the spot price keeps 18 fractional digits for every decimals of a token, at the ends of the curve too', () => {
  const spot = (sqrtPrice: bigint, decimals: number) =>
    String(tradeValues(readSwapEvent(swapBody({ ...buy, sqrtPrice })), decimals)?.spotPriceInSol);
  expect([6, 7, 8, 9].map((decimals) => spot(2n ** 64n, decimals))).toEqual(['0.001', '0.01', '0.1', '1']);
  // The program's lowest and highest square roots of a price.
  const [lowest, highest] = [4_295_048_016n, 79_226_673_521_066_979_257_578_248_091n];
  for (const [sqrtPrice, decimals] of [
    [lowest, 6],
    [lowest, 9],
    [highest, 6],
    [highest, 9],
  ] as const) {
    const exact = (sqrtPrice ** 2n * 10n ** BigInt(18 + decimals)) / 2n ** 128n / 10n ** 9n;
    const [whole = '', fraction = ''] = spot(sqrtPrice, decimals).split('.');
    expect(BigInt(whole + fraction.padEnd(18, '0'))).toBe(exact);
  }
});

test('a swap in which no token moved is no trade', () => {
  expect(tradeValues(readSwapEvent(swapBody({ ...buy, received: 0n })), 6)).toBeNull();
});
