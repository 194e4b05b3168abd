import { describe, expect, test } from 'bun:test';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import { readCurveFixtures } from '../support/pools/curve-fixtures.ts';

describe('every recorded transaction decodes to exactly its expected rows', () => {
  for (const { name, pool, steps } of readCurveFixtures()) {
    for (const [at, { transaction, expected }] of steps.entries()) {
      test(`${name} step ${at}`, () => {
        const decoded = decodeTransaction(readChainTransaction(transaction), pool);
        const rows = decoded.trades.map(({ blockTime: _, liquidityInSol: __, venue: ___, slot, ...row }) => ({
          ...row,
          slot: Number(slot),
        }));
        expect<unknown>(rows).toEqual(expected.trades);
        expect(decoded.curveCompletions.length > 0).toBe(expected.curveCompleted);
        expect<unknown>(decoded.trades.at(-1)?.liquidityInSol ?? null).toBe(expected.liquidityInSol);
        expect(decoded.poolCreated).toBe(at === 0);
        expect(decoded.unknownEvents.size).toBe(0);
        expect(decoded.skippedSwaps).toEqual([]);
        for (const { blockTime } of decoded.trades)
          expect(blockTime.getTime()).toBe((transaction.blockTime ?? 0) * 1_000);
      });
    }
  }
});
