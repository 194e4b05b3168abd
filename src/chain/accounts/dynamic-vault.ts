import { accountLayout, type FieldsOf } from './account-layout.ts';
import { DYNAMIC_VAULT } from './programs.ts';

const vaultFields = {
  totalRaw: [11, 'u64'],
  tokenMint: [83, 'address'],
  lpMint: [115, 'address'],
  /** Profit that was not yet everybody's at the last report, its time (Unix seconds), and what of it is freed each second. */
  lockedProfitRaw: [1203, 'u64'],
  lastReportSeconds: [1211, 'u64'],
  lockedProfitDegradation: [1219, 'u64'],
} as const;

/** A vault in which DAMM v1 pools keep tokens of one mint, and lend them out (reference/solana#damm-v1-vaults). */
export type DynamicVault = FieldsOf<typeof vaultFields>;

// sha256('account:Vault')[..8]; offsets from the public IDL.
const vaultShape = { program: DYNAMIC_VAULT, discriminators: ['d308e82b02987577'], bytesMin: 1227 };

/** Null when the account is no vault. */
export const readDynamicVault = accountLayout(vaultShape, vaultFields).read;

/** The profit that each second frees is a fraction with this denominator. */
const DEGRADATION_DENOMINATOR = 1_000_000_000_000n;

/** All that holders of shares could withdraw at this time; null when the numbers cannot be of one moment. */
function withdrawableRaw(vault: DynamicVault, unixSeconds: bigint): bigint | null {
  const { totalRaw, lockedProfitRaw, lastReportSeconds, lockedProfitDegradation } = vault;
  if (unixSeconds < lastReportSeconds) return null;
  const freed = (unixSeconds - lastReportSeconds) * lockedProfitDegradation;
  if (freed > DEGRADATION_DENOMINATOR) return totalRaw;
  const lockedRaw = (lockedProfitRaw * (DEGRADATION_DENOMINATOR - freed)) / DEGRADATION_DENOMINATOR;
  return lockedRaw > totalRaw ? null : totalRaw - lockedRaw;
}

/**
 * What `shares` of a vault are worth, rounded down as the program does. Everything must be of one slot.
 *
 * @param unixSeconds the chain's own time in that slot
 * @returns null when the numbers cannot belong together
 */
export function shareWorthRaw(
  vault: DynamicVault,
  { shares, supply, unixSeconds }: { shares: bigint; supply: bigint; unixSeconds: bigint },
): bigint | null {
  const withdrawable = withdrawableRaw(vault, unixSeconds);
  if (withdrawable === null || shares > supply) return null;
  return supply === 0n ? 0n : (shares * withdrawable) / supply;
}
