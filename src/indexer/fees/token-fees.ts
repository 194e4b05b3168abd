import type { ChainAccount } from '../../chain/accounts/account-data.ts';
import {
  readCurveAccrued,
  readPositionAccrued,
  readProtocolAccrued,
} from '../../chain/accounts/accrued-fees.ts';
import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { readTokenOwner } from '../../chain/accounts/token-account.ts';
import { readCurveConfig, readCurveConfigKeys } from '../../chain/pools/curve/config-account.ts';
import { readCurvePoolKeys } from '../../chain/pools/curve/pool-account.ts';
import type { Database } from '../../db/client.ts';
import { type DecimalString, decimalToRaw } from '../../shared/decimal.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';

/** A position of creator or partner, and the token account whose owner owns it. */
export interface FeePosition {
  positionAddress: string;
  nftMintAddress: string;
  nftAccountAddress: string;
}

/** The accounts with the fees of a token. */
export interface FeeAccounts {
  mintAddress: string;
  poolAddress: string;
  configAddress: string;
  /** Null when the curve migrates to an AMM whose fees are not followed. */
  ammPoolAddress: string | null;
  positions: readonly FeePosition[];
}

export function addressesOf(token: FeeAccounts): string[] {
  const { poolAddress, configAddress, ammPoolAddress, positions } = token;
  return [
    poolAddress,
    configAddress,
    ...(ammPoolAddress === null ? [] : [ammPoolAddress]),
    ...positions.flatMap(({ positionAddress, nftAccountAddress }) => [positionAddress, nftAccountAddress]),
  ];
}

/** Wallets that may claim from a curve, besides its partner. */
export interface ClaimingWallets {
  creatorWallet: string | null;
  leftoverWallet: string | null;
}

/** Reads the wallets from the accounts of pool and config. Null if an account does not name one. */
export function readClaimingWallets(
  { mintAddress, poolAddress, configAddress }: FeeAccounts,
  accounts: ReadonlyMap<string, ChainAccount | null>,
): ClaimingWallets {
  const pool = readCurvePoolKeys(accounts.get(poolAddress) ?? null);
  const config = readCurveConfigKeys(accounts.get(configAddress) ?? null);
  return {
    creatorWallet: pool?.baseMint === mintAddress ? pool.creator : null,
    leftoverWallet: config?.leftoverReceiver ?? null,
  };
}

/** Fees of a token in lamports, all of one slot (contract/staking-fees#fee-state). */
export interface TokenFees {
  feeBps: { creator: number; platform: number; stakers: number };
  accrued: bigint;
  distributed: bigint;
  claimable: ReadonlyMap<string, bigint>;
}

/** The reason why fees cannot be read from the accounts. It is stored with the pool and counted. */
export const feeProblems = [
  'pool_unreadable',
  'config_unreadable',
  'quote_is_not_sol',
  'amm_pool_unreadable',
  'positions_unknown',
  'position_unreadable',
] as const;
export type FeeProblem = (typeof feeProblems)[number];

const BASIS_POINTS = 10_000;
/** The protocol's share of every trading fee on the curve. */
const PROTOCOL_BPS = 2_000;

/** All fees in the accounts, or the reason why they cannot be read. Never only some of the fees. */
export function readTokenFees(
  token: FeeAccounts,
  accounts: ReadonlyMap<string, ChainAccount | null>,
): TokenFees | FeeProblem {
  const account = (address: string) => accounts.get(address) ?? null;
  const keys = readCurvePoolKeys(account(token.poolAddress));
  if (keys?.baseMint !== token.mintAddress || keys.config !== token.configAddress) return 'pool_unreadable';
  const config = account(token.configAddress);
  const curve = readCurveAccrued(account(token.poolAddress), config);
  if (curve === null) return 'config_unreadable';
  if (readCurveConfigKeys(config)?.quoteMint !== WRAPPED_SOL_MINT) return 'quote_is_not_sol';
  const sum = new FeeSum();
  sum.add(curve.accruedRaw, curve.creator + curve.partner + curve.protocol);
  sum.owe(curve.creatorWallet, curve.creator);
  sum.owe(curve.partnerWallet, curve.partner);
  const problem = curve.isMigrated ? addAmmFees(sum, token, account) : null;
  return problem ?? sum.toFees(shareBps(readCurveConfig(config)?.creatorTradingFeePercent ?? 0));
}

/** The creator that the pool names; null when the account is not the token's pool. Fees may be unknown then. */
export function creatorOf(
  { poolAddress, mintAddress }: FeeAccounts,
  accounts: ReadonlyMap<string, ChainAccount | null>,
): string | null {
  const keys = readCurvePoolKeys(accounts.get(poolAddress) ?? null);
  return keys?.baseMint === mintAddress ? keys.creator : null;
}

function addAmmFees(
  sum: FeeSum,
  { ammPoolAddress: address, positions }: FeeAccounts,
  account: (address: string) => ChainAccount | null,
): FeeProblem | null {
  if (address === null) return null;
  const pool = { address, account: account(address) };
  const protocol = readProtocolAccrued(pool.account, WRAPPED_SOL_MINT);
  if (protocol === null) return 'amm_pool_unreadable';
  sum.add(protocol.accruedRaw, protocol.unclaimedRaw);
  if (positions.length === 0) return 'positions_unknown';
  for (const { positionAddress, nftMintAddress, nftAccountAddress } of positions) {
    const position = readPositionAccrued(pool, account(positionAddress), WRAPPED_SOL_MINT);
    if (position === null) return 'position_unreadable';
    sum.add(position.accruedRaw, position.unclaimedRaw);
    // If the position's NFT has left its first account, these accounts do not show its owner.
    const owner = readTokenOwner(account(nftAccountAddress), nftMintAddress);
    if (owner !== null) sum.owe(owner, position.unclaimedRaw);
  }
  return null;
}

/** The shares of a trading fee by the config of the curve. The protocol's part counts as the platform's. */
function shareBps(creatorPercent: number): TokenFees['feeBps'] {
  const creator = Math.floor(((BASIS_POINTS - PROTOCOL_BPS) * creatorPercent) / 100);
  return { creator, platform: BASIS_POINTS - creator, stakers: 0 };
}

class FeeSum {
  #accrued = 0n;
  #unclaimed = 0n;
  readonly #claimable = new Map<string, bigint>();

  add(accrued: bigint, unclaimed: bigint): void {
    this.#accrued += accrued;
    this.#unclaimed += unclaimed;
  }

  owe(wallet: string, lamports: bigint): void {
    this.#claimable.set(wallet, (this.#claimable.get(wallet) ?? 0n) + lamports);
  }

  toFees(feeBps: TokenFees['feeBps']): TokenFees | FeeProblem {
    // A later generation of the program may count otherwise. The fees are unknown then.
    if (this.#unclaimed > this.#accrued) return 'pool_unreadable';
    const distributed = this.#accrued - this.#unclaimed;
    return { feeBps, accrued: this.#accrued, distributed, claimable: this.#claimable };
  }
}

const SOL_DECIMALS = 9;

/** Throws RangeError for more digits than SOL has. Amounts of the chain never have them. */
export function lamportsOf(sol: DecimalString): bigint {
  const raw = decimalToRaw(sol, SOL_DECIMALS);
  if (raw === null) throw new RangeError(`${sol} SOL is no whole number of lamports`);
  return raw;
}

/** Reports the number of pools whose newest check found no fees. */
export function observeFeePools(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const unreadable = metrics.gauge(
    'launchwire_fee_pools_unreadable',
    'Pools whose newest check found no fees, by reason',
    ['problem'],
  );
  metrics.addSource({
    name: 'fee_pools',
    gauges: [unreadable],
    load: async () => {
      const rows = await scrapeDatabase<{ problem: string; count: number }[]>`
        select problem, count(*)::int as count from fee_pools where problem is not null group by problem`;
      return () => {
        for (const problem of feeProblems) unreadable.set(0, { problem });
        for (const { problem, count } of rows) unreadable.set(count, { problem });
      };
    },
  });
}
