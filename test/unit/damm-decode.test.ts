import { describe, expect, test } from 'bun:test';
import { readDammPosition } from '../../src/chain/accounts/damm-position.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../src/indexer/decode/decoded-transaction.ts';
import type { TokenPool } from '../../src/indexer/decode/known-pools.ts';
import { poolsOf, readDammFixtures } from '../support/pools/damm-fixtures.ts';

/** Trades in the shape of the recordings. */
function tradesOf({ trades }: DecodedTransaction): unknown[] {
  return trades.map(({ blockTime: _, liquidityInSol: __, slot, ...row }) => ({ ...row, slot: Number(slot) }));
}

function claimsOf({ feeClaims }: DecodedTransaction): unknown[] {
  return feeClaims.map(
    ({
      venue,
      eventName,
      positionAddress,
      mintAddress: _,
      signature: __,
      slot: ___,
      blockTime,
      ...claim
    }) => {
      expect(blockTime).not.toBeNull();
      const position = positionAddress === null ? {} : { position: positionAddress };
      return { ...claim, ...position, program: venue, event: eventName };
    },
  );
}

function changesOf({ liquidityChanges }: DecodedTransaction): unknown[] {
  return liquidityChanges.map(({ kind, solAmount, tokenAmount, outerIndex, innerIndex, ...change }) => ({
    kind,
    position: change.positionAddress,
    owner: change.ownerAddress,
    liquidity: String(change.liquidity),
    solAmount,
    tokenAmount,
    outerIndex,
    innerIndex,
  }));
}

function locksOf({ permanentLocks }: DecodedTransaction): unknown[] {
  return permanentLocks.map(({ positionAddress, liquidity, poolTotalPermanentlyLocked, ...lock }) => ({
    position: positionAddress,
    liquidity: String(liquidity),
    poolTotalPermanentlyLocked: String(poolTotalPermanentlyLocked),
    outerIndex: lock.outerIndex,
    innerIndex: lock.innerIndex,
  }));
}

describe.each(readDammFixtures())(
  '$name: every recorded transaction decodes to exactly what is expected',
  (fixture) => {
    const { steps, known, curvePool, ammPool, accountsAfter } = fixture;

    test('step by step', () => {
      let liquidityInSol: unknown = null;
      steps.forEach(({ what, transaction, expected }, at) => {
        const step = `${at} ${what}`;
        const decoded = decodeTransaction(readChainTransaction(transaction), poolsOf(fixture));
        expect({ step, rows: tradesOf(decoded) }).toEqual({ step, rows: expected.trades });
        expect({ step, rows: claimsOf(decoded) }).toEqual({ step, rows: expected.feeClaims ?? [] });
        expect({ step, rows: changesOf(decoded) }).toEqual({ step, rows: expected.liquidityChanges ?? [] });
        expect({ step, rows: locksOf(decoded) }).toEqual({ step, rows: expected.permanentLocks ?? [] });
        expect(decoded.curveCompletions.length > 0).toBe(expected.curveCompleted);
        expect(decoded.migrations.length > 0).toBe(expected.migrated !== null);
        expect(decoded.unknownEvents.size).toBe(0);
        expect([...decoded.skippedSwaps, ...decoded.skippedEvents]).toEqual([]);
        // A gift to the vault emits nothing and changes nothing: the reserve is the one known before.
        const after = decoded.liquidityInSol.get(expected.liquidityPool ?? '') ?? null;
        expect(decoded.liquidityInSol.size).toBe(after === null ? 0 : 1);
        expect<unknown>(what.startsWith('a gift') ? liquidityInSol : after).toBe(expected.liquidityInSol);
        liquidityInSol = after ?? liquidityInSol;
        for (const { blockTime, liquidityInSol: own, poolAddress } of decoded.trades) {
          expect(blockTime.getTime()).toBe((transaction.blockTime ?? 0) * 1_000);
          if (decoded.trades.length === 1) expect(own).toBe(decoded.liquidityInSol.get(poolAddress) ?? null);
        }
      });
    });

    test('the two pools of a token, read separately, yield together the expected facts, and none twice', () => {
      for (const { transaction, expected } of steps) {
        const read = readChainTransaction(transaction);
        const single = (pool: TokenPool | null) => (pool === null ? [] : [decodeTransaction(read, pool)]);
        const each = [...single(curvePool), ...single(ammPool)];
        expect(each.flatMap(tradesOf)).toEqual(expected.trades);
        expect(each.flatMap(claimsOf)).toEqual(expected.feeClaims ?? []);
        expect(each.flatMap(changesOf)).toEqual(expected.liquidityChanges ?? []);
        if (expected.migrated === null) continue;
        // Both see this one transaction: the same facts from either side, with the same identity.
        const [fromCurve, fromAmm] = each;
        if (fromCurve === undefined || fromAmm === undefined) throw new Error('two pools migrate');
        expect(fromAmm.migrations).toEqual(fromCurve.migrations);
        expect(fromAmm.permanentLocks).toEqual(fromCurve.permanentLocks);
        expect([fromCurve.poolCreated, fromAmm.poolCreated]).toEqual([false, true]);
      }
    });

    test('a migration reports the AMM pool, what moved into it, and the positions as their owners got them', () => {
      const migrations = steps.flatMap(({ transaction, expected }) => {
        const decoded = decodeTransaction(readChainTransaction(transaction), poolsOf(fixture));
        return decoded.migrations.map((migration) => ({ migration, decoded, transaction, expected }));
      });
      expect(migrations).toHaveLength(curvePool === null ? 0 : 1);
      for (const { migration, decoded, transaction, expected } of migrations) {
        const { ammProgram, ammPoolAddress, ammConfigAddress, outerIndex, innerIndex } = migration;
        expect({
          ammProgram,
          ammPool: ammPoolAddress,
          ammConfig: ammConfigAddress,
          outerIndex,
        }).toEqual(expected.migrated as never);
        expect(innerIndex).toBeNull();
        expect(migration.curvePoolAddress).toBe(known.pool ?? '');
        expect(migration.slot).toBe(BigInt(transaction.slot));
        expect(migration.blockTime).toEqual(new Date((transaction.blockTime ?? 0) * 1_000));
        // All of it became the reserve: the curve pays nothing else in this instruction.
        expect<unknown>(migration.solMoved).toBe(expected.liquidityInSol);
        expect(
          migration.positions.map(({ positionAddress, ownerAddress, nftMintAddress }) => [
            positionAddress,
            ownerAddress,
            nftMintAddress,
          ]),
        ).toEqual(
          known.positions
            .slice(0, migration.positions.length)
            .map(({ position, owner, nftMint }) => [position, owner, nftMint]),
        );
        const locked = decoded.permanentLocks.map(({ positionAddress, liquidity }) => [
          positionAddress,
          liquidity,
        ]);
        expect(
          migration.positions.map(({ positionAddress, permanentlyLockedLiquidity }) => [
            positionAddress,
            permanentlyLockedLiquidity,
          ]),
        ).toEqual(locked);
        // Nobody has touched the liquidity of these positions since.
        for (const { positionAddress, liquidity, permanentlyLockedLiquidity } of migration.positions) {
          const account = readDammPosition(accountsAfter.get(positionAddress) ?? null);
          if (account === null) throw new Error('the position was not recorded');
          expect(permanentlyLockedLiquidity).toBe(account.permanentlyLockedLiquidity);
          expect(liquidity).toBe(
            account.unlockedLiquidity + account.vestedLiquidity + account.permanentlyLockedLiquidity,
          );
        }
        expect(
          decoded.ammPoolsCreated.map(({ poolAddress, configAddress }) => [poolAddress, configAddress]),
        ).toEqual([[known.ammPool, known.ammConfig ?? null]]);
      }
    });

    test('the completion of the curve reports its time and the SOL that it held', () => {
      for (const { transaction, expected } of steps) {
        const { curveCompletions } = decodeTransaction(readChainTransaction(transaction), poolsOf(fixture));
        expect<unknown[]>(
          curveCompletions.map(({ blockTime, slot, liquidityInSol, poolAddress }) => [
            blockTime,
            slot,
            liquidityInSol,
            poolAddress,
          ]),
        ).toEqual(
          expected.curveCompleted
            ? [
                [
                  new Date((transaction.blockTime ?? 0) * 1_000),
                  BigInt(transaction.slot),
                  expected.liquidityInSol,
                  known.pool,
                ],
              ]
            : [],
        );
      }
    });
  },
);
