import { encodeBase58 } from '../../src/shared/base58.ts';
import { parsedAccountData } from './parsed/parse-account.ts';
import { invalidParams, RPC_CODE, RpcError } from './rpc-errors.ts';
import { integerOf, type RpcConfig } from './rpc-params.ts';
import type { StoredAccount } from './vm.ts';

const MAX_BASE58_BYTES = 128;

/**
 * Encodes an account as `encoding` and `dataSlice` of the request ask.
 * @param accountAt finds mints of token accounts
 */
export function accountJson(
  account: StoredAccount,
  config: RpcConfig,
  accountAt: (address: string) => StoredAccount | null,
): Record<string, unknown> {
  const parsed = config.encoding === 'jsonParsed' ? parsedAccountData(account, accountAt) : null;
  return {
    lamports: account.lamports,
    owner: account.owner,
    data: parsed ?? encodeData(sliceOf(account.data, config.dataSlice), config.encoding),
    executable: account.executable,
    rentEpoch: account.rentEpoch,
    space: account.data.length,
  };
}

function sliceOf(data: Uint8Array, slice: unknown): Uint8Array {
  if (slice === undefined || slice === null) return data;
  if (typeof slice !== 'object' || !('offset' in slice) || !('length' in slice))
    throw invalidParams('Invalid params: dataSlice needs offset and length.');
  const offset = integerOf(slice.offset, 'dataSlice.offset');
  return data.subarray(offset, offset + integerOf(slice.length, 'dataSlice.length'));
}

function encodeData(data: Uint8Array, encoding: unknown): unknown {
  switch (encoding) {
    case 'base64':
    case 'jsonParsed':
      return [Buffer.from(data).toString('base64'), 'base64'];
    case 'base64+zstd':
      return [Buffer.from(Bun.zstdCompressSync(data)).toString('base64'), 'base64+zstd'];
    case 'base58':
      return [base58Data(data), 'base58'];
    case undefined:
    case null:
    case 'binary':
      return base58Data(data);
    default:
      throw invalidParams(`Invalid params: unknown encoding ${String(encoding)}.`);
  }
}

function base58Data(data: Uint8Array): string {
  if (data.length > MAX_BASE58_BYTES)
    throw new RpcError(
      RPC_CODE.invalidRequest,
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  return encodeBase58(data);
}
