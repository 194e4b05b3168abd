import { SPL_TOKEN, TOKEN_2022 } from '../accounts/programs.ts';
import type { RentOf } from '../accounts/sysvars.ts';
import { openedAccountBytes, TOKEN_ACCOUNT_BYTES } from '../accounts/token-account.ts';
import { curvePoolShape } from '../pools/curve/pool-account.ts';
import { networkFee } from './compute-budget.ts';

const MINT_BYTES = 82;
/** The size of a Token-2022 mint with a metadata pointer, without metadata. */
const POINTED_MINT_BYTES = TOKEN_ACCOUNT_BYTES + 1 + 68;
/** Header of the entry, update authority, mint, and the lengths of three texts and of the list of other fields. */
const METADATA_ENTRY_BYTES = 4 + 32 + 32 + 4 * 4;
/** The size of an account of the token metadata program. */
const METADATA_BYTES = 607;
const METADATA_FEE_LAMPORTS = 10_000_000n;
const SIGNATURES = 2n;

/** The costs of a launch for its creator in lamports, except for a first buy, priority and tip. */
export interface LaunchCosts {
  /** Mint, metadata, pool and both vaults. */
  rent: bigint;
  /** The fee of the token metadata program. */
  metadataFee: bigint;
  /** Signatures of creator and mint. */
  signatureFee: bigint;
  poolCreationFee: bigint;
}

/** @param textBytes bytes of name, symbol and URI: a Token-2022 mint holds them, and its rent grows with them */
export function launchCosts(
  { tokenProgram, textBytes, poolCreationFee }: LaunchedToken,
  rentOf: RentOf,
): LaunchCosts {
  const isToken2022 = tokenProgram === TOKEN_2022;
  const made = isToken2022
    ? rentOf(POINTED_MINT_BYTES + METADATA_ENTRY_BYTES + textBytes)
    : rentOf(MINT_BYTES) + rentOf(METADATA_BYTES);
  return {
    rent: made + rentOf(curvePoolShape.bytesMin) + 2n * rentOf(TOKEN_ACCOUNT_BYTES),
    metadataFee: isToken2022 ? 0n : METADATA_FEE_LAMPORTS,
    signatureFee: networkFee(0, 0n, SIGNATURES),
    poolCreationFee,
  };
}

/** The facts on which the costs of a launch depend. */
export interface LaunchedToken {
  tokenProgram: string;
  textBytes: number;
  poolCreationFee: bigint;
}

/** Rent of the accounts that a first buy opens: the creator's for the token, and that for wrapped SOL. */
export function firstBuyRent(tokenProgram: string, rentOf: RentOf): { token: bigint; wrapped: bigint } {
  return { token: rentOf(openedAccountBytes(tokenProgram)), wrapped: rentOf(openedAccountBytes(SPL_TOKEN)) };
}
