import type { Base58EncodedBytes, Base64EncodedBytes, Address as KitAddress } from '@solana/kit';
import { encodeBase64 } from '../../shared/bytes.ts';
import type { ChainAccount } from '../accounts/account-data.ts';
import {
  POSITION_BYTES,
  POSITION_DISCRIMINATOR,
  POSITION_POOL_OFFSET,
  readUnlockedLiquidity,
  UNLOCKED_LIQUIDITY_BYTES,
  UNLOCKED_LIQUIDITY_OFFSET,
} from '../accounts/damm-position.ts';
import { DAMM_V2 } from '../accounts/programs.ts';
import type { ChainRpc, RpcOutcome, SolanaRpc } from '../rpc.ts';
import { requireContextSlot } from './position-calls.ts';

/** An account with its balance. Null where the node does not report it. */
export interface FundedAccount extends ChainAccount {
  lamports: bigint | null;
}

/** Accounts as one node returned them as of one slot, at commitment `confirmed`. */
export interface AccountsInSlot {
  slot: bigint;
  /** Null: the account does not exist. */
  accounts: ReadonlyMap<string, FundedAccount | null>;
}

/**
 * Makes one request, so that all accounts are of one slot.
 *
 * @param addresses at most 100, the limit of getMultipleAccounts.
 * @param minContextSlot a node that has not reached this slot fails. 0: every node may respond.
 */
export function getAccounts(
  rpc: ChainRpc,
  addresses: readonly string[],
  timeoutMs: number,
  minContextSlot = 0n,
): Promise<RpcOutcome<AccountsInSlot>> {
  return rpc.call((kit, abortSignal) => readAccounts(kit, addresses, abortSignal, minContextSlot), timeoutMs);
}

/** Reads accounts inside a request of the caller, who also handles the failure. */
export async function readAccounts(
  kit: SolanaRpc,
  addresses: readonly string[],
  abortSignal: AbortSignal,
  minContextSlot = 0n,
): Promise<AccountsInSlot> {
  const { context, value } = await kit
    .getMultipleAccounts(addresses as readonly KitAddress[], {
      commitment: 'confirmed',
      encoding: 'base64',
      ...(minContextSlot === 0n ? {} : { minContextSlot }),
    })
    .send({ abortSignal });
  if (value.length !== addresses.length)
    throw new Error(`${value.length} accounts for ${addresses.length} addresses`);
  const accounts = new Map<string, FundedAccount | null>();
  addresses.forEach((address, index) => {
    const account = value[index] ?? null;
    accounts.set(address, account && { ...fundsOf(account), data: decode(account.data) });
  });
  return { slot: requireContextSlot(context.slot, minContextSlot), accounts };
}

function fundsOf({ owner, lamports }: { owner: string; lamports: unknown }) {
  return { owner, lamports: typeof lamports === 'bigint' ? lamports : null };
}

/** Whether any position of a DAMM v2 pool holds liquidity that its owner may withdraw now. */
export function hasUnlockedLiquidity(
  rpc: ChainRpc,
  poolAddress: string,
  timeoutMs: number,
): Promise<RpcOutcome<boolean>> {
  return rpc.call(async (kit, abortSignal) => {
    const positions = await kit
      .getProgramAccounts(DAMM_V2 as KitAddress, {
        commitment: 'confirmed',
        encoding: 'base64',
        dataSlice: { offset: UNLOCKED_LIQUIDITY_OFFSET, length: UNLOCKED_LIQUIDITY_BYTES },
        filters: [
          { dataSize: BigInt(POSITION_BYTES) },
          { memcmp: { offset: 0n, encoding: 'base64', bytes: encode(POSITION_DISCRIMINATOR) } },
          {
            memcmp: {
              offset: BigInt(POSITION_POOL_OFFSET),
              encoding: 'base58',
              bytes: poolAddress as string as Base58EncodedBytes,
            },
          },
        ],
      })
      .send({ abortSignal });
    return positions.some(({ account }) => readUnlockedLiquidity(decode(account.data)) > 0n);
  }, timeoutMs);
}

function decode([text]: readonly [string, string]): Buffer {
  return Buffer.from(text, 'base64');
}

function encode(bytes: Uint8Array): Base64EncodedBytes {
  return encodeBase64(bytes) as Base64EncodedBytes;
}
