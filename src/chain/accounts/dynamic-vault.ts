import { accountLayout, type FieldsOf } from './account-layout.ts';
import { DYNAMIC_VAULT } from './programs.ts';

const vaultFields = {
  totalRaw: [11, 'u64'],
  tokenMint: [83, 'address'],
  lpMint: [115, 'address'],
  /**
   * Profit that was still locked at the last report, the report's time (Unix seconds), and the fraction
   * released each second.
   */
  lockedProfitRaw: [1203, 'u64'],
  lastReportSeconds: [1211, 'u64'],
  lockedProfitDegradation: [1219, 'u64'],
} as const;

/**
 * A vault that holds tokens of one mint for DAMM v1 pools, and lends them out
 * (reference/solana#damm-v1-vaults).
 */
export type DynamicVault = FieldsOf<typeof vaultFields>;

// sha256('account:Vault')[..8]; offsets from the public IDL.
const vaultShape = { program: DYNAMIC_VAULT, discriminators: ['d308e82b02987577'], bytesMin: 1227 };

/** Null when the account is no vault. */
export const readDynamicVault = accountLayout(vaultShape, vaultFields).read;

/** The denominator of the fraction that is released each second. */
const DEGRADATION_DENOMINATOR = 1_000_000_000_000n;

/**
 * The amount that all holders of shares together could withdraw at this time. Null when the fields contradict
 * each other.
 */
function withdrawableRaw(vault: DynamicVault, unixSeconds: bigint): bigint | null {
  const { totalRaw, lockedProfitRaw, lastReportSeconds, lockedProfitDegradation } = vault;
  if (unixSeconds < lastReportSeconds) return null;
  const freed = (unixSeconds - lastReportSeconds) * lockedProfitDegradation;
  if (freed > DEGRADATION_DENOMINATOR) return totalRaw;
  const lockedRaw = (lockedProfitRaw * (DEGRADATION_DENOMINATOR - freed)) / DEGRADATION_DENOMINATOR;
  return lockedRaw > totalRaw ? null : totalRaw - lockedRaw;
}

/**
 * The worth of `shares` of a vault, rounded down as the program rounds. All arguments must be of one slot.
 *
 * @param unixSeconds the chain's own time in that slot
 * @returns null when the arguments contradict each other
 */
export function shareWorthRaw(
  vault: DynamicVault,
  { shares, supply, unixSeconds }: { shares: bigint; supply: bigint; unixSeconds: bigint },
): bigint | null {
  const withdrawable = withdrawableRaw(vault, unixSeconds);
  if (withdrawable === null || shares > supply) return null;
  return supply === 0n ? 0n : (shares * withdrawable) / supply;
}
