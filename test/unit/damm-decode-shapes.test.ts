import { describe, expect, test } from 'bun:test';
import bs58 from 'bs58';
import fc from 'fast-check';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import { isDecimalString } from '../../src/shared/decimal.ts';
import {
  AMM,
  AMM_EVENT_AUTHORITY,
  CURVE,
  CURVE_EVENT_AUTHORITY,
  decode,
  eventsIn,
  indexOf,
  keysOf,
  ROUTER,
  stepOf,
  throughRouter,
  withoutPlaces,
} from '../support/pools/changed-recordings.ts';
import { type RecordedTransaction, readCurveFixtures } from '../support/pools/curve-fixtures.ts';
import { lookup, poolsOf, readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { addressOf } from '../support/pools/program-idl.ts';

// Shapes that no recording has. Each is a recorded one with the change that the test's name says.

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

  test('a migration: the same facts, without instructions that ran after it in the same call', () => {
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

describe('events forged by another program', () => {
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

  test('on a level that no instruction can have called: nothing counts twice', () => {
    const { fixture, transaction } = stepOf('a', 'AMM sell, exact in, swap');
    const inner = transaction.meta.innerInstructions.find(({ index }) => index === 1);
    const event = inner?.instructions.at(-1);
    if (inner === undefined || event === undefined) throw new Error('no event');
    inner.instructions.push({ ...event, stackHeight: 4 });
    expect(decode(transaction, fixture).trades).toHaveLength(1);
  });
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

  test('never throw, and yield only amounts, times and addresses', () => {
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
              String(trade.spotPriceInSol),
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
