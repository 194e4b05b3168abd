import { expect, test } from 'bun:test';
import { createTokenHolderSources } from '../../src/chain/holdings/mint-holders.ts';
import { createTokenBalanceSources } from '../../src/chain/holdings/wallet-balances.ts';
import { getPosition } from '../../src/chain/rpc/position-calls.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { atEnd } from '../support/run/cleanup.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';

/** A node that redirects every request to another server, and the number of requests that this server got. */
function redirectingNode(status: number) {
  const reached = { requests: 0 };
  const listen = (fetch: () => Response) => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
    atEnd(() => server.stop(true));
    return `http://127.0.0.1:${server.port}`;
  };
  const elsewhere = listen(() => {
    reached.requests += 1;
    return Response.json({ jsonrpc: '2.0', id: 1, result: { absoluteSlot: 1, blockHeight: 1 } });
  });
  return { url: listen(() => new Response(null, { status, headers: { location: elsewhere } })), reached };
}

test.each([301, 302, 303, 307, 308])(
  'no request to a node follows a redirect to another address (%i)',
  async (status) => {
    const { url, reached } = redirectingNode(status);
    const position = await getPosition(createChainRpc(url), 5_000);
    // The node itself took the request, so its outcome is unknown.
    expect(position.ok ? 'answered' : position.failure.kind).toBe('unknown');
    const never = new AbortController().signal;
    const [balances] = createTokenBalanceSources([url]);
    const allowance = { bytesMax: 1_000_000, bytesLeft: 1_000_000, signal: never };
    const listing = await balances?.read(ADDRESS, 5_000, allowance);
    expect(listing?.ok).toBe(false);
    const [holders] = createTokenHolderSources([url]);
    const accounts = holders?.list({ mintAddress: ADDRESS, tokenProgram: 'spl_token' }, never);
    await expect(accounts?.next()).rejects.toThrow(`(${status})`);
    expect(reached.requests).toBe(0);
  },
);
