import { BoundedMap } from '../../shared/bounded-map.ts';
import { associatedTokenAddress } from '../accounts/derived-addresses.ts';
import { ASSOCIATED_TOKEN, SPL_TOKEN, SYSTEM_PROGRAM } from '../accounts/programs.ts';
import { type Instruction, readonly, signer, writable, writableSigner } from './instruction.ts';
import { transferLamports } from './tip.ts';

const CREATE_IDEMPOTENT = 1;
const CLOSE_ACCOUNT = 9;
const SYNC_NATIVE = 17;

/** A wallet's associated token account of a mint. */
export interface AssociatedAccount {
  address: string;
  owner: string;
  mint: string;
  tokenProgram: string;
}

/** Deriving an address takes about 0.1 ms; a bot trades the same few tokens from one wallet. */
const knownAddresses = new BoundedMap<string, string>(10_000);

/** The account of a wallet for wrapped SOL or for its tokens. */
export async function associatedAccount(
  owner: string,
  mint: string,
  tokenProgram: string,
): Promise<AssociatedAccount> {
  const key = `${owner} ${mint} ${tokenProgram}`;
  let address = knownAddresses.get(key);
  if (address === undefined) {
    address = await associatedTokenAddress(owner, mint, tokenProgram);
    knownAddresses.set(key, address);
  }
  return { address, owner, mint, tokenProgram };
}

/** Opens the account unless it is open. `payer` pays its rent. */
export function openAssociatedAccount(
  payer: string,
  { address, owner, mint, tokenProgram }: AssociatedAccount,
): Instruction {
  return {
    program: ASSOCIATED_TOKEN,
    accounts: [
      writableSigner(payer),
      writable(address),
      readonly(owner),
      readonly(mint),
      readonly(SYSTEM_PROGRAM),
      readonly(tokenProgram),
    ],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
  };
}

/** Turns lamports of the owner into wrapped SOL in the open account. */
export function wrapSol({ address, owner }: AssociatedAccount, lamports: bigint): Instruction[] {
  return [
    transferLamports(owner, address, lamports),
    { program: SPL_TOKEN, accounts: [writable(address)], data: Uint8Array.of(SYNC_NATIVE) },
  ];
}

/** Closes an account of wrapped SOL. Its whole balance, rent included, becomes lamports of the owner. */
export function unwrapSol({ address, owner }: AssociatedAccount): Instruction {
  return closeAccount({ address, owner, tokenProgram: SPL_TOKEN });
}

/** Closes a token account. Its owner gets its lamports. Only an account of wrapped SOL may still have tokens. */
export function closeAccount({
  address,
  owner,
  tokenProgram,
}: Pick<AssociatedAccount, 'address' | 'owner' | 'tokenProgram'>): Instruction {
  return {
    program: tokenProgram,
    accounts: [writable(address), writable(owner), signer(owner)],
    data: Uint8Array.of(CLOSE_ACCOUNT),
  };
}
