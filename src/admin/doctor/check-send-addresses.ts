import { callJsonRpc } from '../../chain/rpc/post.ts';
import { describeRpcFailure } from '../../chain/rpc/rpc-failure.ts';
import type { SendOnlyConfig } from '../../chain/rpc/send-target.ts';
import type { NodeAddress } from '../../shared/node-address.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

const TIMEOUT_MS = 5_000;
const METHOD = 'getHealth';
const REQUEST = `{"jsonrpc":"2.0","id":1,"method":"${METHOD}"}`;

/**
 * Checks that each address of SOLANA_SEND_URL is reachable, with its headers, and shows its mark. A landing
 * service need not know the request: every response but a refusal of the credentials shows that it is there.
 */
export async function checkSendAddresses({
  solanaSendAddresses = [],
  solanaSendHeaders = {},
}: Partial<SendOnlyConfig>): Promise<Finding[]> {
  if (solanaSendAddresses.length === 0)
    return [skipped('send addresses', 'needs SOLANA_SEND_URL: transactions go to the nodes alone')];
  return Promise.all(
    solanaSendAddresses.map((address) => ask(address, solanaSendHeaders[new URL(address.url).host] ?? {})),
  );
}

async function ask(
  { name, url, isProtected }: NodeAddress,
  headers: Readonly<Record<string, string>>,
): Promise<Finding> {
  const check = `send address ${name}`;
  const mark = isProtected ? 'marked as protected' : 'without the mark protected';
  try {
    await callJsonRpc(url, METHOD, REQUEST, { signal: AbortSignal.timeout(TIMEOUT_MS), headers });
  } catch (error) {
    const { kind, reason, message } = describeRpcFailure(error);
    if (reason === 'unauthorized')
      return failed(check, `${mark}, refuses the credentials of SOLANA_SEND_URL or SOLANA_SEND_HEADERS`);
    if (kind !== 'refused' && kind !== 'oversized' && reason === undefined)
      return failed(check, `${mark}, cannot be reached: ${message}`);
  }
  return ok(check, `${mark}, reachable`);
}
