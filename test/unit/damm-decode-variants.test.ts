import { describe, expect, test } from 'bun:test';
import bs58 from 'bs58';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { TokenPool } from '../../src/indexer/decode/known-pools.ts';
import {
  AMM_V1,
  decode,
  EVENT_SWAP,
  eventsIn,
  hexOf,
  indexOf,
  ROUTER,
  SOL,
  SPL_TOKEN,
  stepOf,
  withoutPlaces,
} from '../support/pools/changed-recordings.ts';
import { dammFixture, lookup, readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { addressOf, idlInstruction, transactionOf } from '../support/pools/program-idl.ts';

// Shapes that no recording has. Each is a recorded one with the change that the test's name says.

describe('pools that cannot be indexed are named, and harm nothing', () => {
  const swapAccounts = { mintA: 6, mintB: 7 };

  function withMints(letter: string, what: string, change: Partial<Record<'mintA' | 'mintB', string>>) {
    const { fixture, transaction, expected } = stepOf(letter, what);
    const swap = transaction.transaction.message.instructions[expected.trades[0]?.outerIndex ?? 0];
    for (const [side, mint] of Object.entries(change)) {
      const place = swapAccounts[side as 'mintA' | 'mintB'];
      swap?.accounts.splice(place, 1, indexOf(transaction, mint));
    }
    return decode(transaction, fixture);
  }

  test('another quote token, on either side', () => {
    const usd = addressOf('a dollar');
    expect(withMints('a', 'AMM sell, exact in', { mintB: usd })).toMatchObject({
      trades: [],
      skippedSwaps: ['quote_is_not_sol'],
    });
    expect(withMints('d', 'AMM sell', { mintA: usd })).toMatchObject({
      trades: [],
      skippedSwaps: ['quote_is_not_sol'],
    });
  });

  test('another token than the one that is known', () => {
    const other = addressOf('another token');
    expect(withMints('a', 'AMM sell, exact in', { mintA: other }).skippedSwaps).toEqual(['mint_differs']);
    expect(withMints('d', 'AMM sell', { mintB: other }).skippedSwaps).toEqual(['mint_differs']);
  });

  test('claims and liquidity in another quote token', () => {
    for (const [what, place] of [
      ['the provider claims its position fee', 8],
      ['the provider removes', 8],
    ] as const) {
      const { fixture, transaction } = stepOf('a', what);
      const call = transaction.transaction.message.instructions[2];
      call?.accounts.splice(place, 1, indexOf(transaction, addressOf('a dollar')));
      const decoded = decode(transaction, fixture);
      expect(withoutPlaces(decoded)).toEqual([[], [], [], []]);
      expect(decoded.skippedEvents.map(({ reason, poolAddress }) => [reason, poolAddress])).toEqual([
        ['quote_is_not_sol', fixture.ammPool.poolAddress],
      ]);
    }
  });

  test.each([19, 255, -1, 1.5, Number.NaN])('a token with %d decimals', (decimals) => {
    for (const fixture of readDammFixtures()) {
      const pools = [fixture.curvePool, fixture.ammPool].filter((pool) => pool !== null);
      const absurd = lookup(pools.map((pool): TokenPool => ({ ...pool, decimals })));
      for (const { transaction, expected } of fixture.steps) {
        const decoded = decodeTransaction(readChainTransaction(transaction), absurd);
        expect(decoded.skippedSwaps).toEqual(expected.trades.map(() => 'decimals_unusable'));
        expect([...decoded.trades, ...decoded.feeClaims, ...decoded.liquidityChanges]).toEqual([]);
        // Facts without an amount of the token are reported all the same.
        expect([decoded.curveCompletions.length > 0, decoded.migrations.length > 0]).toEqual([
          expected.curveCompleted,
          expected.migrated !== null,
        ]);
      }
    }
  });
});

test("a token program's own fee is part of the amount that the trader gave, and not of the amount received", () => {
  for (const [what, offset, raw, tokenAmount] of [
    ['AMM sell, exact in', 132, 34_000_000_000_000n, '34000000'],
    ['AMM buy, exact in', 148, 18_000_000_000_000n, '18000000'],
  ] as const) {
    const { fixture, transaction, expected } = stepOf('a', what);
    const event = eventsIn(transaction).at(-1);
    if (event === undefined) throw new Error('no event');
    const bytes = Buffer.from(bs58.decode(event.data));
    bytes.writeBigUInt64LE(raw, 16 + offset);
    event.data = bs58.encode(bytes);
    expect<unknown>(decode(transaction, fixture).trades[0]?.tokenAmount).toBe(tokenAmount);
    expect<unknown>(decode(transaction, fixture).trades[0]?.solAmount).toBe(expected.trades[0]?.solAmount);
  }
});

test('a generation that emits only the older event gives the same trades without a reserve', () => {
  for (const letter of ['a', 'd']) {
    for (const { transaction, expected } of dammFixture(letter).steps) {
      if (expected.trades.length === 0 || expected.trades.some(({ venue }) => venue === 'dbc')) continue;
      const fixture = dammFixture(letter);
      const newer = decode(transaction, fixture).trades;
      for (const event of eventsIn(transaction)) {
        const bytes = Buffer.from(bs58.decode(event.data));
        const body = bytes.subarray(16);
        const [included, output] = [body.subarray(132, 140), body.subarray(76, 84)];
        event.data = bs58.encode(
          Buffer.concat([
            bytes.subarray(0, 8),
            Buffer.from(EVENT_SWAP, 'hex'),
            body.subarray(0, 33), // pool, direction
            body.subarray(34, 35), // has_referral
            included,
            Buffer.alloc(8), // minimum_amount_out
            output,
            body.subarray(84, 100), // next_sqrt_price
            Buffer.alloc(4 * 8), // fees
            included, // actual_amount_in
            body.subarray(156, 164), // current_timestamp
          ]),
        );
      }
      expect(decode(transaction, fixture).trades).toEqual(
        newer.map((trade) => ({ ...trade, liquidityInSol: null })),
      );
    }
  }
});

test('where the older event is emitted beside the newer one, the newer one counts', () => {
  const { fixture, transaction } = stepOf('a', 'AMM sell, exact in');
  const plain = decode(transaction, fixture).trades;
  const inner = transaction.meta.innerInstructions.find(({ index }) => index === 1)?.instructions;
  const event = inner?.at(-1);
  if (inner === undefined || event === undefined) throw new Error('no event');
  const hex = hexOf(event.data);
  inner.push({
    ...event,
    data: bs58.encode(Buffer.from(hex.replace('bd4233a826507599', EVENT_SWAP), 'hex')),
  });
  expect(decode(transaction, fixture)).toMatchObject({ trades: plain, skippedSwaps: [] });
});

test('a migration to DAMM v1 reports its pool, config and moved amounts from the accounts of its instruction', () => {
  const pool = { poolAddress: addressOf('the curve'), mintAddress: addressOf('the token'), decimals: 6 };
  const outer = idlInstruction('dbc', 'migrate_meteora_damm', {
    virtual_pool: pool.poolAddress,
    token_a_mint: pool.mintAddress,
    token_b_mint: SOL,
    amm_program: AMM_V1,
  });
  const transfer = (from: string, raw: bigint) => {
    const data = Buffer.alloc(9, 3);
    data.writeBigUInt64LE(raw, 1);
    const accounts = [addressOf(from), addressOf('somewhere'), addressOf('pool_authority')];
    return { programAddress: SPL_TOKEN, accounts, data: bs58.encode(data), stackHeight: 2 };
  };
  const inner = [
    transfer('quote_vault', 84_000_000_000n),
    transfer('base_vault', 200_000_000_000_000n),
    transfer('quote_vault', 1n),
    transfer('another vault', 5n),
  ];
  const { migrations, skippedEvents } = decodeTransaction(transactionOf(outer, inner), pool);
  expect([migrations.length, skippedEvents.length]).toEqual([1, 0]);
  expect(migrations).toMatchObject([
    {
      curvePoolAddress: pool.poolAddress,
      ammProgram: AMM_V1,
      ammPoolAddress: addressOf('pool'),
      ammConfigAddress: addressOf('damm_config'),
      outerIndex: 0,
      innerIndex: null,
      tokenMoved: '200000000',
      solMoved: '84.000000001',
      positions: [],
    } as never,
  ]);
  // The instruction alone proves nothing: it must be of this curve, by the curve's program, and have succeeded.
  const failed = { ...transactionOf(outer, inner), failed: true };
  const elsewhere = transactionOf({ ...outer, programAddress: ROUTER }, inner);
  const other = { ...pool, poolAddress: addressOf('another curve') };
  for (const [transaction, of] of [
    [failed, pool],
    [elsewhere, pool],
    [transactionOf(outer, inner), other],
  ] as const)
    expect(decodeTransaction(transaction, of)).toMatchObject({ migrations: [] });
});

test('without token balances, owners come from the instructions that made the accounts', () => {
  const { fixture, transaction, expected } = stepOf('a', 'the partner claims its trading fee');
  const {
    preTokenBalances: _,
    postTokenBalances: __,
    ...meta
  } = transaction.meta as typeof transaction.meta & {
    preTokenBalances: unknown;
    postTokenBalances: unknown;
  };
  const [claim] = decode({ ...transaction, meta }, fixture).feeClaims;
  expect(claim?.solRecipient).toBe(expected.feeClaims?.[0]?.solRecipient ?? '');
});
