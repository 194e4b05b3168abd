import type { CurrentReadDependencies } from '../../chain/node-trust/first-current-response.ts';
import { compareWithPrepared, isSignedBy, isUnsigned } from '../../chain/transactions/compare-submission.ts';
import type { Database, Transaction } from '../../db/client.ts';
import type { WorkerKeys } from '../../db/worker-keys.ts';
import { decodeCanonicalBase64 } from '../../shared/bytes.ts';
import { type FieldError, Problem } from '../../shared/problem.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { changeOrder, type OrderChangeContext } from './change-orders.ts';
import {
  findOrder,
  listAccountWallets,
  listOrderTransactions,
  lockOrder,
  updateSignatures,
} from './order-rows.ts';
import { readNonceNow } from './read-nonce.ts';
import type { OrderRow } from './record.ts';
import { sealOrderTransaction } from './sealed-transaction.ts';

export interface SigningDependencies extends CurrentReadDependencies, OrderChangeContext {
  database: Database;
  /** Seals signed bytes. */
  orderBox: SecretBox;
  workerKeys: Pick<WorkerKeys, 'openOrders'>;
}

export interface SigningRequest {
  orderId: string;
  accountId: string;
  /** Wallet of the API key. */
  pinnedWallet: string;
  /** base64, unchanged. */
  transactions: readonly { id: string; signedTransaction: string }[];
}

/** The nonce of the order's account as the chain shows it; null if it has none, or if there is no such order. */
export type SeenNonce = string | null | Problem;

/** Reads the nonce before the transaction opens: an order over a spent one could never land. */
export async function prepareSigning(
  { orderId, accountId }: Pick<SigningRequest, 'orderId' | 'accountId'>,
  dependencies: SigningDependencies,
): Promise<SeenNonce> {
  const order = await findOrder(dependencies.database, { orderId, accountId });
  if (order === null || order.status !== 'unsigned') return null;
  const [seen, isOpened] = await Promise.all([
    readNonceNow(order.nonceAddress, dependencies),
    dependencies.workerKeys.openOrders(),
  ]);
  if (!isOpened) return new Problem('orders_unavailable');
  if (seen instanceof Problem) return seen;
  return seen.account?.authority === order.walletAddress ? seen.account.nonce : null;
}

/**
 * Accepts the signed bytes of an order, seals them, and opens it. Throws the problem of what is wrong with the order, its
 * nonce or the bytes; then nothing has changed.
 */
export async function signOrder(
  transaction: Transaction,
  request: SigningRequest,
  seen: SeenNonce,
  dependencies: SigningDependencies,
): Promise<OrderRow> {
  const order = await lockOrder(transaction, request);
  if (order === null) throw new Problem('order_not_found');
  const now = dependencies.clock.now();
  const status = order.status === 'unsigned' && order.endsAt <= now ? 'expired' : order.status;
  if (status !== 'unsigned') throw new Problem('order_not_unsigned', { context: { status } });
  if (seen instanceof Problem) throw seen;
  if (seen !== order.nonce) throw new Problem('order_nonce_spent');
  const wallets = await listAccountWallets(transaction, order.accountId);
  const prepared = await listOrderTransactions(transaction, order.id);
  const signed = request.transactions.map(({ id, signedTransaction }, at) => {
    const target = prepared.find((one) => one.id === id.toLowerCase());
    if (target === undefined) throw refused(`/${at}/id`, 'invalid_value', 'is no transaction of this order');
    return { id: target.id, bytes: judgeBytes(order, target, { at, signedTransaction, request, wallets }) };
  });
  const ids = new Set(signed.map(({ id }) => id));
  if (ids.size < signed.length) throw refused('', 'invalid_value', 'names a transaction twice');
  const [first] = prepared;
  if (first !== undefined && !ids.has(first.id))
    throw refused('', 'required', `must have ${first.id}, which trades at the pool of today`);
  const sealed = signed.map(({ id, bytes }) => ({
    id,
    sealed: sealOrderTransaction(dependencies.orderBox, id, bytes),
  }));
  await updateSignatures(transaction, sealed, now);
  const transactions = order.transactions.map((one) => ({ ...one, signed: ids.has(one.id) }));
  const opened = await changeOrder(
    transaction,
    { order: { ...order, transactions }, to: 'open', endsAt: order.expiresAt },
    dependencies,
  );
  if (opened === null) throw new Error('a locked order has changed');
  return opened;
}

/** The bytes with their signature, or the first problem in the order of contract/intents#submission-checks. */
function judgeBytes(
  { walletAddress: expectedSigner }: OrderRow,
  {
    preparedTransaction: bytes,
    signatureOffset,
  }: { preparedTransaction: Uint8Array; signatureOffset: number },
  {
    at,
    signedTransaction,
    request: { pinnedWallet },
    wallets,
  }: { at: number; signedTransaction: string; request: SigningRequest; wallets: readonly string[] },
): Uint8Array {
  const submitted = decodeCanonicalBase64(signedTransaction);
  const malformed = () =>
    refused(
      `/${at}/signedTransaction`,
      'invalid_format',
      'must be canonical base64 of exactly one well-formed transaction',
    );
  if (submitted === null) throw malformed();
  const comparison = compareWithPrepared(submitted, { bytes, signatureOffset, expectedSigner });
  if (comparison.outcome === 'malformed') throw malformed();
  if (comparison.outcome === 'tampered') {
    const causes = comparison.lacksExpectedSigner
      ? [{ code: 'transaction_intent_wrong_signer' } as const]
      : [];
    throw new Problem('transaction_intent_tampered', { causes });
  }
  const { signed } = comparison;
  const wrongSigner = () => new Problem('transaction_intent_wrong_signer', { context: { expectedSigner } });
  if (pinnedWallet !== expectedSigner) throw wrongSigner();
  if (isSignedBy(signed, signatureOffset, expectedSigner)) return signed;
  if (isUnsigned(signed, signatureOffset))
    throw new Problem('transaction_intent_invalid_signature', {
      detail: `The transaction is unsigned: the signature of ${expectedSigner} is missing.`,
    });
  const isByAnother = wallets.some((wallet) => isSignedBy(signed, signatureOffset, wallet));
  throw isByAnother ? wrongSigner() : new Problem('transaction_intent_invalid_signature');
}

function refused(field: string, code: FieldError['code'], message: string): Problem {
  return new Problem('validation_failed', {
    errors: [{ path: `/body/transactions${field}`, code, message }],
  });
}
