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
  /** Read at the same slot as the pool. */
  baseVault?: ChainAccount | null;
}

export interface CurveReading {
  claims: CurveClaim[];
  /**
   * The base vault, when its balance decides what the wallet may claim and is absent or unreadable.
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
  if (poolKeys.creator === wallet) amounts.push(...amountsOf('creator', pool, config));
  if (configKeys.feeClaimer === wallet) amounts.push(...amountsOf('partner', pool, config));
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

/** The claims of the pool's creator, or of the partner of its config, on the curve. */
function amountsOf(party: 'creator' | 'partner', pool: CurvePool, config: CurveConfig): Amounts[] {
  const { hasTakenSurplus, quoteFee, baseFee } =
    party === 'creator'
      ? {
          hasTakenSurplus: pool.isCreatorWithdrawSurplus !== 0,
          quoteFee: pool.creatorQuoteFee,
          baseFee: pool.creatorBaseFee,
        }
      : {
          hasTakenSurplus: pool.isPartnerWithdrawSurplus !== 0,
          quoteFee: pool.partnerQuoteFee,
          baseFee: pool.partnerBaseFee,
        };
  const surplus = hasTakenSurplus ? 0n : surplusShares(pool, config)[party];
  const migrationFee = hasTakenMigrationFee(pool, party) ? 0n : migrationFeeShares(pool, config)[party];
  return [
    [`${party}_trading_fee`, quoteFee, baseFee],
    [`${party}_surplus`, surplus, 0n],
    [`${party}_migration_fee`, migrationFee, 0n],
  ];
}

/** Whether the receiver can claim a leftover. With a dynamic supply it is burned. */
function hasLeftover(pool: CurvePool, config: CurveConfig): boolean {
  return (
    pool.migrationProgress === migrationProgress.migrated &&
    config.fixedTokenSupplyFlag !== 0 &&
    pool.isWithdrawLeftover === 0
  );
}

/** The base vault's balance without unclaimed fees. Null when the vault was not read. */
function leftoverRaw(pool: CurvePool, { mint, baseVault = null }: CurveAccounts): bigint | null {
  const balance = readTokenBalance(baseVault, mint);
  if (balance === null) return null;
  const owed =
    pool.protocolBaseFee + pool.partnerBaseFee + pool.creatorBaseFee + pool.protocolMigrationBaseFee;
  return balance > owed ? balance - owed : 0n;
}
