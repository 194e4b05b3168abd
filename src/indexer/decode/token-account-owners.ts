import { tokenProgramNames } from '../../chain/accounts/programs.ts';
import { encodeAddress } from '../../shared/address.ts';
import type { ChainTransaction, Instruction } from './chain-transaction.ts';
import { instructionBytes } from './discriminators.ts';

/** Instructions of both token programs, by their first byte. */
const INITIALIZE_ACCOUNT = 1;
const SET_AUTHORITY = 6;
const INITIALIZE_ACCOUNT_2 = 16;
const INITIALIZE_ACCOUNT_3 = 18;
/** The authority type of `SetAuthority` for the owner of a token account. */
const ACCOUNT_OWNER = 2;
const KEY_BYTES = 32;

/**
 * Owners of the token accounts that a transaction touched, by account. The node's record after the
 * transaction counts. For an account that was both opened and closed, its instructions count.
 */
export function tokenAccountOwners(transaction: ChainTransaction): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { accountAddress, ownerAddress, afterRaw } of transaction.tokenBalances)
    if (ownerAddress !== null && afterRaw === null) owners.set(accountAddress, ownerAddress);
  for (const outer of transaction.instructions)
    for (const instruction of [outer, ...outer.inner]) {
      const change = ownerChange(instruction);
      if (change !== null) owners.set(change.account, change.owner);
    }
  for (const { accountAddress, ownerAddress, afterRaw } of transaction.tokenBalances)
    if (ownerAddress !== null && afterRaw !== null) owners.set(accountAddress, ownerAddress);
  return owners;
}

/** The owner that an instruction gives to a token account. */
function ownerChange({
  programAddress,
  accounts,
  data,
}: Instruction): { account: string; owner: string } | null {
  const account = accounts[0];
  if (!tokenProgramNames.has(programAddress) || account === undefined) return null;
  const owner = readNewOwner(instructionBytes(data), accounts);
  return owner === null ? null : { account, owner };
}

function readNewOwner(bytes: Uint8Array, accounts: readonly string[]): string | null {
  switch (bytes[0]) {
    case INITIALIZE_ACCOUNT:
      return accounts[2] ?? null;
    case INITIALIZE_ACCOUNT_2:
    case INITIALIZE_ACCOUNT_3:
      return keyAt(bytes, 1);
    case SET_AUTHORITY:
      // The type of the authority, then an optional new owner: a tag and the address.
      return bytes[1] === ACCOUNT_OWNER && bytes[2] === 1 ? keyAt(bytes, 3) : null;
    default:
      return null;
  }
}

function keyAt(bytes: Uint8Array, offset: number): string | null {
  return bytes.byteLength < offset + KEY_BYTES
    ? null
    : encodeAddress(bytes.subarray(offset, offset + KEY_BYTES));
}
