import { CLOCK_SYSVAR, SYSTEM_PROGRAM } from '../../../src/chain/accounts/programs.ts';
import { nonceAccountData } from '../intents/intent-transactions.ts';
import { signatureOf } from '../intents/sending-node.ts';
import { atEnd } from '../run/cleanup.ts';

/** A node without a chain that simulates as the test wants, shows nonces, and takes every transaction. */
export interface OrderNode {
  url: string;
  slot: number;
  /** Unix seconds of the chain's clock. */
  chainSeconds: number;
  /** The error of every simulation of these bytes (base64), or of all others under `*`; none: it succeeds. */
  failures: Map<string, unknown>;
  /** Nonce by nonce account. */
  nonces: Map<string, string>;
  isBroken: boolean;
  /** base64 of every transaction, in the order of arrival. */
  simulated: string[];
  sent: string[];
  /** Called before the answer to a simulation. */
  beforeSimulation: (() => Promise<unknown>) | null;
}

export function startOrderNode(): OrderNode {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // A request that is held may be silent for longer than Bun's 10 s.
    idleTimeout: 0,
    async fetch(request) {
      const { id, method, params } = (await request.json()) as {
        id: unknown;
        method: string;
        params: [string & string[], { minContextSlot?: number }?];
      };
      if (node.isBroken) return new Response('broken', { status: 500 });
      const reply = (body: object) => Response.json({ jsonrpc: '2.0', id, ...body });
      const withContext = (value: unknown) => reply({ result: { context: { slot: node.slot }, value } });
      const [first, options] = params;
      if ((options?.minContextSlot ?? 0) > node.slot)
        return reply({ error: { code: -32016, message: 'Minimum context slot has not been reached' } });
      switch (method) {
        case 'simulateTransaction': {
          node.simulated.push(first);
          await node.beforeSimulation?.();
          const err = node.failures.get(first) ?? node.failures.get('*') ?? null;
          return withContext({ err, logs: [], unitsConsumed: 1_000 });
        }
        case 'sendTransaction':
          node.sent.push(first);
          return reply({ result: signatureOf(first) });
        case 'getMultipleAccounts':
          return withContext((first as string[]).map((address) => accountAt(node, address)));
        default:
          return reply({ error: { code: -32_601, message: 'Method not found' } });
      }
    },
  });
  atEnd(() => server.stop(true));
  const node: OrderNode = {
    url: `http://127.0.0.1:${server.port}`,
    slot: 10,
    chainSeconds: Math.floor(Date.now() / 1_000),
    failures: new Map(),
    nonces: new Map(),
    isBroken: false,
    simulated: [],
    sent: [],
    beforeSimulation: null,
  };
  return node;
}

function accountAt({ chainSeconds, nonces }: OrderNode, address: string) {
  const nonce = nonces.get(address);
  if (address === CLOCK_SYSVAR) {
    const data = Buffer.alloc(40);
    data.writeBigInt64LE(BigInt(chainSeconds), 32);
    return account('Sysvar1111111111111111111111111111111111111', data);
  }
  return nonce === undefined ? null : account(SYSTEM_PROGRAM, nonceAccountData(nonce));
}

function account(owner: string, data: Buffer) {
  return {
    owner,
    data: [data.toString('base64'), 'base64'],
    lamports: 1_000_000,
    executable: false,
    rentEpoch: 0,
    space: data.byteLength,
  };
}
