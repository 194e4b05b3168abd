import type { AccountUse, Instruction } from './instruction.ts';

/** The accounts of a message in the order of the wire, and the counts of its header. */
export interface MessageAccounts {
  addresses: readonly string[];
  /** The index of each address. */
  indexes: ReadonlyMap<string, number>;
  signers: number;
  readonlySigners: number;
  readonlyOthers: number;
}

/** Bits of a role. A message has the accounts with the highest role first. */
const WRITABLE = 1;
const SIGNER = 2;
const HIGHEST = SIGNER | WRITABLE;

/** The limits of every version: SIMD-0160 bounds the instructions, SIMD-0385 the others. */
const ADDRESSES_MAX = 64;
const SIGNERS_MAX = 12;
const INSTRUCTIONS_MAX = 64;
const INSTRUCTION_ACCOUNTS_MAX = 255;

/**
 * Each account once, with all that instructions do to it: the fee payer, then by role, and by address within a role,
 * as @solana/kit orders them. Throws when a called program is writable, and above the limits of a message.
 */
export function orderAccounts(feePayer: string, instructions: readonly Instruction[]): MessageAccounts {
  const roles = rolesOf(feePayer, instructions);
  const byRole: string[][] = [[], [], [], []];
  for (const [address, role] of roles) if (address !== feePayer) byRole[role]?.push(address);
  const [readonlyOthers = [], writableOthers = [], readonlySigners = [], writableSigners = []] = byRole;
  for (const addresses of byRole) addresses.sort(compareAddresses);
  const addresses = [feePayer, ...writableSigners, ...readonlySigners, ...writableOthers, ...readonlyOthers];
  const signers = 1 + writableSigners.length + readonlySigners.length;
  if (addresses.length > ADDRESSES_MAX || signers > SIGNERS_MAX)
    throw new Error(`${addresses.length} accounts, of which ${signers} sign, are too many for a transaction`);
  return {
    addresses,
    indexes: new Map(addresses.map((address, index) => [address, index])),
    signers,
    readonlySigners: readonlySigners.length,
    readonlyOthers: readonlyOthers.length,
  };
}

function rolesOf(feePayer: string, instructions: readonly Instruction[]): ReadonlyMap<string, number> {
  const roles = new Map([[feePayer, HIGHEST]]);
  const add = (address: string, role: number) => roles.set(address, (roles.get(address) ?? 0) | role);
  if (instructions.length > INSTRUCTIONS_MAX)
    throw new Error(`${instructions.length} instructions are too many for a transaction`);
  for (const { program, accounts } of instructions) {
    if (accounts.length > INSTRUCTION_ACCOUNTS_MAX)
      throw new Error(`${accounts.length} accounts are too many for an instruction`);
    add(program, 0);
    for (const use of accounts) add(use.address, roleOf(use));
  }
  for (const { program } of instructions)
    if (((roles.get(program) ?? 0) & WRITABLE) !== 0)
      throw new Error(`program ${program} is called, so it can be neither writable nor the fee payer`);
  return roles;
}

function roleOf({ isSigner, isWritable }: AccountUse): number {
  return (isSigner ? SIGNER : 0) | (isWritable ? WRITABLE : 0);
}

/** The bit in which a capital letter differs from its small one; every digit has it. */
const SMALL = 0x20;

/**
 * The order of base58 texts in the English collation, which @solana/kit sorts by: digits before letters, and letters
 * by the alphabet; only texts that are equal but for capitals are told apart by those, small ones first.
 */
export function compareAddresses(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let capitals = 0;
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one === other) continue;
    const difference = (one | SMALL) - (other | SMALL);
    if (difference !== 0) return difference;
    if (capitals === 0) capitals = other - one;
  }
  return left.length - right.length || capitals;
}
