import { encodeBase58 } from '../../shared/base58.ts';
import { type NodeOrUrl, namedNode } from '../../shared/node-address.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../accounts/programs.ts';
import { AMOUNT_OFFSET, BALANCE_BYTES } from '../accounts/token-account.ts';
import { postJsonRpc } from '../rpc/post.ts';
import { describeRpcFailure, type RpcFailure } from '../rpc/rpc-failure.ts';
import type { RpcOutcome } from '../rpc.ts';
import { createAccountScan, UnusableResponse } from './account-scan.ts';

/** Limits for reading one wallet, shared by all nodes that are asked. */
export interface ReadAllowance {
  readonly bytesMax: number;
  /** Counted down as responses arrive. */
  bytesLeft: number;
  /** Ends the reading. */
  signal: AbortSignal;
}

/** Lists the tokens of wallets at one node. */
export interface TokenBalanceSource {
  /** The name of the node, for logs. */
  readonly name: string;
  /**
   * Raw balances of a wallet by mint, at commitment `confirmed`: the sum of all its accounts under both token
   * programs, without zero balances. When it returns, no response is still being read. The failure is
   * `oversized` when this node alone sends or announces more than the allowance of all nodes.
   */
  read(
    wallet: string,
    timeoutMs: number,
    allowance: ReadAllowance,
  ): Promise<RpcOutcome<ReadonlyMap<string, bigint>>>;
}

/** One source per node of `SOLANA_RPC_URL`, in order. */
export function createTokenBalanceSources(nodes: readonly NodeOrUrl[]): TokenBalanceSource[] {
  return nodes.map(namedNode).map(({ name, url }) => ({
    name,
    async read(wallet, timeoutMs, allowance) {
      const reading = new AbortController();
      const signal = AbortSignal.any([reading.signal, allowance.signal, AbortSignal.timeout(timeoutMs)]);
      const balances: RawBalances = new Map();
      const isFirst = allowance.bytesLeft === allowance.bytesMax;
      const add = (program: string) => addBalances(url, wallet, program, { signal, allowance, balances });
      try {
        await Promise.all([SPL_TOKEN, TOKEN_2022].map(add));
        return { ok: true, value: byAddress(balances) };
      } catch (error) {
        const failure: RpcFailure =
          error instanceof UnusableResponse
            ? { kind: error.kind, message: error.message }
            : describeRpcFailure(error);
        if (isFirst && allowance.bytesLeft < 0) failure.kind = 'oversized';
        return { ok: false, failure };
      } finally {
        // The request for one program may have failed while the response of the other one still arrives.
        reading.abort();
      }
    },
  }));
}

/**
 * Keyed by the 32 bytes of the mint as latin1. Base58 costs more than all the rest, so it is made only for
 * whole lists.
 */
type RawBalances = Map<string, bigint>;

interface Reading {
  signal: AbortSignal;
  allowance: ReadAllowance;
  balances: RawBalances;
}

async function addBalances(
  url: string,
  wallet: string,
  program: string,
  { signal, allowance, balances }: Reading,
): Promise<void> {
  if (allowance.bytesLeft <= 0) throw tooManyAccounts();
  const response = await postJsonRpc(url, listingRequest(wallet, program), { signal });
  const announcedBytes = Number(response.headers.get('content-length'));
  if (announcedBytes > allowance.bytesMax) throw tooManyAccounts('oversized');
  if (announcedBytes > allowance.bytesLeft) throw tooManyAccounts();
  const scan = createAccountScan((data) => addBalance(balances, data));
  for await (const chunk of response.body ?? []) {
    allowance.bytesLeft -= chunk.length;
    if (allowance.bytesLeft < 0) throw tooManyAccounts();
    scan.push(Buffer.from(chunk).toString('latin1'));
  }
  scan.end();
}

function tooManyAccounts(kind: RpcFailure['kind'] = 'refused'): UnusableResponse {
  return new UnusableResponse(kind, 'the wallet has too many accounts');
}

/** Mint and amount come in the first bytes, before all extensions. */
function listingRequest(wallet: string, programId: string): string {
  const config = {
    commitment: 'confirmed',
    encoding: 'base64',
    dataSlice: { offset: 0, length: BALANCE_BYTES },
  };
  const params = [wallet, { programId }, config];
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params });
}

function addBalance(balances: RawBalances, base64: string): void {
  const data = Buffer.from(base64, 'base64');
  if (data.length !== BALANCE_BYTES) throw new UnusableResponse('refused', 'an account has the wrong length');
  const amountRaw = data.readBigUInt64LE(AMOUNT_OFFSET);
  if (amountRaw === 0n) return;
  const mint = data.toString('latin1', 0, 32);
  balances.set(mint, (balances.get(mint) ?? 0n) + amountRaw);
}

function byAddress(balances: RawBalances): Map<string, bigint> {
  const entries = [...balances].map(([mint, amountRaw]) => [encodeMint(mint), amountRaw] as const);
  return new Map(entries);
}

function encodeMint(latin1: string): string {
  return encodeBase58(Buffer.from(latin1, 'latin1'));
}
