import { Keypair } from '@solana/web3.js';
import { createClient, secretKeySigner } from 'launchwire';
import { seededRandom } from '../../bench/measurement/seeded-random.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { wait } from '../../src/shared/loop.ts';
import { createKeys, tradedMints } from '../clients/population.ts';
import { startReceivers } from '../clients/receivers.ts';
import type { Credentials } from '../clients/setting.ts';
import type { Deployment } from '../deployment/deployment.ts';

const FUNDS_LAMPORTS = 50_000_000_000n;
const AMOUNT_RAW = '1000000';
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 5_000;

/** Clients that submit about once a second and wait for no result, each with a receiver of its webhooks. */
export interface Traffic {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export async function startTraffic(deployment: Deployment, sql: Database, clients: number): Promise<Traffic> {
  const rpc = new SolanaRpc(deployment.direct.rpcUrl);
  const wallets = Array.from({ length: clients }, () => Keypair.generate());
  const keys = await createKeys(
    deployment,
    wallets.map((wallet) => wallet.publicKey.toBase58()),
  );
  await Promise.all(wallets.map((wallet) => rpc.airdrop(wallet.publicKey.toBase58(), FUNDS_LAMPORTS)));
  const [mint = ''] = await tradedMints(sql);
  const receivers = startReceivers(seededRandom(1));
  for (const [at, { accountId, apiKey }] of keys.entries()) {
    const receiver = receivers.add(`receiver-${at}`, accountId, true);
    const url = `http://127.0.0.1:${receivers.port}/receiver-${at}`;
    const client = createClient({ baseUrl: deployment.origin, apiKey });
    const { id, secret } = await client.createWebhookEndpoint({ url, eventTypes: ['*'] });
    receiver.useSecrets(id, [secret]);
  }
  return {
    async run(signal) {
      await Promise.all(
        wallets.map((wallet, at) => submitAgainAndAgain(deployment, { wallet, mint, key: keys[at] }, signal)),
      );
    },
    close: () => receivers.close(),
  };
}

/** Submits the last prepared intent again if none can be prepared, because an outage has answers too. */
async function submitAgainAndAgain(
  { origin }: Deployment,
  { wallet, mint, key }: { wallet: Keypair; mint: string; key: Credentials | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (key === undefined) throw new Error('an account is missing');
  const client = createClient({ baseUrl: origin, apiKey: key.apiKey, timeoutMs: TIMEOUT_MS, maxRetries: 0 });
  const signer = await secretKeySigner(wallet.secretKey);
  let prepared: Awaited<ReturnType<typeof client.createSwap>>['intent'] | undefined;
  while (!signal.aborted) {
    const idempotencyKey = crypto.randomUUID();
    const order = { mint, side: 'buy', amountRaw: AMOUNT_RAW, slippageBps: 2_000 } as const;
    const swap = await client.createSwap(order, { idempotencyKey }).catch(() => undefined);
    prepared = swap?.intent ?? prepared;
    // A failure is what is measured: the apis count it.
    if (prepared !== undefined)
      await client
        .signAndSubmit(prepared, signer, { idempotencyKey: crypto.randomUUID() })
        .catch(() => undefined);
    await wait(PAUSE_MS, signal);
  }
}
