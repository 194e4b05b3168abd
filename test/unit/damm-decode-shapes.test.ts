import { describe, expect, test } from 'bun:test';
import bs58 from 'bs58';
import fc from 'fast-check';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../src/indexer/decode/decoded-transaction.ts';
import type { TokenPool } from '../../src/indexer/decode/known-pools.ts';
import { isDecimalString } from '../../src/shared/decimal.ts';
import { type RecordedTransaction, readCurveFixtures } from '../support/curve-fixtures.ts';
import {
  type DammFixture,
  dammFixture,
  lookup,
  poolsOf,
  readDammFixtures,
} from '../support/damm-fixtures.ts';
import { addressOf, idlInstruction, transactionOf } from '../support/program-idl.ts';

// Shapes that no recording has, each made from one that was recorded by changing what the name of the test says.

const CURVE = 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN';
const AMM = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
const AMM_V1 = 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB';
const CURVE_EVENT_AUTHORITY = '8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF';
const AMM_EVENT_AUTHORITY = '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet';
const SPL_TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SOL = 'So11111111111111111111111111111111111111112';
const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const EVENT_SWAP = '1b3c15d58aaabb93';

/** The first step of this kind in a fresh copy of the history. */
function stepOf(letter: string, what: string) {
  const fixture = dammFixture(letter);
  const found = fixture.steps.find((step) => step.what.includes(what));
  if (found === undefined) throw new Error(`no step ${what}`);
  return { fixture, ...found };
}

const decode = (transaction: RecordedTransaction, fixture: DammFixture): DecodedTransaction =>
  decodeTransaction(readChainTransaction(transaction), poolsOf(fixture));

/** Trades, claims and changes of liquidity without their places, which wrapping moves. */
function withoutPlaces({ trades, feeClaims, liquidityChanges, permanentLocks }: DecodedTransaction) {
  return [trades, feeClaims, liquidityChanges, permanentLocks].map((facts) =>
    facts.map(({ outerIndex: _, innerIndex: __, ...fact }) => fact),
  );
}

function keysOf({ meta, transaction }: RecordedTransaction): string[] {
  return [
    ...transaction.message.accountKeys,
    ...meta.loadedAddresses.writable,
    ...meta.loadedAddresses.readonly,
  ];
}

/** The index of an address in the transaction, added when it is not there. Lookup tables are folded in first. */
function indexOf(recorded: RecordedTransaction, address: string): number {
  const { message } = recorded.transaction;
  message.accountKeys = keysOf(recorded);
  recorded.meta.loadedAddresses = { writable: [], readonly: [] };
  const at = message.accountKeys.indexOf(address);
  return at === -1 ? message.accountKeys.push(address) - 1 : at;
}

/** Puts all top-level instructions into one call of a router, `levels` deep, in their order. */
function throughRouter(recorded: RecordedTransaction, levels: number): void {
  const router = indexOf(recorded, ROUTER);
  const { message } = recorded.transaction;
  const wrapper = { programIdIndex: router, accounts: [], data: '', stackHeight: 2 };
  const inner = message.instructions.flatMap((outer, at) => [
    ...Array.from({ length: levels - 1 }, (_, level) => ({ ...wrapper, stackHeight: level + 2 })),
    { ...outer, stackHeight: levels + 1 },
    ...(recorded.meta.innerInstructions.find(({ index }) => index === at)?.instructions ?? []).map((one) => ({
      ...one,
      stackHeight: (one.stackHeight ?? 0) + levels,
    })),
  ]);
  message.instructions = [{ programIdIndex: router, accounts: [], data: '', stackHeight: 1 }];
  recorded.meta.innerInstructions = [{ index: 0, instructions: inner }];
}

function eventsIn(recorded: RecordedTransaction) {
  const keys = keysOf(recorded);
  return recorded.meta.innerInstructions.flatMap(({ instructions }) =>
    instructions.filter(({ accounts, programIdIndex }) => {
      const isProgram = [CURVE, AMM].includes(keys[programIdIndex] ?? '');
      return isProgram && accounts.length === 1;
    }),
  );
}

const hexOf = (data: string) => Buffer.from(bs58.decode(data)).toString('hex');

/** Steps that hold facts: trades, claims, changes, locks. */
const factSteps = readDammFixtures().flatMap((fixture) =>
  fixture.steps.flatMap(({ what, transaction, expected }, at) =>
    expected.trades.length > 0 || expected.feeClaims || expected.liquidityChanges || expected.permanentLocks
      ? [{ name: `${fixture.name} ${at}: ${what}`, fixture, transaction }]
      : [],
  ),
);

describe('called by other programs', () => {
  test.each([1, 2, 3])('%d levels deep: the same facts with the same trader and owners', (levels) => {
    for (const { fixture, transaction } of factSteps) {
      const copy = structuredClone(transaction);
      throughRouter(copy, levels);
      expect(withoutPlaces(decode(copy, fixture))).toEqual(withoutPlaces(decode(transaction, fixture)));
      for (const { instructions } of copy.meta.innerInstructions)
        for (const instruction of instructions) instruction.stackHeight = null;
      expect(withoutPlaces(decode(copy, fixture))).toEqual(withoutPlaces(decode(transaction, fixture)));
    }
  });

  test('a migration: the same facts, and what ran after it in the same call is not a part of it', () => {
    const { fixture, transaction } = stepOf('a', 'the curve migrates');
    const adds = stepOf('a', 'an outside provider').transaction;
    const plain = decode(transaction, fixture).migrations;
    const copy = structuredClone(transaction);
    throughRouter(copy, 1);
    expect(decode(copy, fixture)).toMatchObject({
      migrations: plain.map((migration) => ({ ...migration, innerIndex: 0 })),
      liquidityChanges: [],
    });
    // Then somebody adds liquidity inside the same call of the router.
    throughRouter(adds, 1);
    const keys = keysOf(adds);
    const moved = adds.meta.innerInstructions.flatMap(({ instructions }) =>
      instructions.map((one) => ({
        ...one,
        programIdIndex: indexOf(copy, keys[one.programIdIndex] ?? ''),
        accounts: one.accounts.map((account) => indexOf(copy, keys[account] ?? '')),
      })),
    );
    copy.meta.innerInstructions[0]?.instructions.push(...moved);
    const both = decode(copy, fixture);
    expect(both.migrations[0]?.solMoved).toBe(plain[0]?.solMoved);
    expect(both.migrations[0]?.positions).toEqual(plain[0]?.positions);
    expect(both.liquidityChanges).toHaveLength(1);
  });
});

describe('events that somebody else makes up', () => {
  const changes = {
    'of another program': (recorded: RecordedTransaction) => {
      const router = indexOf(recorded, ROUTER);
      for (const event of eventsIn(recorded)) event.programIdIndex = router;
    },
    'under another event authority': (recorded: RecordedTransaction) => {
      const other = indexOf(recorded, addressOf('another authority'));
      for (const event of eventsIn(recorded)) event.accounts = [other];
    },
    'of the other of the two programs': (recorded: RecordedTransaction) => {
      const [curve, amm] = [indexOf(recorded, CURVE), indexOf(recorded, AMM)];
      const [curveAuthority, ammAuthority] = [
        indexOf(recorded, CURVE_EVENT_AUTHORITY),
        indexOf(recorded, AMM_EVENT_AUTHORITY),
      ];
      for (const event of eventsIn(recorded)) {
        const isCurve = event.programIdIndex === curve;
        event.programIdIndex = isCurve ? amm : curve;
        event.accounts = [isCurve ? ammAuthority : curveAuthority];
      }
    },
    'in a transaction that failed': (recorded: RecordedTransaction) => {
      recorded.meta.err = { InstructionError: [0, { Custom: 1 }] };
    },
  };

  test.each(Object.entries(changes))('%s: nothing counts', (_, change) => {
    for (const { fixture, transaction } of factSteps) {
      const copy = structuredClone(transaction);
      change(copy);
      expect(withoutPlaces(decode(copy, fixture))).toEqual([[], [], [], []]);
    }
  });

  test('on a level that no instruction could have called: nothing counts twice', () => {
    const { fixture, transaction } = stepOf('a', 'AMM sell, exact in, swap');
    const inner = transaction.meta.innerInstructions.find(({ index }) => index === 1);
    const event = inner?.instructions.at(-1);
    if (inner === undefined || event === undefined) throw new Error('no event');
    inner.instructions.push({ ...event, stackHeight: 4 });
    expect(decode(transaction, fixture).trades).toHaveLength(1);
  });
});

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
        // What needs no amount of the token is told all the same.
        expect([decoded.curveCompleted, decoded.migrated]).toEqual([
          expected.curveCompleted,
          expected.migrated !== null,
        ]);
      }
    }
  });
});

test('a fee of the token program itself is a part of what the trader gave, and not of what it got', () => {
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

test('a migration to DAMM v1 tells its pool, config and what moved, from the accounts of its instruction', () => {
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
  const { migrations, migrated, skippedEvents } = decodeTransaction(transactionOf(outer, inner), pool);
  expect([migrated, skippedEvents.length]).toEqual([true, 0]);
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
  // The instruction in itself is nothing: it must be of this curve, by the curve's program, and have succeeded.
  const failed = { ...transactionOf(outer, inner), failed: true };
  const elsewhere = transactionOf({ ...outer, programAddress: ROUTER }, inner);
  const other = { ...pool, poolAddress: addressOf('another curve') };
  for (const [transaction, of] of [
    [failed, pool],
    [elsewhere, pool],
    [transactionOf(outer, inner), other],
  ] as const)
    expect(decodeTransaction(transaction, of)).toMatchObject({ migrated: false, migrations: [] });
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

describe('garbled events', () => {
  const recorded = [
    ...readDammFixtures().map((fixture) => ({ fixture, pools: poolsOf(fixture), steps: fixture.steps })),
    ...readCurveFixtures().map((fixture) => ({
      fixture,
      pools: lookup([fixture.pool]),
      steps: fixture.steps,
    })),
  ].flatMap(({ pools, steps }) => steps.map(({ transaction }) => ({ pools, transaction })));

  test('never throw, and leave nothing that is not an amount, a time or an address', () => {
    const places = fc.nat({ max: 10_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...recorded),
        fc.array(fc.tuple(places, fc.constantFrom('cut', 'flip', 'accounts', 'noise'), places, fc.nat(255)), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.boolean(),
        ({ pools, transaction }, mutations, hasBlockTime) => {
          const copy = structuredClone(transaction);
          copy.meta.err = null;
          if (!hasBlockTime) copy.blockTime = null;
          const all = [
            ...copy.transaction.message.instructions,
            ...copy.meta.innerInstructions.flatMap(({ instructions }) => instructions),
            ...eventsIn(copy).flatMap((event) => [event, event, event]),
          ];
          for (const [which, kind, at, byte] of mutations) {
            const instruction = all[which % all.length];
            if (instruction === undefined) continue;
            const bytes = Buffer.from(bs58.decodeUnsafe(instruction.data) ?? []);
            if (kind === 'cut') instruction.data = bs58.encode(bytes.subarray(0, at % (bytes.length + 1)));
            if (kind === 'accounts') instruction.accounts.splice(at % (instruction.accounts.length + 1), 1);
            if (kind === 'noise') instruction.data = '0OIl not Base58';
            if (kind === 'flip' && bytes.length > 0) {
              bytes[at % bytes.length] = byte;
              instruction.data = bs58.encode(bytes);
            }
          }
          const decoded = decodeTransaction(readChainTransaction(copy), pools);
          for (const { blockTime, ...trade } of decoded.trades) {
            expect(Number.isNaN(blockTime.getTime())).toBe(false);
            for (const value of [
              trade.solAmount,
              trade.tokenAmount,
              trade.pricePerTokenInSol,
              trade.spotPriceInSol,
            ])
              expect(isDecimalString(value)).toBe(true);
          }
          for (const { solAmount, tokenAmount } of [...decoded.feeClaims, ...decoded.liquidityChanges])
            expect(isDecimalString(solAmount) && isDecimalString(tokenAmount)).toBe(true);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
