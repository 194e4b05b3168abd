import bs58 from 'bs58';
import { invalidParams, RPC_CODE, RpcError } from './rpc-errors.ts';
import type { RpcConfig } from './rpc-params.ts';
import { integerOf } from './rpc-params.ts';
import { decodeMint, decodeTokenAccount, TOKEN_PROGRAM_NAMES, uiTokenAmount } from './token-accounts.ts';
import type { StoredAccount } from './vm.ts';

const MAX_BASE58_BYTES = 128;

/** Encodes an account as `encoding` and `dataSlice` of the request ask; `decimalsOf` serves parsed token accounts. */
export function accountJson(
  account: StoredAccount,
  config: RpcConfig,
  decimalsOf: (mint: string) => number | undefined,
): Record<string, unknown> {
  const parsed = config.encoding === 'jsonParsed' ? parsedTokenData(account, decimalsOf) : null;
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
  return bs58.encode(data);
}

function parsedTokenData(
  account: StoredAccount,
  decimalsOf: (mint: string) => number | undefined,
): Record<string, unknown> | null {
  const program = TOKEN_PROGRAM_NAMES[account.owner];
  if (program === undefined) return null;
  const parsed = parsedTokenAccount(account, decimalsOf) ?? parsedMint(account);
  return parsed === null ? null : { program, parsed, space: account.data.length };
}

function parsedTokenAccount(
  account: StoredAccount,
  decimalsOf: (mint: string) => number | undefined,
): Record<string, unknown> | null {
  const token = decodeTokenAccount(account);
  const decimals = token === null ? undefined : decimalsOf(token.mint);
  if (token === null || decimals === undefined) return null;
  const reserve = token.nativeReserveLamports;
  return {
    type: 'account',
    info: {
      isNative: reserve !== null,
      mint: token.mint,
      owner: token.owner,
      state: token.state,
      tokenAmount: uiTokenAmount(token.amount, decimals),
      ...(reserve === null ? {} : { rentExemptReserve: uiTokenAmount(reserve, decimals) }),
      ...(token.delegate === null
        ? {}
        : { delegate: token.delegate, delegatedAmount: uiTokenAmount(token.delegatedAmount, decimals) }),
      ...(token.closeAuthority === null ? {} : { closeAuthority: token.closeAuthority }),
    },
  };
}

function parsedMint(account: StoredAccount): Record<string, unknown> | null {
  const mint = decodeMint(account);
  if (mint === null) return null;
  return {
    type: 'mint',
    info: {
      decimals: mint.decimals,
      freezeAuthority: mint.freezeAuthority,
      isInitialized: true,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
    },
  };
}
