import { readTransaction } from '../transaction-reader.ts';
import { computeUnitLimit, computeUnitPrice } from './compute-budget.ts';
import type { Instruction } from './instruction.ts';
import { type MessageAccounts, orderAccounts } from './message-accounts.ts';
import { boundedPrice, type PricedUnits, statedPriorityLamports } from './priority.ts';
import { compactBytes, WireWriter } from './wire-writer.ts';

/** Wire versions that a transaction can be built in (contract/intents#wire-versions). */
export const wireVersions = ['legacy', 'v0', 'v1'] as const;
export type WireVersion = (typeof wireVersions)[number];

/** The whole content of an unsigned transaction. */
export interface TransactionPlan extends PricedUnits {
  version: WireVersion;
  feePayer: string;
  instructions: readonly Instruction[];
  /** The blockhash, or the nonce that `advance` advances. */
  blockhash: string;
  /** Comes before all others, also those of the budget: only there does it give the transaction its lifetime. */
  advance?: Instruction;
}

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const HEADER_BYTES = 3;
const V0_PREFIX = 0x80;
const V1_PREFIX = 0x81;
/**
 * What the header of version 1 says: limit and loaded bytes always, the priority fee in two bits where there
 * is one.
 */
const V1_LIMITS = 0b1100;
const V1_PRIORITY_FEE = 0b11;
/** The size that older versions get without a request. Version 1 gets none that it does not request. */
const LOADED_BYTES_MAX = 64 * 1_024 * 1_024;

/**
 * The wire bytes with zeros in every signature slot, the same as @solana/kit makes, in a fiftieth of its
 * time. Version 1 sets price and limit in its header, the others set them with instructions before all
 * others. Throws when instructions contradict each other about an account, for example when a called program
 * is writable.
 */
export function compileTransaction(plan: TransactionPlan): Uint8Array {
  return plan.version === 'v1' ? versionOne(plan) : withBudgetInstructions(plan);
}

/**
 * The same transaction with another compute unit limit, and with the price or, in version 1, the priority fee
 * that follows from it.
 */
export function withComputeUnitLimit(transaction: Uint8Array, limits: PricedUnits): Uint8Array {
  const view = readTransaction(transaction);
  if (view === null) throw new Error('not a transaction that was compiled here');
  const changed = Buffer.from(transaction);
  if (view.version !== 1) {
    // Each value follows the tag of its instruction: the limit is in the first, a price in the second.
    changed.writeUInt32LE(limits.computeUnitLimit, (view.instructions[0]?.dataOffset ?? 0) + 1);
    const price = boundedPrice(limits);
    if (price > 0n) changed.writeBigUInt64LE(price, (view.instructions[1]?.dataOffset ?? 0) + 1);
    return new Uint8Array(changed);
  }
  let at = view.keysOffset + view.keyCount * KEY_BYTES;
  if (boundedPrice(limits) > 0n) {
    changed.writeBigUInt64LE(statedPriorityLamports(limits), at);
    at += 8;
  }
  changed.writeUInt32LE(limits.computeUnitLimit, at);
  return new Uint8Array(changed);
}

function withBudgetInstructions(plan: TransactionPlan): Uint8Array {
  const price = boundedPrice(plan);
  const instructions = [
    ...(plan.advance === undefined ? [] : [plan.advance]),
    computeUnitLimit(plan.computeUnitLimit),
    ...(price === 0n ? [] : [computeUnitPrice(price)]),
    ...plan.instructions,
  ];
  const accounts = orderAccounts(plan.feePayer, instructions);
  const isV0 = plan.version === 'v0';
  let byteLength = compactBytes(accounts.signers) + accounts.signers * SIGNATURE_BYTES;
  byteLength += (isV0 ? 2 : 0) + HEADER_BYTES + KEY_BYTES + compactBytes(instructions.length);
  byteLength += compactBytes(accounts.addresses.length) + accounts.addresses.length * KEY_BYTES;
  for (const { accounts: used, data } of instructions)
    byteLength +=
      1 + compactBytes(used.length) + used.length + compactBytes(data.byteLength) + data.byteLength;

  const writer = new WireWriter(byteLength);
  writer.compactU16(accounts.signers);
  writer.skip(accounts.signers * SIGNATURE_BYTES);
  if (isV0) writer.u8(V0_PREFIX);
  writeHeader(writer, accounts);
  writer.compactU16(accounts.addresses.length);
  for (const address of accounts.addresses) writer.address(address);
  writer.address(plan.blockhash);
  writer.compactU16(instructions.length);
  for (const { program, accounts: used, data } of instructions) {
    writer.u8(indexOf(accounts, program));
    writer.compactU16(used.length);
    for (const { address } of used) writer.u8(indexOf(accounts, address));
    writer.compactU16(data.byteLength);
    writer.bytes(data);
  }
  // No lookup tables.
  if (isV0) writer.compactU16(0);
  return writer.end();
}

/** Bytes of version 1 before its accounts: prefix, header, config mask, blockhash, and the two counts. */
const V1_FIXED_BYTES = 1 + HEADER_BYTES + 4 + KEY_BYTES + 2;
/** Index of the program, count of accounts, length of the data. */
const V1_INSTRUCTION_BYTES = 4;

function versionOne(plan: TransactionPlan): Uint8Array {
  const instructions = plan.advance === undefined ? plan.instructions : [plan.advance, ...plan.instructions];
  const accounts = orderAccounts(plan.feePayer, instructions);
  const hasPrice = boundedPrice(plan) > 0n;
  let byteLength = V1_FIXED_BYTES + accounts.addresses.length * KEY_BYTES + (hasPrice ? 8 : 0) + 8;
  for (const { accounts: used, data } of instructions)
    byteLength += V1_INSTRUCTION_BYTES + used.length + data.byteLength;

  const writer = new WireWriter(byteLength + accounts.signers * SIGNATURE_BYTES);
  writer.u8(V1_PREFIX);
  writeHeader(writer, accounts);
  writer.u32(hasPrice ? V1_LIMITS | V1_PRIORITY_FEE : V1_LIMITS);
  writer.address(plan.blockhash);
  writer.u8(instructions.length);
  writer.u8(accounts.addresses.length);
  for (const address of accounts.addresses) writer.address(address);
  if (hasPrice) writer.u64(statedPriorityLamports(plan));
  writer.u32(plan.computeUnitLimit);
  writer.u32(LOADED_BYTES_MAX);
  for (const { program, accounts: used, data } of instructions) {
    writer.u8(indexOf(accounts, program));
    writer.u8(used.length);
    writer.u16(data.byteLength);
  }
  for (const { accounts: used, data } of instructions) {
    for (const { address } of used) writer.u8(indexOf(accounts, address));
    writer.bytes(data);
  }
  writer.skip(accounts.signers * SIGNATURE_BYTES);
  return writer.end();
}

function writeHeader(
  writer: WireWriter,
  { signers, readonlySigners, readonlyOthers }: MessageAccounts,
): void {
  writer.u8(signers);
  writer.u8(readonlySigners);
  writer.u8(readonlyOthers);
}

function indexOf({ indexes }: MessageAccounts, address: string): number {
  const index = indexes.get(address);
  if (index === undefined) throw new Error(`account ${address} is not in the message`);
  return index;
}
