import { NONCE_ACCOUNT_BYTES } from '../../../chain/accounts/nonce-account.ts';
import type { RentSource } from '../../../chain/rent-source.ts';
import { createSeededNonce, seededNonceAddress } from '../../../chain/transactions/nonce-instructions.ts';
import { lockAccount } from '../../../db/account-lock.ts';
import type { Transaction } from '../../../db/client.ts';
import type { SendingOrder } from '../../../intents/sending.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { Problem } from '../../../shared/problem.ts';
import { timedId } from '../../../shared/timed-id.ts';
import { readNonceNow } from '../read-nonce.ts';
import { countOpenSlots, insertOrderSlot, type OrderSlotRow } from './slot-rows.ts';
import {
  chainUnavailable,
  composeSlotIntent,
  type SlotDependencies,
  type SlotIntent,
} from './slot-transaction.ts';

const OPEN_MAX = unpublishedLimits.openOrderSlotsPerAccount;

export interface SlotCreationDependencies extends SlotDependencies {
  readRent: RentSource;
}

export interface SlotRequest {
  accountId: string;
  walletAddress: string;
  /** An account to take. Null to create one. */
  nonceAddress: string | null;
  sending: SendingOrder;
}

/** A slot that is ready to be stored. */
export interface PreparedSlot {
  row: OrderSlotRow;
  /** Null for an account that exists. */
  prepared: SlotIntent | null;
}

/** Prepares a slot, or returns the problem that prevents it. Throws no problem: an attempt may run beside the first. */
export async function prepareSlot(
  request: SlotRequest,
  dependencies: SlotCreationDependencies,
): Promise<PreparedSlot | Problem> {
  return request.nonceAddress === null
    ? await prepareNew(request, dependencies)
    : await prepareTaken(request, request.nonceAddress, dependencies);
}

/** The seed is the id of the slot: no other slot, and no second key, can create this account. */
async function prepareNew(
  { accountId, walletAddress, sending }: SlotRequest,
  dependencies: SlotCreationDependencies,
): Promise<PreparedSlot | Problem> {
  const rentOf = await dependencies.readRent();
  if (rentOf === null) return chainUnavailable('the rent could not be read');
  const id = timedId(dependencies.clock.now());
  const seed = id.replaceAll('-', '');
  const instructions = await createSeededNonce(walletAddress, seed, rentOf(NONCE_ACCOUNT_BYTES));
  const order = { accountId, walletAddress, kind: 'order_slot', instructions, sending } as const;
  const prepared = await composeSlotIntent(order, dependencies);
  if (prepared instanceof Problem) return prepared;
  const nonceAddress = await seededNonceAddress(walletAddress, seed);
  const row = newRow(id, { accountId, walletAddress, nonceAddress }, dependencies.clock.now());
  return { row: { ...row, intentId: prepared.intent.id }, prepared };
}

async function prepareTaken(
  { accountId, walletAddress }: SlotRequest,
  nonceAddress: string,
  dependencies: SlotCreationDependencies,
): Promise<PreparedSlot | Problem> {
  const seen = await readNonceNow(nonceAddress, dependencies);
  if (seen instanceof Problem) return seen;
  const { slot: readSlot, account } = seen;
  if (account === null)
    return new Problem('nonce_account_unusable', { context: { reason: 'no_nonce_account' } });
  if (account.authority !== walletAddress)
    return new Problem('nonce_account_unusable', { context: { reason: 'other_authority' } });
  const now = dependencies.clock.now();
  const row = newRow(timedId(now), { accountId, walletAddress, nonceAddress }, now);
  return { row: { ...row, status: 'ready', nonce: account.nonce, readSlot }, prepared: null };
}

function newRow(
  id: string,
  owner: Pick<OrderSlotRow, 'accountId' | 'walletAddress' | 'nonceAddress'>,
  createdAt: Date,
): OrderSlotRow {
  const unread = { intentId: null, closingIntentId: null, nonce: null, readSlot: null, completedAt: null };
  return { id, ...owner, ...unread, status: 'pending', createdAt };
}

/** Stores intent and slot in the caller's transaction. Throws `order_slot_limit_reached` and `order_slot_exists`. */
export async function createSlot(
  transaction: Transaction,
  { row, prepared }: PreparedSlot,
  { intentKeeper }: Pick<SlotDependencies, 'intentKeeper'>,
): Promise<void> {
  await lockAccount(transaction, row.accountId);
  if ((await countOpenSlots(transaction, row.accountId)) >= OPEN_MAX)
    throw new Problem('order_slot_limit_reached', { context: { limit: OPEN_MAX } });
  if (prepared !== null) await intentKeeper.store(transaction, prepared.intent);
  const slotId = await insertOrderSlot(transaction, row);
  if (slotId !== null) throw new Problem('order_slot_exists', { context: { slotId } });
}
