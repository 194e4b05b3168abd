import { BONDING_CURVE } from '../../../chain/accounts/programs.ts';
import { namedError } from '../../../chain/failures/program-errors.ts';
import { readTransactionFailure } from '../../../chain/failures/simulation-failure.ts';
import { firstCurrentResponse } from '../../../chain/node-trust/first-current-response.ts';
import { simulateTransaction } from '../../../chain/rpc/transaction-calls.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';
import type { OrderRefusal } from '../../../db/values/orders.ts';
import type { Clock } from '../../../shared/clock.ts';
import { wait } from '../../../shared/loop.ts';
import { NotOpened, type SecretBox } from '../../../shared/secret-box.ts';
import { openOrderTransaction } from '../sealed-transaction.ts';
import type { DueOrder, SealedTransaction } from './claim-orders.ts';
import { isNonceSpent, readNonces } from './read-nonces.ts';

export interface OrderCheckDependencies {
  rpcs: readonly ChainRpc[];
  clock: Clock;
  /** Opens signed transactions. */
  box: SecretBox;
}

/** What the chain would do with an order now. */
export type OrderCheck =
  | { outcome: 'sendable'; transaction: SealedTransaction; signed: Uint8Array }
  | { outcome: 'refused'; refusal: OrderRefusal }
  /** Something else has advanced the nonce. */
  | { outcome: 'nonce_spent' }
  /** The token has left its curve, and no transaction for the pool was signed. */
  | { outcome: 'migrated' }
  /** No node says what would happen. */
  | { outcome: 'unknown'; reason: string }
  /** No key opens the signed bytes. */
  | { outcome: 'unreadable' };

/** The limit of one request. A node that hangs delays an order by it, and the next node is asked. */
const TIMEOUT_MS = 1_500;
/** Nodes that have not reached the slot of the trade are asked again for a second. */
const LAGS_MAX = 10;
const LAG_PAUSE_MS = 100;
/** The runtime's error for a nonce that the account does not hold. */
const NONCE_UNKNOWN = '"BlockhashNotFound"';
const never = new AbortController().signal;

/**
 * Simulates the signed bytes in a state that has the trade which triggered the order. One simulation shows nonce,
 * balances and limit at once. While the token trades on its curve, the curve's answer is the one that counts. A token may
 * have left its curve before the index knows of it: then the transaction for the pool is simulated next.
 */
export async function checkOrder(order: DueOrder, dependencies: OrderCheckDependencies): Promise<OrderCheck> {
  const usable = order.transactions.filter(({ venue }) => venue === 'amm' || order.curve !== 'migrated');
  if (order.transactions.length === 0) return { outcome: 'unreadable' };
  let check: OrderCheck = { outcome: 'migrated' };
  for (const transaction of usable) {
    const signed = openBytes(transaction, dependencies.box);
    if (signed === null) return { outcome: 'unreadable' };
    check = await simulate(order, transaction, signed, dependencies);
    if (check.outcome !== 'refused' || (transaction.venue === 'curve' && isOnCurve(order, check.refusal)))
      return check;
  }
  return check;
}

/** Whether a refusal by the curve is that of the place where the token trades. */
function isOnCurve({ curve }: DueOrder, { programError }: OrderRefusal): boolean {
  return (
    curve === 'trading' &&
    (programError?.program !== BONDING_CURVE || programError.name !== 'PoolIsCompleted')
  );
}

function openBytes({ id, sealedTransaction }: SealedTransaction, box: SecretBox): Uint8Array | null {
  try {
    return openOrderTransaction(box, id, sealedTransaction);
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}

async function simulate(
  order: DueOrder,
  transaction: SealedTransaction,
  signed: Uint8Array,
  dependencies: OrderCheckDependencies,
): Promise<OrderCheck> {
  const { clock } = dependencies;
  // Each attempt begins with another node: no node alone makes an order fail.
  const rpcs = rotate(dependencies.rpcs, order.attempts);
  for (let lags = 1; ; lags += 1) {
    const response = await firstCurrentResponse(
      { rpcs, clock },
      (rpc, minContextSlot) => simulateTransaction(rpc, signed, TIMEOUT_MS, minContextSlot),
      order.triggerSlot,
    );
    if (response.ok) {
      const { failure } = response.value;
      if (failure === null) return { outcome: 'sendable', transaction, signed };
      if (failure === NONCE_UNKNOWN) return await afterUnknownNonce(order, dependencies);
      return { outcome: 'refused', refusal: refusalOf(failure, signed) };
    }
    if (response.failure.isBehind !== true || lags === LAGS_MAX)
      return { outcome: 'unknown', reason: response.failure.message };
    await wait(LAG_PAUSE_MS, never);
  }
}

function rotate(rpcs: readonly ChainRpc[], by: number): ChainRpc[] {
  const at = by % Math.max(1, rpcs.length);
  return [...rpcs.slice(at), ...rpcs.slice(0, at)];
}

async function afterUnknownNonce(
  order: DueOrder,
  { rpcs, clock }: OrderCheckDependencies,
): Promise<OrderCheck> {
  const readings = await readNonces(rpcs, [order.nonceAddress], TIMEOUT_MS);
  return isNonceSpent(order, readings, rpcs.length, clock.now())
    ? { outcome: 'nonce_spent' }
    : { outcome: 'unknown', reason: 'a node does not know the nonce, and too few nodes show another one' };
}

/** Errors of an account with too low a balance. */
const tooLittle: readonly string[] = ['InsufficientFunds', 'ResultWithNegativeLamports'];
/** The number that both the token program and the system program have for such an error; programs pass it on. */
const TOO_LITTLE = 1;

/** @param failure the chain's error as JSON */
export function refusalOf(failure: string, signed: Uint8Array): OrderRefusal {
  const read = readTransactionFailure(failure, signed);
  if (read.kind === 'transaction')
    return { reason: read.isUnfunded ? 'insufficient_funds' : 'refused', programError: null };
  const { program, number } = read;
  if (program === null || number === null) return { reason: 'refused', programError: null };
  const { name } = namedError(program, number);
  const isUnfunded = number === TOO_LITTLE || tooLittle.includes(name ?? '');
  return {
    reason: isUnfunded ? 'insufficient_funds' : 'program_error',
    programError: { program, number, name },
  };
}
