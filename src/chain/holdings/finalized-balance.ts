import type { Address as KitAddress } from '@solana/kit';
import { encodeBase58 } from '../../shared/base58.ts';
import { AMOUNT_OFFSET, BALANCE_BYTES } from '../accounts/token-account.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';

/** A raw balance as of a finalized slot. */
export interface FinalizedBalance {
  amountRaw: bigint;
  slot: bigint;
}

export interface BalanceQuery {
  wallet: string;
  mint: string;
  /** A node that has not finalized this slot refuses. With null it responds as of its own finalized slot. */
  minContextSlot: bigint | null;
}

const OWNER_OFFSET = 32;

/**
 * A wallet's balance of one mint at commitment `finalized`: the sum of all its accounts, under the token
 * program to which the mint belongs. The balance of a mint that is not finalized yet is 0.
 */
export async function getFinalizedBalance(
  rpc: ChainRpc,
  query: BalanceQuery,
  timeoutMs: number,
): Promise<RpcOutcome<FinalizedBalance>> {
  const listed = await sumAccounts(rpc, query, timeoutMs);
  // A node refuses to list accounts of a mint that does not exist. The mint's own account shows whether that
  // was the reason.
  if (listed.ok || listed.failure.kind !== 'refused') return listed;
  const absent = await readAbsentMint(rpc, query, timeoutMs);
  return absent.ok && absent.value !== null
    ? { ok: true, value: { amountRaw: 0n, slot: absent.value } }
    : listed;
}

function sumAccounts(
  rpc: ChainRpc,
  { wallet, mint, minContextSlot }: BalanceQuery,
  timeoutMs: number,
): Promise<RpcOutcome<FinalizedBalance>> {
  return rpc.call(async (kit, abortSignal) => {
    const { context, value } = await kit
      .getTokenAccountsByOwner(
        wallet as KitAddress,
        { mint: mint as KitAddress },
        {
          commitment: 'finalized',
          encoding: 'base64',
          dataSlice: { offset: 0, length: BALANCE_BYTES },
          ...(minContextSlot !== null && { minContextSlot }),
        },
      )
      .send({ abortSignal });
    const amounts = value.map(({ account }) =>
      readAmount(Buffer.from(account.data[0], 'base64'), wallet, mint),
    );
    return { amountRaw: amounts.reduce((sum, amount) => sum + amount, 0n), slot: context.slot };
  }, timeoutMs);
}

/** The finalized slot at which the mint does not exist. Null when it exists. */
function readAbsentMint(
  rpc: ChainRpc,
  { mint, minContextSlot }: BalanceQuery,
  timeoutMs: number,
): Promise<RpcOutcome<bigint | null>> {
  return rpc.call(async (kit, abortSignal) => {
    const { context, value } = await kit
      .getAccountInfo(mint as KitAddress, {
        commitment: 'finalized',
        encoding: 'base64',
        ...(minContextSlot !== null && { minContextSlot }),
      })
      .send({ abortSignal });
    return value === null ? context.slot : null;
  }, timeoutMs);
}

/** Throws unless the account is the requested one. A node that mixes up accounts must not decide anything. */
function readAmount(data: Buffer, wallet: string, mint: string): bigint {
  if (data.length !== BALANCE_BYTES) throw new Error('a token account has the wrong length');
  const isRequested =
    encodeBase58(data.subarray(0, OWNER_OFFSET)) === mint &&
    encodeBase58(data.subarray(OWNER_OFFSET, AMOUNT_OFFSET)) === wallet;
  if (!isRequested) throw new Error('a token account of another mint or owner');
  return data.readBigUInt64LE(AMOUNT_OFFSET);
}
