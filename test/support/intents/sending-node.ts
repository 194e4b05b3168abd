import { encodeBase58 } from '../../../src/shared/base58.ts';
import { atEnd } from '../run/cleanup.ts';

export type SendAnswer = 'accept' | 'refuse' | 'unavailable' | 'other signature' | 'hold';

/** A node without a chain that accepts transactions and responds to each as the test wants. */
export interface SendingNode {
  url: string;
  /** base64 of every transaction, in the order of arrival. */
  sent: string[];
  /** Headers of the sends. */
  headers: Headers[];
  /** The response to new transactions. Held ones wait for `release`. */
  answer: SendAnswer;
  /** Accepts all held transactions. */
  release(): void;
}

export function startSendingNode(answer: SendAnswer = 'accept'): SendingNode {
  let held = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // A request that is held may be silent for longer than Bun's 10 s.
    idleTimeout: 0,
    async fetch(request) {
      const { id, method, params } = (await request.json()) as {
        id: unknown;
        method: string;
        params: string[];
      };
      const reply = (body: object) => Response.json({ jsonrpc: '2.0', id, ...body });
      if (method !== 'sendTransaction')
        return reply({ error: { code: -32_601, message: 'Method not found' } });
      const [wire = ''] = params;
      node.sent.push(wire);
      node.headers.push(request.headers);
      switch (node.answer) {
        case 'refuse':
          return reply({ error: { code: -32_003, message: 'Transaction signature verification failure' } });
        case 'unavailable':
          return new Response('too many requests', { status: 429 });
        case 'other signature':
          return reply({ result: encodeBase58(new Uint8Array(64).fill(9)) });
        case 'hold':
          await held.promise;
          return reply({ result: signatureOf(wire) });
        case 'accept':
          return reply({ result: signatureOf(wire) });
      }
    },
  });
  atEnd(() => server.stop(true));
  const node: SendingNode = {
    url: `http://127.0.0.1:${server.port}`,
    sent: [],
    headers: [],
    answer,
    release() {
      held.resolve();
      held = Promise.withResolvers();
    },
  };
  return node;
}

/** The id of a transaction with one signature: the bytes after the count. */
export function signatureOf(wire: string): string {
  return encodeBase58(Buffer.from(wire, 'base64').subarray(1, 65));
}
