import { forwardRpc } from '../../test/support/chain/forward-rpc.ts';

/** A proxy of a chain's node that counts requests by the second. */
export function startCountingNode(nodeUrl: string) {
  let seconds: number[] = [];
  let fromMs = performance.now();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: async (request) => {
      const second = Math.floor((performance.now() - fromMs) / 1_000);
      seconds[second] = (seconds[second] ?? 0) + 1;
      return forwardRpc(nodeUrl, request, await request.text());
    },
  });
  const all = () => seconds.reduce((sum, count) => sum + count, 0);
  return {
    url: `http://127.0.0.1:${server.port}`,
    reset() {
      seconds = [];
      fromMs = performance.now();
    },
    busiestSecond: () => seconds.reduce((most, count) => Math.max(most, count), 0),
    average: () => (all() * 1_000) / (performance.now() - fromMs),
    /** Since the start or the last reset. */
    count: all,
    stop: () => void server.stop(true),
  };
}
