import bs58 from 'bs58';
import { ASSOCIATED_TOKEN } from '../../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { type NamedAccount, requireStateOf } from './anchor/accounts.ts';
import { derivedAddress } from './derived-address.ts';
import type { ProgramCall } from './model.ts';

/** The protocol's wallet. Both programs pay the protocol's fees to no other wallet. */
const TREASURY = '6aYhxiNGmG8AyU25rh2R7iFu4pBrqnQHpNUGhmsEXRcm';

/** The associated token account of a wallet. */
export function associatedAddress(wallet: string, mint: string, tokenProgram: string): string {
  const seeds = [wallet, tokenProgram, mint].map((address) => bs58.decode(address));
  return derivedAddress(ASSOCIATED_TOKEN, ...seeds).address;
}

export function isTreasuryAccount(account: string, mint: string, tokenProgram: string): boolean {
  return account === associatedAddress(TREASURY, mint, tokenProgram);
}

const WALLET_OFFSET = 8;
const PERMISSION_OFFSET = 40;

/** Whether an operator account gives the signer this permission. */
export function isPermitted(
  call: ProgramCall,
  program: string,
  operator: NamedAccount,
  signer: NamedAccount,
  permission: number,
): boolean {
  const { data } = requireStateOf(call, operator, program, (stored) => stored);
  const wallet = encodeBase58(data.subarray(WALLET_OFFSET, WALLET_OFFSET + 32));
  if (wallet !== signer.address) return false;
  return (((data[PERMISSION_OFFSET + (permission >> 3)] ?? 0) >> (permission & 7)) & 1) === 1;
}
