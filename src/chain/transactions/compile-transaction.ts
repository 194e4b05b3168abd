import {
  AccountRole,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction as compileWithKit,
  createTransactionMessage,
  getTransactionEncoder,
  type Address as KitAddress,
  type Instruction as KitInstruction,
  prependTransactionMessageInstructions,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  setTransactionMessagePriorityFeeLamports,
} from '@solana/kit';
import { readTransaction } from '../transaction-reader.ts';
import { computeUnitLimit, computeUnitPrice } from './compute-budget.ts';
import type { AccountUse, Instruction } from './instruction.ts';
import { boundedPrice, type PricedUnits, statedPriorityLamports } from './priority.ts';

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

const KEY_BYTES = 32;
/** The size that older versions get without a request. Version 1 gets none that it does not request. */
const LOADED_BYTES_MAX = 64 * 1_024 * 1_024;

/**
 * The wire bytes with zeros in every signature slot. Version 1 sets price and limit in its header, the others
 * set them with instructions before all others. Throws when instructions contradict each other about an
 * account, for example when a called program is writable.
 */
export function compileTransaction(plan: TransactionPlan): Uint8Array {
  const message = plan.version === 'v1' ? versionOne(plan) : withBudgetInstructions(plan);
  return new Uint8Array(getTransactionEncoder().encode(compileWithKit(message)));
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

function withBudgetInstructions(plan: TransactionPlan) {
  const { computeUnitLimit: units } = plan;
  const price = boundedPrice(plan);
  const budget = [
    ...(plan.advance === undefined ? [] : [plan.advance]),
    computeUnitLimit(units),
    ...(price === 0n ? [] : [computeUnitPrice(price)]),
  ];
  const version = plan.version === 'legacy' ? 'legacy' : 0;
  const message = setTransactionMessageFeePayer(
    plan.feePayer as KitAddress,
    createTransactionMessage({ version }),
  );
  const filled = appendTransactionMessageInstructions(plan.instructions.map(toKit), message);
  return withLifetime(prependTransactionMessageInstructions(budget.map(toKit), filled), plan);
}

function versionOne(plan: TransactionPlan) {
  const message = setTransactionMessageFeePayer(
    plan.feePayer as KitAddress,
    createTransactionMessage({ version: 1 }),
  );
  const all = plan.advance === undefined ? plan.instructions : [plan.advance, ...plan.instructions];
  const filled = appendTransactionMessageInstructions(all.map(toKit), message);
  const limited = setTransactionMessageComputeUnitLimit(
    plan.computeUnitLimit,
    setTransactionMessageLoadedAccountsDataSizeLimit(LOADED_BYTES_MAX, filled),
  );
  const priced =
    boundedPrice(plan) === 0n
      ? limited
      : setTransactionMessagePriorityFeeLamports(statedPriorityLamports(plan), limited);
  return withLifetime(priced, plan);
}

function withLifetime<Message extends Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[1]>(
  message: Message,
  { blockhash }: TransactionPlan,
) {
  // The height is not part of the bytes.
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  return setTransactionMessageLifetimeUsingBlockhash(lifetime, message);
}

function toKit({ program, accounts, data }: Instruction): KitInstruction {
  const programAddress = program as KitAddress;
  return {
    programAddress,
    accounts: accounts.map((use) => ({ address: use.address as KitAddress, role: roleOf(use) })),
    data,
  };
}

function roleOf({ isSigner, isWritable }: AccountUse): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}
