export interface StubNode {
  url: string;
  close(): Promise<void>;
}

const GENESIS_HASH = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';
const SLOT_MS = 400;
const FIRST_SLOT = 300_000_000;

/**
 * A Solana node of constant answers inside the bench process, so that the api's background polling costs what it
 * costs in production and not what failures cost. Knows the calls of `src/chain/calls.ts`; every account is absent.
 */
export function startStubNode(): StubNode {
  const startedAtMs = performance.now();
  const slot = () => FIRST_SLOT + Math.floor((performance.now() - startedAtMs) / SLOT_MS);
  const withContext = (value: unknown) => ({ context: { slot: slot(), apiVersion: '2.0.0' }, value });
  const results: Record<string, (params: readonly unknown[]) => unknown> = {
    getEpochInfo: () => ({
      absoluteSlot: slot(),
      blockHeight: slot(),
      epoch: 700,
      slotIndex: 0,
      slotsInEpoch: 432_000,
      transactionCount: 1,
    }),
    getBlockHeight: slot,
    getSlot: slot,
    getGenesisHash: () => GENESIS_HASH,
    getVersion: () => ({ 'solana-core': '2.0.0', 'feature-set': 1 }),
    getSignatureStatuses: ([signatures]) =>
      withContext(Array.isArray(signatures) ? signatures.map(() => null) : []),
    getAccountInfo: () => withContext(null),
    getMultipleAccounts: ([addresses]) =>
      withContext(Array.isArray(addresses) ? addresses.map(() => null) : []),
    getTokenAccountsByOwner: () => withContext([]),
    getProgramAccounts: () => [],
    getSignaturesForAddress: () => [],
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { id, method, params } = (await request.json()) as {
        id: unknown;
        method: string;
        params?: readonly unknown[];
      };
      const result = results[method];
      if (result === undefined) {
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
      }
      return Response.json({ jsonrpc: '2.0', id, result: result(params ?? []) });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) };
}
