import type { ChainAccount } from '../../accounts/account-data.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../../accounts/programs.ts';
import { readTokenBalance } from '../../accounts/token-account.ts';
import { migrationProgress } from '../../accounts/virtual-pool.ts';
import { type CurveConfig, readCurveConfig, readCurveConfigKeys } from '../curve/config-account.ts';
import { type CurvePool, hasTransferHook, readCurvePool, readCurvePoolKeys } from '../curve/pool-account.ts';
import { hasTakenMigrationFee, migrationFeeShares, surplusShares } from '../curve/quote-shares.ts';
import type { CurveClaim } from './claim.ts';

/** A curve's pool with its config, which never changes, and its base vault when that was read as well. */
export interface CurveAccounts {
  mint: string;
  poolAddress: string;
  pool: ChainAccount | null;
  config: ChainAccount | null;
  /** Of the same slot as the pool. */
  baseVault?: ChainAccount | null;
}

export interface CurveReading {
  claims: CurveClaim[];
  /**
   * The base vault, when its balance decides what the wallet may claim and was not given, or not readable.
   */
  neededVault: string | null;
}

type Amounts = readonly [kind: CurveClaim['kind'], quoteRaw: bigint, baseRaw: bigint];

/** What the curve would pay the wallet. Null unless the accounts are the pool of the mint and its config. */
export function readCurveClaims(wallet: string, accounts: CurveAccounts, slot: bigint): CurveReading | null {
  const [pool, poolKeys] = [readCurvePool(accounts.pool), readCurvePoolKeys(accounts.pool)];
  const [config, configKeys] = [readCurveConfig(accounts.config), readCurveConfigKeys(accounts.config)];
  if (pool === null || poolKeys === null || config === null || configKeys === null) return null;
  if (poolKeys.baseMint !== accounts.mint) return null;
  const amounts: Amounts[] = [];
  if (poolKeys.creator === wallet) amounts.push(...creatorAmounts(pool, config));
  if (configKeys.feeClaimer === wallet) amounts.push(...partnerAmounts(pool, config));
  const mayTakeLeftover = configKeys.leftoverReceiver === wallet && hasLeftover(pool, config);
  const leftover = mayTakeLeftover ? leftoverRaw(pool, accounts) : 0n;
  if (leftover !== null) amounts.push(['leftover', 0n, leftover]);
  const side = (mint: string, isToken2022: boolean, vault: string) => ({
    mint,
    tokenProgram: isToken2022 ? TOKEN_2022 : SPL_TOKEN,
    vault,
  });
  const base = side(accounts.mint, pool.poolType !== 0, poolKeys.baseVault);
  const quote = side(configKeys.quoteMint, config.quoteTokenFlag !== 0, poolKeys.quoteVault);
  return {
    claims: amounts
      .filter(([, quoteRaw, baseRaw]) => quoteRaw > 0n || baseRaw > 0n)
      .map(([kind, quoteRaw, baseRaw]) => ({
        kind,
        mint: accounts.mint,
        pool: accounts.poolAddress,
        config: poolKeys.config,
        claimer: wallet,
        hasTransferHook: hasTransferHook(accounts.pool),
        base: { ...base, amountRaw: baseRaw },
        quote: { ...quote, amountRaw: quoteRaw },
        slot,
      })),
    neededVault: leftover === null ? poolKeys.baseVault : null,
  };
}

function creatorAmounts(pool: CurvePool, config: CurveConfig): Amounts[] {
  const surplus = pool.isCreatorWithdrawSurplus === 0 ? surplusShares(pool, config).creator : 0n;
  const fee = hasTakenMigrationFee(pool, 'creator') ? 0n : migrationFeeShares(pool, config).creator;
  return [
    ['creator_trading_fee', pool.creatorQuoteFee, pool.creatorBaseFee],
    ['creator_surplus', surplus, 0n],
    ['creator_migration_fee', fee, 0n],
  ];
}

function partnerAmounts(pool: CurvePool, config: CurveConfig): Amounts[] {
  const surplus = pool.isPartnerWithdrawSurplus === 0 ? surplusShares(pool, config).partner : 0n;
  const fee = hasTakenMigrationFee(pool, 'partner') ? 0n : migrationFeeShares(pool, config).partner;
  return [
    ['partner_trading_fee', pool.partnerQuoteFee, pool.partnerBaseFee],
    ['partner_surplus', surplus, 0n],
    ['partner_migration_fee', fee, 0n],
  ];
}

/** With a dynamic supply the leftover is burned. */
function hasLeftover(pool: CurvePool, config: CurveConfig): boolean {
  return (
    pool.migrationProgress === migrationProgress.migrated &&
    config.fixedTokenSupplyFlag !== 0 &&
    pool.isWithdrawLeftover === 0
  );
}

/** The base vault's balance without unclaimed fees. Null when the vault was not read. */
function leftoverRaw(pool: CurvePool, { mint, baseVault = null }: CurveAccounts): bigint | null {
  const held = readTokenBalance(baseVault, mint);
  if (held === null) return null;
  const owed =
    pool.protocolBaseFee + pool.partnerBaseFee + pool.creatorBaseFee + pool.protocolMigrationBaseFee;
  return held > owed ? held - owed : 0n;
}
