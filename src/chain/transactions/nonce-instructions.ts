import { createAddressWithSeed, type Address as KitAddress } from '@solana/kit';
import { addressBytes } from '../../shared/address.ts';
import { NONCE_ACCOUNT_BYTES } from '../accounts/nonce-account.ts';
import { SYSTEM_PROGRAM } from '../accounts/programs.ts';
import { RECENT_BLOCKHASHES_SYSVAR, RENT_SYSVAR } from '../accounts/sysvars.ts';
import { type Instruction, readonly, signer, writable, writableSigner } from './instruction.ts';

/** Numbers of the instructions of the system program, u32 little-endian. */
const CREATE_ACCOUNT_WITH_SEED = 3;
const ADVANCE_NONCE = 4;
const WITHDRAW_NONCE = 5;
const INITIALIZE_NONCE = 6;

/** The address of a nonce account that a wallet creates with a seed of at most 32 bytes: no second key signs. */
export function seededNonceAddress(wallet: string, seed: string): Promise<string> {
  return createAddressWithSeed({
    baseAddress: wallet as KitAddress,
    programAddress: SYSTEM_PROGRAM as KitAddress,
    seed,
  });
}

/**
 * Creates the nonce account of a wallet and a seed; the wallet pays its rent and is its authority.
 * @param lamports the rent of `NONCE_ACCOUNT_BYTES` bytes
 */
export async function createSeededNonce(
  wallet: string,
  seed: string,
  lamports: bigint,
): Promise<readonly [Instruction, Instruction]> {
  const address = await seededNonceAddress(wallet, seed);
  const text = Buffer.from(seed);
  const create = {
    program: SYSTEM_PROGRAM,
    accounts: [writableSigner(wallet), writable(address)],
    data: Buffer.concat([
      u32(CREATE_ACCOUNT_WITH_SEED),
      addressBytes(wallet),
      u64(BigInt(text.byteLength)),
      text,
      u64(lamports),
      u64(BigInt(NONCE_ACCOUNT_BYTES)),
      addressBytes(SYSTEM_PROGRAM),
    ]),
  };
  const initialize = {
    program: SYSTEM_PROGRAM,
    accounts: [writable(address), readonly(RECENT_BLOCKHASHES_SYSVAR), readonly(RENT_SYSVAR)],
    data: Buffer.concat([u32(INITIALIZE_NONCE), addressBytes(wallet)]),
  };
  return [create, initialize];
}

/**
 * Replaces the nonce of an account: everything that was signed over it is worthless from then on. As the first
 * instruction of a transaction that carries the nonce, it gives the transaction its lifetime.
 */
export function advanceNonce(address: string, authority: string): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [writable(address), readonly(RECENT_BLOCKHASHES_SYSVAR), signer(authority)],
    data: u32(ADVANCE_NONCE),
  };
}

/** Pays lamports of a nonce account to its authority. All of them delete the account, and with it the nonce. */
export function withdrawNonce(address: string, authority: string, lamports: bigint): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [
      writable(address),
      writable(authority),
      readonly(RECENT_BLOCKHASHES_SYSVAR),
      readonly(RENT_SYSVAR),
      signer(authority),
    ],
    data: Buffer.concat([u32(WITHDRAW_NONCE), u64(lamports)]),
  };
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
