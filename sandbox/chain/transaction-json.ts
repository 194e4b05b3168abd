import bs58 from 'bs58';
import { encodeBase58 } from '../../src/shared/base58.ts';
import type { TransactionRecord } from './history-store.ts';
import { instructionJson } from './parsed/parse-instruction.ts';
import { RPC_CODE, RpcError } from './rpc-errors.ts';
import type { InnerInstructionGroup } from './transaction-meta.ts';
import { isWritable, type WireMessage } from './wire-message.ts';
import { parseTransaction, type WireTransaction } from './wire-transaction.ts';

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base64' | 'base58';

/** `transaction`, `meta` and `version` of one landed transaction, as getTransaction and getBlock show them. */
export function transactionJson(
  record: TransactionRecord,
  encoding: TransactionEncoding,
  maxVersion: number | undefined,
): Record<string, unknown> {
  const wire = supportedTransaction(record, maxVersion);
  const meta = JSON.parse(record.metaJson);
  return {
    transaction: encodeTransaction(wire, encoding, meta),
    meta: encoding === 'jsonParsed' ? parsedMeta(meta, wire) : meta,
    ...(maxVersion === undefined ? {} : { version: wire.message.version }),
  };
}

/** A transaction as getBlock shows it for `transactionDetails: accounts`: who takes part, and balances. */
export function transactionAccountsJson(
  record: TransactionRecord,
  maxVersion: number | undefined,
): Record<string, unknown> {
  const wire = supportedTransaction(record, maxVersion);
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances, ...rest } =
    JSON.parse(record.metaJson);
  return {
    transaction: {
      signatures: wire.signatures.map((one) => encodeBase58(one)),
      accountKeys: accountKeysJson(wire.message, rest),
    },
    meta: { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    ...(maxVersion === undefined ? {} : { version: wire.message.version }),
  };
}

/** @throws RpcError -32015 when the client does not read transactions of this version */
function supportedTransaction(record: TransactionRecord, maxVersion: number | undefined): WireTransaction {
  const wire = parseTransaction(record.wire);
  const { version } = wire.message;
  if (version !== 'legacy' && (maxVersion === undefined || version > maxVersion))
    throw new RpcError(
      RPC_CODE.unsupportedTransactionVersion,
      `Transaction version (${version}) is not supported by the requesting client. ` +
        `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  return wire;
}

function encodeTransaction(wire: WireTransaction, encoding: TransactionEncoding, meta: MetaJson): unknown {
  switch (encoding) {
    case 'base64':
      return [Buffer.from(wire.bytes).toString('base64'), 'base64'];
    case 'base58':
      return [encodeBase58(wire.bytes), 'base58'];
    case 'json':
      return {
        signatures: wire.signatures.map((one) => encodeBase58(one)),
        message: messageJson(wire.message),
      };
    case 'jsonParsed':
      return {
        signatures: wire.signatures.map((one) => encodeBase58(one)),
        message: parsedMessage(wire.message, meta),
      };
  }
}

function messageJson(message: WireMessage): Record<string, unknown> {
  return {
    accountKeys: message.staticKeys,
    header: message.header,
    recentBlockhash: message.blockhash,
    instructions: message.instructions.map((instruction) => ({
      programIdIndex: instruction.programIdIndex,
      accounts: [...instruction.accounts],
      data: encodeBase58(instruction.data),
      stackHeight: 1,
    })),
    ...versionedParts(message),
  };
}

/** v0 shows its table lookups, v1 its compute budget, legacy neither. */
function versionedParts(message: WireMessage): Record<string, unknown> {
  if (message.config !== null)
    return {
      transactionConfig: {
        computeUnitLimit: message.config.computeUnitLimit,
        heapSize: message.config.heapSize,
        loadedAccountsDataSizeLimit: message.config.loadedAccountsDataSizeLimit,
        priorityFee: message.config.priorityFeeLamports,
      },
    };
  if (message.version === 'legacy') return {};
  return {
    addressTableLookups: message.lookups.map((lookup) => ({
      accountKey: lookup.accountKey,
      writableIndexes: [...lookup.writableIndexes],
      readonlyIndexes: [...lookup.readonlyIndexes],
    })),
  };
}

interface MetaJson {
  readonly loadedAddresses: { readonly writable: string[]; readonly readonly: string[] };
  readonly innerInstructions: readonly InnerInstructionGroup[];
}

function parsedMessage(message: WireMessage, meta: MetaJson): Record<string, unknown> {
  const keys = allKeys(message, meta);
  return {
    accountKeys: accountKeysJson(message, meta),
    recentBlockhash: message.blockhash,
    instructions: message.instructions.map(({ programIdIndex, accounts, data }) =>
      instructionJson({
        programId: keyAt(keys, programIdIndex),
        accounts: Array.from(accounts, (index) => keyAt(keys, index)),
        data,
        stackHeight: 1,
      }),
    ),
    ...versionedParts(message),
  };
}

function accountKeysJson(message: WireMessage, meta: Pick<MetaJson, 'loadedAddresses'>): object[] {
  return allKeys(message, meta).map((pubkey, index) => ({
    pubkey,
    signer: index < message.header.numRequiredSignatures,
    writable: isWritable(message, index, meta.loadedAddresses.writable.length),
    source: index < message.staticKeys.length ? 'transaction' : 'lookupTable',
  }));
}

/** Without `loadedAddresses`: the account keys of the message have them already, each with its source. */
function parsedMeta(meta: MetaJson, wire: WireTransaction): Record<string, unknown> {
  const { loadedAddresses: _, ...rest } = meta;
  return {
    ...rest,
    innerInstructions: parsedInnerInstructions(meta.innerInstructions, allKeys(wire.message, meta)),
  };
}

/** Inner instructions in their parsed form; `keys` are those of the whole transaction, loaded ones included. */
export function parsedInnerInstructions(
  groups: readonly InnerInstructionGroup[],
  keys: readonly string[],
): { index: number; instructions: Record<string, unknown>[] }[] {
  return groups.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) =>
      instructionJson({
        programId: keyAt(keys, programIdIndex),
        accounts: accounts.map((account) => keyAt(keys, account)),
        data: bs58.decode(data),
        stackHeight,
      }),
    ),
  }));
}

function keyAt(keys: readonly string[], index: number): string {
  const key = keys[index];
  if (key === undefined) throw new Error('an instruction names an account outside of its transaction');
  return key;
}

function allKeys(message: WireMessage, meta: Pick<MetaJson, 'loadedAddresses'>): string[] {
  return [...message.staticKeys, ...meta.loadedAddresses.writable, ...meta.loadedAddresses.readonly];
}
