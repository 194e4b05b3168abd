import bs58 from 'bs58';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { MalformedBytes } from '../byte-reader.ts';
import { type RpcContext, type RpcMethods, withContext } from '../rpc-context.ts';
import { invalidParams, RPC_CODE, RpcError, signatureVerificationFailure } from '../rpc-errors.ts';
import { addressOf, configAt, contextSlotOf, integerOf, type RpcConfig, stringAt } from '../rpc-params.ts';
import { describeTransactionError, type TransactionError } from '../transaction-error.ts';
import { returnDataOf } from '../transaction-meta.ts';
import { type SentTransaction, sentTransaction } from '../waiting-transactions.ts';
import { MAX_V1_WIRE_BYTES, parseTransaction, type WireTransaction } from '../wire-transaction.ts';
import { simulate } from './simulation.ts';

/** Sending and simulating. */
export const sendingMethods: RpcMethods = {
  /**
   * With `skipPreflight` only the wire form is checked, not even signatures. The id is returned, and an invalid
   * transaction never lands: Agave verifies signatures only as part of preflight.
   */
  sendTransaction: (context, params) => {
    const config = configAt(params, 1);
    const transaction = decodeWire(stringAt(params, 0), config.encoding);
    const skip = config.skipPreflight === true;
    const commitment = skip ? 'processed' : config.preflightCommitment;
    const slot = contextSlotOf(context, { ...config, commitment });
    if (!skip) preflight(context, transaction, slot);
    deliver(context, transaction, { mayUseReserve: false, maxRetries: maxRetriesOf(config) });
    return context.faults.current.wrongSignature === true
      ? otherSignature(transaction)
      : transaction.signature;
  },
  simulateTransaction: (context, params) => {
    const config = configAt(params, 1);
    const slot = contextSlotOf(context, config);
    return withContext(
      slot,
      simulate(context, decodeWire(stringAt(params, 0), config.encoding), config, slot),
    );
  },
  requestAirdrop: (context, params) => {
    const lamports = BigInt(integerOf(params[1], 'lamports'));
    const signature = context.ledger.faucet.airdrop(context.ledger, addressOf(params[0]), lamports);
    if (signature === null) throw new RpcError(RPC_CODE.internalError, 'the faucet transfer was refused');
    return signature;
  },
};

/** The checks a node makes before forwarding: signatures, then a simulation at the preflight commitment. */
function preflight(context: RpcContext, transaction: WireTransaction, slot: bigint): void {
  const execution = context.ledger.simulate(transaction, true);
  if (execution.err === 'SignatureFailure') throw signatureVerificationFailure();
  const refusal = context.ledger.refusalOf(transaction, slot);
  const err: TransactionError | null = refusal ?? execution.err;
  if (err === null) return;
  const ran = refusal === null;
  throw new RpcError(
    RPC_CODE.preflightFailure,
    `Transaction simulation failed: ${describeTransactionError(err)}`,
    {
      err,
      logs: ran ? execution.meta.logs() : [],
      accounts: null,
      unitsConsumed: ran ? execution.meta.computeUnitsConsumed() : 0,
      returnData: ran ? returnDataOf(execution.meta) : null,
      innerInstructions: null,
      replacementBlockhash: null,
    },
  );
}

/** Gives a transaction to the chain as this node's faults say: late, twice or not at all. */
export function deliver(
  context: RpcContext,
  transaction: WireTransaction,
  { mayUseReserve, maxRetries }: Pick<SentTransaction, 'mayUseReserve' | 'maxRetries'>,
): void {
  const { ledger, faults } = context;
  const sent = sentTransaction(transaction, mayUseReserve, maxRetries);
  const { delaySlots = 0, duplicateSends = false } = faults.current;
  if (faults.takeDrop()) return;
  if (delaySlots > 0) ledger.receiveLater(sent, delaySlots);
  else ledger.receive(sent);
  if (duplicateSends) ledger.receiveLater(sent, delaySlots + 1);
}

/** How often the node sends the transaction again while it does not land; without end by default. */
export function maxRetriesOf({ maxRetries }: RpcConfig): number {
  if (maxRetries === undefined || maxRetries === null) return Number.POSITIVE_INFINITY;
  return integerOf(maxRetries, 'maxRetries');
}

function otherSignature(transaction: WireTransaction): string {
  return encodeBase58(new Bun.CryptoHasher('sha512').update(transaction.bytes).digest());
}

export function decodeWire(text: string, encoding: unknown): WireTransaction {
  const bytes = decodeText(text, encoding ?? 'base58');
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
    throw invalidParams(`failed to deserialize VersionedTransaction: ${error.message}`);
  }
}

function decodeText(text: string, encoding: unknown): Uint8Array {
  if (text.length > MAX_V1_WIRE_BYTES * 2) throw invalidParams('encoded transaction too large');
  if (encoding === 'base58') {
    const bytes = bs58.decodeUnsafe(text);
    if (bytes === undefined) throw invalidParams('invalid base58 encoding');
    return bytes;
  }
  if (encoding !== 'base64')
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw invalidParams('invalid base64 encoding');
  return bytes;
}
