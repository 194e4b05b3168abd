import {
  COMPUTE_UNITS_MAX,
  computeUnitLimit,
  computeUnitPrice,
} from '../../../transactions/compute-budget.ts';
import type { Instruction } from '../../../transactions/instruction.ts';
import { type ClaimerAccounts, claimTransaction, type PayableClaim } from './claim-transaction.ts';

/** The most that a legacy or version 0 transaction has on the wire. */
export const WIRE_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const BLOCKHASH_BYTES = 32;
const HEADER_BYTES = 3;

/**
 * Several times what the compiled programs used for a claim and for opening an account, at most 70,000 and
 * 30,000 units.
 */
const UNITS_PER_CLAIM = 150_000;
const UNITS_PER_OPENING = 60_000;

/** The size of a version 0 transaction with these instructions and one signature, without lookup tables. */
export function wireBytes(feePayer: string, instructions: readonly Instruction[]): number {
  const keys = new Set([feePayer]);
  let bytes = 0;
  for (const { program, accounts, data } of instructions) {
    keys.add(program);
    for (const { address } of accounts) keys.add(address);
    bytes += 1 + lengthBytes(accounts.length) + accounts.length + lengthBytes(data.length) + data.length;
  }
  const fixed = 1 + SIGNATURE_BYTES + 1 + HEADER_BYTES + BLOCKHASH_BYTES;
  const lookups = 1;
  return (
    fixed +
    lengthBytes(keys.size) +
    keys.size * KEY_BYTES +
    lengthBytes(instructions.length) +
    bytes +
    lookups
  );
}

/** A length on the wire: seven bits a byte. */
function lengthBytes(length: number): number {
  return length < 0x80 ? 1 : 2;
}

/** The units with which a transaction of these claims is simulated. */
export function unitsFor(claimCount: number, openings: number): number {
  return Math.min(claimCount * UNITS_PER_CLAIM + openings * UNITS_PER_OPENING, COMPUTE_UNITS_MAX);
}

export interface PackedClaims {
  /** The claims of each transaction. */
  transactions: PayableClaim[][];
  /** Claims for which there was no room. */
  rest: PayableClaim[];
}

/**
 * Packs claims into as few transactions as their size and compute units allow. Each claim goes where it adds
 * the fewest bytes, so that claims of one token, which share accounts, come together.
 *
 * @param trailing instructions at the end of every transaction
 */
export function packClaims(
  claims: readonly PayableClaim[],
  accounts: ClaimerAccounts,
  trailing: readonly Instruction[],
  transactionsMax: number,
): PackedClaims {
  const packed: { claims: PayableClaim[]; bytes: number }[] = [];
  const rest: PayableClaim[] = [];
  for (const claim of claims) {
    let best: { at: number; bytes: number; growth: number } | null = null;
    for (const [at, { claims: others, bytes: before }] of packed.entries()) {
      const bytes = sizeOf([...others, claim], accounts, trailing);
      if (bytes === null) continue;
      if (best === null || bytes - before < best.growth) best = { at, bytes, growth: bytes - before };
    }
    const transaction = best === null ? undefined : packed[best.at];
    if (best !== null && transaction !== undefined) {
      transaction.claims.push(claim);
      transaction.bytes = best.bytes;
      continue;
    }
    const alone = packed.length < transactionsMax ? sizeOf([claim], accounts, trailing) : null;
    if (alone === null) rest.push(claim);
    else packed.push({ claims: [claim], bytes: alone });
  }
  return { transactions: packed.map((transaction) => transaction.claims), rest };
}

/** Null when the claims do not fit into one transaction. */
function sizeOf(
  claims: readonly PayableClaim[],
  accounts: ClaimerAccounts,
  trailing: readonly Instruction[],
): number | null {
  // Any address that no claim names: the reference has the same length.
  const { instructions, claimsAt } = claimTransaction(claims, accounts, REFERENCE);
  const bytes = wireBytes(accounts.wallet, [
    computeUnitLimit(1),
    computeUnitPrice(1n),
    ...instructions,
    ...trailing,
  ]);
  const units = claims.length * UNITS_PER_CLAIM + claimsAt * UNITS_PER_OPENING;
  return bytes > WIRE_BYTES_MAX || units > COMPUTE_UNITS_MAX ? null : bytes;
}

const REFERENCE = 'Launchwire1111111111111111111111111111111111';
