import type { RpcMethods } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { configAt, historyCommitmentOf, integerOf, type RpcConfig, signatureOf } from '../rpc-params.ts';
import { type TransactionEncoding, transactionJson } from '../transaction-json.ts';

/** Landed transactions in full. */
export const transactionMethods: RpcMethods = {
  getTransaction: (context, params) => {
    const signature = signatureOf(params[0]);
    // The second position may be the encoding alone.
    const config = typeof params[1] === 'string' ? { encoding: params[1] } : configAt(params, 1);
    const newest = context.view.slotAt(historyCommitmentOf(config));
    const record = context.ledger.history.bySignature(signature);
    if (record === null || record.slot > newest) return null;
    return {
      slot: record.slot,
      transactionIndex: record.indexInSlot,
      blockTime: record.blockTimeSeconds,
      ...transactionJson(record, encodingOf(config), maxVersionOf(config)),
    };
  },
};

const ENCODINGS: Readonly<Record<string, TransactionEncoding>> = {
  json: 'json',
  jsonParsed: 'jsonParsed',
  base64: 'base64',
  base58: 'base58',
};

/** Encoding of transactions in an answer; `json` when none is asked for. */
export function encodingOf(config: RpcConfig): TransactionEncoding {
  const value = config.encoding;
  if (value === undefined || value === null) return 'json';
  const encoding = typeof value === 'string' ? ENCODINGS[value] : undefined;
  if (encoding === undefined) throw invalidParams(`Invalid params: unknown encoding ${String(value)}.`);
  return encoding;
}

/** The newest transaction version that the client reads; undefined when it reads legacy ones only. */
export function maxVersionOf(config: RpcConfig): number | undefined {
  const value = config.maxSupportedTransactionVersion;
  return value === undefined || value === null
    ? undefined
    : integerOf(value, 'maxSupportedTransactionVersion');
}
