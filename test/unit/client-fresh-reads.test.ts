import { expect, test } from 'bun:test';
import { createClient } from '../../packages/client/src/launchwire.ts';

const mint = 'So11111111111111111111111111111111111111112';

/** A client whose requests are answered at once, and what their `Cache-Control` said. */
function stage(body: unknown) {
  const asked: (string | null)[] = [];
  const client = createClient({
    baseUrl: 'https://api.example',
    fetch: (async (_url: string, init: RequestInit) => {
      asked.push(new Headers(init.headers).get('cache-control'));
      return Response.json(body, { headers: { ETag: '"1"' } });
    }) as unknown as typeof fetch,
  });
  return { client, asked };
}

test('a read says no-cache when it is asked to, and no other request does', async () => {
  const { client, asked } = stage({ id: '1', version: 1 });
  await client.getToken({ mint });
  await client.getToken({ mint }, { fresh: true });
  await client.getToken({ mint }, { fresh: false });
  await client.createSwap({ mint, side: 'buy', amountRaw: '1', slippageBps: 1 }, { fresh: true });
  expect(asked).toEqual([null, 'no-cache', null, null]);
});

test('a wait for a trade begins past every cache: what it follows was told before', async () => {
  const trade = { id: '1', transactionSignature: 'signature' };
  const { client, asked } = stage({ data: [trade] });
  expect(await client.waitForTrade({ mint, transactionSignature: 'signature' })).toMatchObject(trade);
  expect(asked).toEqual(['no-cache']);
});
