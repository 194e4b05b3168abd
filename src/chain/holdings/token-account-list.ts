import { BALANCE_BYTES } from '../accounts/token-account.ts';
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

/**
 * Reads the token accounts of a wallet under these token programs at one node, at commitment `confirmed`, and
 * passes mint, owner and amount of each on, with its address. When it returns, no response is still being
 * read. The failure is `oversized` when this node alone sends or announces more than the allowance of all
 * nodes.
 */
export async function readTokenAccounts(
  url: string,
  wallet: string,
  programs: readonly string[],
  { timeoutMs, allowance }: { timeoutMs: number; allowance: ReadAllowance },
  onAccount: (data: Buffer, address: string) => void,
): Promise<RpcOutcome<null>> {
  const reading = new AbortController();
  const signal = AbortSignal.any([reading.signal, allowance.signal, AbortSignal.timeout(timeoutMs)]);
  const isFirst = allowance.bytesLeft === allowance.bytesMax;
  try {
    await Promise.all(
      programs.map((program) => readProgram(url, wallet, program, { signal, allowance }, onAccount)),
    );
    return { ok: true, value: null };
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
}

async function readProgram(
  url: string,
  wallet: string,
  program: string,
  { signal, allowance }: { signal: AbortSignal; allowance: ReadAllowance },
  onAccount: (data: Buffer, address: string) => void,
): Promise<void> {
  if (allowance.bytesLeft <= 0) throw tooManyAccounts();
  const response = await postJsonRpc(url, listingRequest(wallet, program), { signal });
  const announcedBytes = Number(response.headers.get('content-length'));
  if (announcedBytes > allowance.bytesMax) throw tooManyAccounts('oversized');
  if (announcedBytes > allowance.bytesLeft) throw tooManyAccounts();
  const scan = createAccountScan((base64, address) => {
    const data = Buffer.from(base64, 'base64');
    if (data.length !== BALANCE_BYTES)
      throw new UnusableResponse('refused', 'an account has the wrong length');
    onAccount(data, address);
  });
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

/** Mint, owner and amount come in the first bytes, before all extensions. */
function listingRequest(wallet: string, programId: string): string {
  const config = {
    commitment: 'confirmed',
    encoding: 'base64',
    dataSlice: { offset: 0, length: BALANCE_BYTES },
  };
  const params = [wallet, { programId }, config];
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params });
}
