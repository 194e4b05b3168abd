import { describe, expect, test } from 'bun:test';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import type { Claim, ClaimKind } from '../../src/chain/pools/claims/claim.ts';
import { readCurveClaims } from '../../src/chain/pools/claims/curve-claims.ts';
import { readPositionClaim } from '../../src/chain/pools/claims/position-claim.ts';
import { type DecimalString, decimalToRaw } from '../../src/shared/decimal.ts';
import { type DammFixture, type ExpectedFeeClaim, readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { readRecordedHistories } from '../support/recorded-histories.ts';
import { ReplayedChain } from '../support/replayed-chain.ts';

const kinds: Readonly<Record<string, readonly ClaimKind[]>> = {
  curvePartnerFee: ['partner_trading_fee'],
  curveCreatorFee: ['creator_trading_fee'],
  curvePartnerSurplus: ['partner_surplus'],
  curveCreatorSurplus: ['creator_surplus'],
  curveMigrationFee: ['partner_migration_fee', 'creator_migration_fee'],
  curveLeftover: ['leftover'],
  positionFee: ['position_fee'],
};

type Accounts = (address: string) => ChainAccount | null;

/** Everything that a wallet may claim from the accounts of the recording, as they are now. */
function claimsOf(
  wallet: string,
  { known, curvePool }: DammFixture,
  account: Accounts,
  slot: bigint,
): Claim[] {
  const { config = '', baseVault = '' } = known as unknown as { config?: string; baseVault?: string };
  const { baseMint: mint, ammPool: pool, positions } = known;
  const curve =
    curvePool === null
      ? null
      : readCurveClaims(
          wallet,
          {
            mint,
            poolAddress: curvePool.poolAddress,
            pool: account(curvePool.poolAddress),
            config: account(config),
            baseVault: account(baseVault),
          },
          slot,
        );
  const positionClaims = positions.map((position) =>
    readPositionClaim(wallet, { mint, pool, ...position }, account, slot),
  );
  return [
    ...(curve?.claims ?? []),
    ...positionClaims.filter((claim) => claim !== null && claim !== 'nothing'),
  ];
}

describe.each(readDammFixtures())('$name', (fixture) => {
  test('before each claim, the wallet may claim exactly what the program then paid, and nothing of it afterwards', async () => {
    const history = readRecordedHistories().find(({ file }) => file === `damm/${fixture.name}.json`);
    if (history === undefined) throw new Error('the history is missing');
    const replayed = await ReplayedChain.start(history);
    const account: Accounts = (address) => replayed.ledger.vm.getAccount(address);
    const isPayment = ({ kind }: ExpectedFeeClaim) => !kind.includes('rotocol');
    const raw = (amount: string, decimals: number) => decimalToRaw(amount as DecimalString, decimals);
    try {
      for (const [step, { expected }] of fixture.steps.entries()) {
        const paid = (expected.feeClaims ?? []).filter(isPayment);
        const before = paid.map((claim) => found(claim, fixture, account, replayed.ledger.slot));
        replayed.repeat(step);
        for (const [index, claim] of paid.entries()) {
          const amounts = [raw(claim.solAmount, 9), raw(claim.tokenAmount, fixture.decimals)];
          expect({ step, amounts: before[index] }).toEqual({ step, amounts });
          expect(found(claim, fixture, account, replayed.ledger.slot)).toEqual([0n, 0n]);
        }
      }
    } finally {
      await replayed.stop();
    }
  });
});

/** Amounts in SOL and in the token of what the claimant may claim of this kind. */
function found(
  { kind, claimant, position }: ExpectedFeeClaim,
  fixture: DammFixture,
  account: Accounts,
  slot: bigint,
): (bigint | null)[] {
  const claims = claimsOf(claimant, fixture, account, slot).filter(
    (claim) =>
      kinds[kind]?.includes(claim.kind) && (claim.kind !== 'position_fee' || claim.position === position),
  );
  return [
    claims.reduce((sum, { quote }) => sum + quote.amountRaw, 0n),
    claims.reduce((sum, { base }) => sum + base.amountRaw, 0n),
  ];
}
