import { BorshWriter } from '../anchor/borsh.ts';
import type { DerivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import { invoke, reads, signs, writes } from './invoke.ts';

const SET_AUTHORITY = 6;
const MINT_TO = 7;
const BURN = 8;
const TRANSFER_CHECKED = 12;
const INITIALIZE_ACCOUNT_3 = 18;
const INITIALIZE_MINT_2 = 20;

export const authorityTypes = { mintTokens: 0, accountOwner: 2, metadataPointer: 12 } as const;

interface Transfer {
  readonly tokenProgram: string;
  readonly from: string;
  readonly to: string;
  readonly mint: string;
  readonly decimals: number;
  readonly amount: bigint;
  /** A wallet that signed the call, or a derived address that the program signs for. */
  readonly authority: string | DerivedAddress;
}

export function transferTokens({
  tokenProgram,
  from,
  to,
  mint,
  decimals,
  amount,
  authority,
}: Transfer): Effect {
  const data = new BorshWriter().u8(TRANSFER_CHECKED).u64(amount).u8(decimals).finish();
  const { address, signers } = authorityOf(authority);
  return invoke(tokenProgram, [writes(from), reads(mint), writes(to), signs(address)], data, signers);
}

export function mintTokens(
  tokenProgram: string,
  mint: string,
  to: string,
  amount: bigint,
  authority: DerivedAddress,
): Effect {
  const data = new BorshWriter().u8(MINT_TO).u64(amount).finish();
  return invoke(tokenProgram, [writes(mint), writes(to), signs(authority.address)], data, [authority]);
}

export function burnTokens(
  tokenProgram: string,
  mint: string,
  from: string,
  amount: bigint,
  authority: DerivedAddress,
): Effect {
  const data = new BorshWriter().u8(BURN).u64(amount).finish();
  return invoke(tokenProgram, [writes(from), writes(mint), signs(authority.address)], data, [authority]);
}

/** @param next null gives the authority up for good */
export function setAuthority(
  tokenProgram: string,
  account: string,
  type: number,
  next: string | null,
  authority: DerivedAddress,
): Effect {
  const data = new BorshWriter().u8(SET_AUTHORITY, type).bool(next !== null);
  if (next !== null) data.address(next);
  return invoke(tokenProgram, [writes(account), signs(authority.address)], data.finish(), [authority]);
}

/** The account exists already, owned by the token program. */
export function initializeTokenAccount(
  tokenProgram: string,
  account: string,
  mint: string,
  owner: string,
): Effect {
  const data = new BorshWriter().u8(INITIALIZE_ACCOUNT_3).address(owner).finish();
  return invoke(tokenProgram, [writes(account), reads(mint)], data);
}

export function initializeMint(
  tokenProgram: string,
  mint: string,
  decimals: number,
  authority: string,
  freezeAuthority: string | null,
): Effect {
  const data = new BorshWriter()
    .u8(INITIALIZE_MINT_2, decimals)
    .address(authority)
    .bool(freezeAuthority !== null);
  if (freezeAuthority !== null) data.address(freezeAuthority);
  return invoke(tokenProgram, [writes(mint)], data.finish());
}

function authorityOf(authority: string | DerivedAddress): {
  address: string;
  signers: readonly DerivedAddress[];
} {
  if (typeof authority === 'string') return { address: authority, signers: [] };
  return { address: authority.address, signers: [authority] };
}
