import { expect, test } from 'bun:test';
import {
  CpAmm,
  CpAmmIdl,
  getPriceFromSqrtPrice as dammPrice,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
} from '@meteora-ag/cp-amm-sdk';
import {
  createDbcProgram,
  getPriceFromSqrtPrice as curvePrice,
  DynamicBondingCurveIdl,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import { Connection, PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../src/indexer/decode/decoded-transaction.ts';
import type { TokenPool } from '../../src/indexer/decode/known-pools.ts';
import { type RecordedTransaction, readCurveFixtures } from '../support/pools/curve-fixtures.ts';
import { poolsOf, readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { SOL } from '../support/pools/event-case.ts';
import {
  addressOf,
  eventInstruction,
  type IdlProgram,
  idlInstruction,
  transactionOf,
} from '../support/pools/program-idl.ts';

/*
 * Trades decoded by the npm libraries of the two programs. Their coders read the events, their interfaces
 * give the order of accounts, and their helpers compute prices. The product's decoder shares none of this
 * code.
 */

const SOL_DECIMALS = 9;
const FRACTION_DIGITS = 18;
const ROUND_DOWN = 1;
/** Anchor's tag of an event that a program emits by calling itself. */
const EVENT_TAG = 'e445a52e51cb9a1d';

// Nothing connects to this address, because tests use only the coders.
const nowhere = new Connection('http://127.0.0.1:1');
const coders = {
  dbc: createDbcProgram(nowhere).program.coder,
  damm: new CpAmm(nowhere)._program.coder,
};

interface Named {
  name: string;
  discriminator: readonly number[];
}
const idls: Record<IdlProgram, { address: string; instructions: unknown; events: unknown }> = {
  dbc: DynamicBondingCurveIdl,
  damm: CpAmmIdl,
};

/** The decimal class of a library's prices, which it sets to 20 digits. */
type LibraryDecimal = ReturnType<typeof dammPrice>;
interface DecimalClass {
  new (value: string): LibraryDecimal;
  readonly precision: number;
  set(options: { precision: number }): void;
}
/** With this precision the first 18 fractional digits are exact. */
const DIGITS = 200;
const prices = { dbc: curvePrice as typeof dammPrice, damm: dammPrice };
const classes = {
  dbc: prices.dbc(new BN(1), 6, 9).constructor as unknown as DecimalClass,
  damm: prices.damm(new BN(1), 6, 9).constructor as unknown as DecimalClass,
};

/** The fields of an event that make up a trade, with the interfaces' names. */
interface LibrarySwap {
  pool: { toBase58(): string };
  tradeDirection: number;
  swapResult: { includedFeeInputAmount: BN; outputAmount: BN; nextSqrtPrice: BN };
  /** Only in the curve's event. */
  quoteReserveAmount?: BN;
  /** Only in the AMM's event. */
  includedTransferFeeAmountIn?: BN;
  excludedTransferFeeAmountOut?: BN;
  reserveAAmount?: BN;
  reserveBAmount?: BN;
}

/** A trade in the product's terms. */
interface LibraryTrade {
  venue: IdlProgram;
  poolAddress: string;
  mintAddress: string;
  type: 'buy' | 'sell';
  traderWallet: string;
  solAmount: string;
  tokenAmount: string;
  pricePerTokenInSol: string;
  spotPriceInSol: string;
  liquidityInSol: string;
  outerIndex: number;
  innerIndex: number;
}

/** The body of an `EvtSwap2` with these fields, encoded by the library. */
function encodeSwap(program: IdlProgram, fields: object): Buffer {
  return coders[program].types.encode('evtSwap2', fields);
}

/** Trades of a recorded transaction in order. The node must report the levels of calls. */
function swapsByLibrary({ meta, transaction }: RecordedTransaction, tokenDecimals: number): LibraryTrade[] {
  if (meta.err !== null) return [];
  const { writable, readonly } = meta.loadedAddresses;
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly];
  return meta.innerInstructions.flatMap(({ index: outerIndex, instructions }) => {
    const outer = transaction.message.instructions[outerIndex];
    const calls = [{ ...outer, stackHeight: 1 }, ...instructions];
    return instructions.flatMap((instruction, innerIndex) => {
      const program = programAt(keys[instruction.programIdIndex]);
      const event = program === null ? null : readEvent(program, instruction.data);
      if (program === null || event === null) return [];
      // The event's caller is the nearest earlier call on the level above.
      const caller = calls
        .slice(0, innerIndex + 1)
        .findLast(({ stackHeight }) => stackHeight === (instruction.stackHeight ?? 0) - 1);
      if (caller?.accounts === undefined || caller.data === undefined) throw new Error('nobody called it');
      const accounts = caller.accounts.map((at) => keys[at] ?? '');
      const named = namedAccounts(program, caller.data, accounts);
      return [{ ...tradeOf(program, event, named, tokenDecimals), outerIndex, innerIndex }];
    });
  });
}

function programAt(address: string | undefined): IdlProgram | null {
  if (address === idls.dbc.address) return 'dbc';
  return address === idls.damm.address ? 'damm' : null;
}

function readEvent(program: IdlProgram, data: string): LibrarySwap | null {
  const bytes = Buffer.from(bs58.decode(data));
  if (bytes.subarray(0, 8).toString('hex') !== EVENT_TAG) return null;
  const decoded = coders[program].events.decode(bytes.subarray(8).toString('base64'));
  return decoded?.name === 'evtSwap2' ? (decoded.data as LibrarySwap) : null;
}

/** Accounts of an instruction by the names of the interface. */
function namedAccounts(
  program: IdlProgram,
  data: string,
  accounts: readonly string[],
): Record<string, string> {
  const instructions = idls[program].instructions as readonly (Named & { accounts: readonly Named[] })[];
  const tag = Buffer.from(bs58.decode(data)).subarray(0, 8);
  const found = instructions.find(({ discriminator }) => tag.equals(Buffer.from(discriminator)));
  if (found === undefined) throw new Error('the interface has no such instruction');
  return Object.fromEntries(found.accounts.map(({ name }, at) => [name, accounts[at] ?? '']));
}

/** The trade from the event and the accounts of its instruction. */
function tradeOf(
  program: IdlProgram,
  ...told: [event: LibrarySwap, named: Readonly<Record<string, string>>, tokenDecimals: number]
): Omit<LibraryTrade, 'outerIndex' | 'innerIndex'> {
  const decimal = classes[program];
  const { precision } = decimal;
  decimal.set({ precision: DIGITS });
  try {
    return exactTradeOf(program, ...told);
  } finally {
    // Other tests use the library with its default precision.
    decimal.set({ precision });
  }
}

function exactTradeOf(
  program: IdlProgram,
  event: LibrarySwap,
  named: Readonly<Record<string, string>>,
  tokenDecimals: number,
): Omit<LibraryTrade, 'outerIndex' | 'innerIndex'> {
  const Decimal = classes[program];
  const units = (raw: BN | undefined, decimalPlaces: number) => {
    if (raw === undefined) throw new Error('the event lacks a field');
    return new Decimal(raw.toString()).div(new Decimal('10').pow(decimalPlaces));
  };
  const [a = '', b = ''] =
    program === 'dbc' ? [named.base_mint, named.quote_mint] : [named.token_a_mint, named.token_b_mint];
  const solIsA = a === SOL;
  // In direction 0 the trader gives A (or base) and gets B (or quote).
  const givesSol = (event.tradeDirection === 0) === solIsA;
  const { swapResult } = event;
  const paid = event.includedTransferFeeAmountIn ?? swapResult.includedFeeInputAmount;
  const received = event.excludedTransferFeeAmountOut ?? swapResult.outputAmount;
  const [sol, token] = givesSol ? [paid, received] : [received, paid];
  const solReserve = event.quoteReserveAmount ?? (solIsA ? event.reserveAAmount : event.reserveBAmount);
  const [solAmount, tokenAmount] = [units(sol, SOL_DECIMALS), units(token, tokenDecimals)];
  const [decimalsA, decimalsB] = solIsA ? [SOL_DECIMALS, tokenDecimals] : [tokenDecimals, SOL_DECIMALS];
  const spot = prices[program](swapResult.nextSqrtPrice, decimalsA, decimalsB);
  return {
    venue: program,
    poolAddress: event.pool.toBase58(),
    mintAddress: solIsA ? b : a,
    type: givesSol ? 'buy' : 'sell',
    traderWallet: named.payer ?? '',
    solAmount: plain(solAmount),
    tokenAmount: plain(tokenAmount),
    pricePerTokenInSol: plain(solAmount.div(tokenAmount)),
    spotPriceInSol: plain(solIsA ? new Decimal('1').div(spot) : spot),
    liquidityInSol: plain(units(solReserve, SOL_DECIMALS)),
  };
}

/** The decimal, cut off after 18 fractional digits, without an exponent or trailing zeros. */
function plain(value: LibraryDecimal): string {
  return value.toDecimalPlaces(FRACTION_DIGITS, ROUND_DOWN).toFixed();
}

/** Trades without the fields that come from the transaction itself. */
const tradesOf = ({ trades }: DecodedTransaction) =>
  trades.map(({ signature: _, slot: __, blockTime: ___, ...trade }) => ({ ...trade }));

test('every recorded swap of both programs is the trade that their libraries read, field by field', () => {
  const counts = { dbc: 0, damm: 0 };
  const histories = [
    ...readCurveFixtures().map(({ pool, steps }) => ({ pools: pool, decimals: pool.decimals, steps })),
    ...readDammFixtures().map((fixture) => ({ ...fixture, pools: poolsOf(fixture) })),
  ];
  for (const { pools, decimals, steps } of histories)
    for (const { transaction } of steps) {
      const told = swapsByLibrary(transaction, decimals);
      const read = tradesOf(decodeTransaction(readChainTransaction(transaction), pools));
      expect<unknown>(read).toEqual(told);
      for (const { venue } of told) counts[venue] += 1;
    }
  // As the READMEs of the recordings count them.
  expect(counts).toEqual({ dbc: 31, damm: 55 });
});

const bn = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map((value) => new BN(value.toString()));
const u64 = bn(0n, (1n << 64n) - 1n);
/** The price of the moved amounts; an amount of zero has none. */
const moved = bn(1n, (1n << 64n) - 1n);
const sqrtPrice = fc
  .double({ min: 0, max: 1, noNaN: true })
  .chain((part) => {
    // Prices are spread over their orders of magnitude, not over their values.
    const [low, high] = [BigInt(String(MIN_SQRT_PRICE)), BigInt(String(MAX_SQRT_PRICE))];
    const bits = 32 + Math.round(part * 64);
    const top = 1n << BigInt(bits);
    return fc.bigInt({ min: low, max: top < low ? low : top > high ? high : top });
  })
  .map((value) => new BN(value.toString()));
const swapResult = fc.record({
  includedFeeInputAmount: moved,
  excludedFeeInputAmount: u64,
  amountLeft: u64,
  outputAmount: moved,
  nextSqrtPrice: sqrtPrice,
  tradingFee: u64,
  claimingFee: u64,
  protocolFee: u64,
  compoundingFee: u64,
  referralFee: u64,
});
const parameters = fc.record({ amount0: u64, amount1: u64, swapMode: fc.integer({ min: 0, max: 2 }) });
const fields = fc.record({
  tradeDirection: fc.constantFrom(0, 1),
  hasReferral: fc.boolean(),
  collectFeeMode: fc.integer({ min: 0, max: 2 }),
  parameters,
  swapResult,
  quoteReserveAmount: u64,
  migrationThreshold: u64,
  currentTimestamp: bn(1n, 4_000_000_000n),
  includedTransferFeeAmountIn: moved,
  includedTransferFeeAmountOut: moved,
  excludedTransferFeeAmountOut: moved,
  reserveAAmount: u64,
  reserveBAmount: u64,
});

test('random swaps that the libraries encode are the trades that the libraries read', () => {
  const [poolAddress, mintAddress] = [addressOf('the pool'), addressOf('the token')];
  fc.assert(
    fc.property(
      fields,
      fc.constantFrom('dbc' as const, 'damm' as const),
      fc.constantFrom('swap', 'swap2'),
      fc.boolean(),
      fc.integer({ min: 0, max: 18 }),
      ({ parameters: asked, ...random }, program, instruction, solIsA, decimals) => {
        const [a, b] = program === 'damm' && solIsA ? [SOL, mintAddress] : [mintAddress, SOL];
        const mints =
          program === 'dbc' ? { base_mint: a, quote_mint: b } : { token_a_mint: a, token_b_mint: b };
        const outer = idlInstruction(program, instruction, {
          pool: poolAddress,
          virtual_pool: poolAddress,
          ...mints,
        });
        const key = new PublicKey(poolAddress);
        const body = encodeSwap(program, {
          ...random,
          pool: key,
          config: key,
          swapParameters: asked,
          params: asked,
        });
        const pool = { venue: program, poolAddress, mintAddress, decimals } as TokenPool;
        const decoded = decodeTransaction(
          transactionOf(outer, [eventInstruction(program, 'EvtSwap2', body)]),
          pool,
        );
        const own = program === 'dbc' ? ['quoteReserveAmount'] : ammFields;
        const { tradeDirection, swapResult: result } = random;
        const event = Object.fromEntries(own.map((name) => [name, random[name as keyof typeof random]]));
        const told = tradeOf(
          program,
          { pool: key, tradeDirection, swapResult: result, ...event } as LibrarySwap,
          { payer: addressOf('payer'), ...mints },
          decimals,
        );
        expect<unknown>(tradesOf(decoded)).toEqual([{ ...told, outerIndex: 0, innerIndex: 0 }]);
      },
    ),
    { numRuns: 2_000 },
  );
});

const ammFields = [
  'includedTransferFeeAmountIn',
  'excludedTransferFeeAmountOut',
  'reserveAAmount',
  'reserveBAmount',
];
