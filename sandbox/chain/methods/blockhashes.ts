import { ByteReader, MalformedBytes } from '../byte-reader.ts';
import { PRIORITY_FEE_SLOTS } from '../priority-fees.ts';
import { type RpcMethods, withContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, contextSlotOf, stringAt } from '../rpc-params.ts';
import { readMessage, type WireMessage } from '../wire-message.ts';

const MAX_LOCKED_ACCOUNTS = 128;

/** Blockhashes, their validity, and what a message would pay. */
export const blockhashMethods: RpcMethods = {
  getLatestBlockhash: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 0));
    const { ring } = context.ledger;
    return withContext(slot, {
      blockhash: ring.hashOf(slot),
      lastValidBlockHeight: ring.lastValidBlockHeight(slot),
    });
  },
  isBlockhashValid: (context, params) => {
    const slot = contextSlotOf(context, configAt(params, 1));
    return withContext(slot, context.ledger.ring.isValid(addressOf(params[0]), slot));
  },
  getFeeForMessage: (context, params) => {
    const message = decodeMessage(stringAt(params, 0));
    const slot = contextSlotOf(context, configAt(params, 1));
    return withContext(slot, context.ledger.feeLamportsAt(message, slot));
  },
  getRecentPrioritizationFees: (context, params) => {
    const accounts = lockedAccounts(params[0]);
    const { priorityFees, skipped } = context.ledger;
    let next = context.view.slotAt('confirmed');
    const newestFirst = Array.from({ length: Number(PRIORITY_FEE_SLOTS) }, () => {
      const slot = next;
      next = skipped.parentOf(slot);
      return { slot, prioritizationFee: priorityFees.at(slot, accounts) };
    });
    return newestFirst.filter(({ prioritizationFee }) => prioritizationFee !== null).reverse();
  },
};

function lockedAccounts(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidParams('Invalid params: expected an array of addresses.');
  if (value.length > MAX_LOCKED_ACCOUNTS)
    throw invalidParams(`Too many inputs provided; max ${MAX_LOCKED_ACCOUNTS}`);
  return value.map(addressOf);
}

function decodeMessage(base64: string): WireMessage {
  const reader = new ByteReader(Buffer.from(base64, 'base64'));
  try {
    const message = readMessage(reader);
    if (reader.remaining === 0) return message;
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
  }
  throw invalidParams('failed to deserialize message');
}
