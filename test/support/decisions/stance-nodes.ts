import { type ChainRpc, createChainRpc } from '../../../src/chain/rpc.ts';
import { atEnd } from '../run/cleanup.ts';

/**
 * What a node does while something irreversible is decided:
 * - `over`: it shows that the thing has happened, truly or as a lie.
 * - `open`: it shows that the thing has not happened.
 * - `behind`: it shows the same as `over`, from a state that does not count.
 * - `silent`: it does not answer now. `gone`: nor has it for ten minutes.
 * - `quarantined`: it would show `over`, and is quarantined. `caught`: it is quarantined after it has shown `over`.
 */
export const stances = ['over', 'open', 'behind', 'silent', 'gone', 'quarantined', 'caught'] as const;
export type Stance = (typeof stances)[number];

/** The result of a call to a node that answers. Undefined: the node refuses the call. */
export type Answer = (
  method: string,
  params: readonly unknown[],
  stance: 'over' | 'open' | 'behind',
) => unknown;

/** The nth answer of a node to a method. */
export interface LastAnswer {
  method: string;
  number: number;
}

const GONE_MS = 600_000;
const SEND = { signedTransaction: new Uint8Array(), signature: '' };

export interface StanceNodes {
  /** How nodes that answer do so, for the next decision. */
  answer: Answer;
  /**
   * One node for each stance, new to the process.
   * @param last the answer after which `caught` is quarantined
   */
  start(asked: readonly Stance[], now: Date, last: LastAnswer): ChainRpc[];
}

/** Nodes in one server of this process; the path of a node's address is its number and stance. */
export function startStanceNodes(): StanceNodes {
  const answers = new Map<string, number>();
  let started = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const stance = pathname.split('/')[2] as Stance;
      if (stance === 'silent' || stance === 'gone') return new Response('', { status: 503 });
      const { id, method, params } = (await request.json()) as {
        id: number;
        method: string;
        params: unknown[];
      };
      const shown = stance === 'open' || stance === 'behind' ? stance : 'over';
      const result = nodes.answer(method, params, shown);
      const key = `${pathname} ${method}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      return Response.json(
        result === undefined
          ? {
              jsonrpc: '2.0',
              id,
              error: { code: -32_016, message: 'Minimum context slot has not been reached' },
            }
          : { jsonrpc: '2.0', id, result },
      );
    },
  });
  atEnd(() => server.stop(true));
  const nodes: StanceNodes = {
    answer: () => undefined,
    start: (asked, now, { method, number }) =>
      asked.map((stance) => {
        started += 1;
        const path = `/${started}/${stance}`;
        const rpc = createChainRpc(`http://127.0.0.1:${server.port}${path}`);
        if (stance === 'gone') rpc.positions.record(null, new Date(now.getTime() - GONE_MS));
        if (stance === 'quarantined') rpc.quarantine.begin(SEND, now);
        if (stance !== 'caught') return rpc;
        return {
          ...rpc,
          async call(request, timeoutMs) {
            const outcome = await rpc.call(request, timeoutMs);
            if ((answers.get(`${path} ${method}`) ?? 0) >= number) rpc.quarantine.begin(SEND, now);
            return outcome;
          },
        };
      }),
  };
  return nodes;
}

/** Every stance alone, every pair in every order, and every three. */
export function casesOf(possible: readonly Stance[]): Stance[][] {
  const pairs = possible.flatMap((one) => possible.map((other) => [one, other]));
  const threes = possible.flatMap((one, first) =>
    possible
      .slice(first)
      .flatMap((other, second) => possible.slice(first + second).map((third) => [one, other, third])),
  );
  return [...possible.map((one) => [one]), ...pairs, ...threes];
}
