import { expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { forwardRpc } from '../support/chain/forward-rpc.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { signatureOf, startSendingNode } from '../support/intents/sending-node.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { startWorkerProcess } from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { acceptedScopes, earlierRelease } from '../support/upgrades/earlier-release.ts';
import { createRelayWorld } from '../support/webhooks/webhook-relay.ts';

/** A node that follows the chain, and keeps what is sent to it from the chain: so it is sent again and again. */
function startKeepingNode(chainUrl: string): { url: string; sent: string[] } {
  const sent: string[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      // The worker also tries a WebSocket.
      if (request.method !== 'POST') return new Response('only POST', { status: 405 });
      const body = await request.text();
      const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: string[] };
      if (method !== 'sendTransaction') return forwardRpc(chainUrl, request, body);
      const [wire = ''] = params;
      sent.push(wire);
      return Response.json({ jsonrpc: '2.0', id, result: signatureOf(wire) });
    },
  });
  atEnd(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, sent };
}

test('api and worker of the release before, which may know no routes, send a protected transaction nowhere', async () => {
  const earlier = await earlierRelease();
  await migrate(earlier.databaseUrl);
  const chain = await startChain({ slotMs: 100 });
  atEnd(() => chain.stop());
  const node = startKeepingNode(chain.rpcUrl);
  const plain = startSendingNode();
  const guard = startSendingNode();
  const world = await createRelayWorld({
    DATABASE_URL: earlier.databaseUrl,
    SOLANA_RPC_URL: node.url,
    SOLANA_SEND_URL: plain.url,
  });
  const wallet = Keypair.generate();
  const key = await createTestKey(world.sql, {
    walletAddress: wallet.publicKey.toBase58(),
    scopes: await acceptedScopes(world.sql),
  });
  const signed = async (sendRoute: 'fast' | 'protected') => {
    const { id, unsigned } = await createPreparedIntent(world.sql, {
      accountId: key.accountId,
      wallet,
      sendRoute,
    });
    return { id, wire: Buffer.from(signWith(unsigned, wallet)).toString('base64') };
  };
  const [old, next] = await Promise.all([
    startApiProcess(earlier.databaseUrl, world.environment, earlier.root),
    startApiProcess(earlier.databaseUrl, {
      ...world.environment,
      SOLANA_SEND_URL: `plain=${plain.url},guard:protected=${guard.url}`,
    }),
    startWorkerProcess(world.environment, undefined, earlier.root),
  ]);
  const submit = async ({ baseUrl }: { baseUrl: string }, { id, wire }: { id: string; wire: string }) =>
    (await submitIntent(baseUrl, id, { key, signed: wire })).status;

  const [toOld, toNext, fast] = [await signed('protected'), await signed('protected'), await signed('fast')];
  // A release without routes is refused by the database; this one keeps it, and has no address to send it to.
  expect(await submit(old, toOld)).toBe(earlier.root === undefined ? 202 : 500);
  expect(await submit(next, toNext)).toBe(202);
  expect(await submit(old, fast)).toBe(202);
  await eventually('the protected one at its address', async () => guard.sent.includes(toNext.wire));
  // The worker has looked for due work since both were due: it sent the other one again.
  const times = (sent: readonly string[]) => sent.filter((wire) => wire === fast.wire).length;
  await eventually('the fast one again', async () => times(plain.sent) >= 3 && times(node.sent) >= 3);
  for (const sent of [...node.sent, ...plain.sent]) expect(sent).toBe(fast.wire);
  expect(guard.sent.every((wire) => wire === toNext.wire)).toBe(true);
});
