import { Connection } from '@solana/web3.js';
import { atEnd } from './run/cleanup.ts';

/**
 * A connection that waits for all of its requests at the end, because `confirmTransaction` leaves one open
 * when a subscription was faster. Open it after the chain, so that it ends before the chain does.
 */
export function settlingConnection(rpcUrl: string): Connection {
  const open = new Set<Promise<unknown>>();
  atEnd(async () => {
    while (open.size > 0) await Promise.allSettled(open);
  });
  const answered = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    const response = await fetch(...request);
    return new Response(await response.text(), { status: response.status, headers: response.headers });
  };
  return new Connection(rpcUrl, {
    commitment: 'confirmed',
    fetch: Object.assign(
      (...request: Parameters<typeof fetch>) => {
        const answer = answered(...request);
        open.add(answer);
        const close = () => open.delete(answer);
        answer.then(close, close);
        return answer;
      },
      { preconnect: fetch.preconnect },
    ),
  });
}
