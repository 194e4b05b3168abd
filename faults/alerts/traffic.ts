import { Keypair } from '@solana/web3.js';
import { createClient, isLaunchwireError, secretKeySigner } from 'launchwire';
import { seededRandom } from '../../bench/measurement/seeded-random.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { wait } from '../../src/shared/loop.ts';
import { addReceiver, createKeys, FUNDS_LAMPORTS, tradedMints } from '../clients/population.ts';
import { startReceivers } from '../clients/receivers.ts';
import type { Credentials } from '../clients/setting.ts';
import type { Deployment } from '../deployment/deployment.ts';

const AMOUNT_RAW = '1000000';
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 5_000;

/** Clients that submit about once a second and wait for no result, each with a receiver of its webhooks. */
export interface Traffic {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export async function startTraffic(
  deployment: Deployment,
  sql: Database,
  clients: number,
  signal: AbortSignal,
): Promise<Traffic> {
  const rpc = new SolanaRpc(deployment.direct.rpcUrl);
  const wallets = Array.from({ length: clients }, () => Keypair.generate());
  const keys = await createKeys(
    deployment,
    wallets.map((wallet) => wallet.publicKey.toBase58()),
  );
  await Promise.all(wallets.map((wallet) => rpc.airdrop(wallet.publicKey.toBase58(), FUNDS_LAMPORTS)));
  const [mint = ''] = await tradedMints(sql, signal);
  const receivers = startReceivers(seededRandom(1));
  for (const [at, key] of keys.entries()) await addReceiver(deployment, receivers, `receiver-${at}`, key);
  return {
    async run(until) {
      await Promise.all(
        wallets.map((wallet, at) => submitRepeatedly(deployment, { wallet, mint, key: keys[at] }, until)),
      );
    },
    close: () => receivers.close(),
  };
}

/** Submits the last prepared intent again if none can be prepared, because an outage has answers too. */
async function submitRepeatedly(
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
    const swap = await client.createSwap(order, { idempotencyKey }).catch(unlessDefect);
    prepared = swap?.intent ?? prepared;
    if (prepared !== undefined)
      await client
        .signAndSubmit(prepared, signer, { idempotencyKey: crypto.randomUUID() })
        .catch(unlessDefect);
    await wait(PAUSE_MS, signal);
  }
}

/** A failed call is what the metrics count; any other error is a defect of this program. */
function unlessDefect(error: unknown): undefined {
  if (!isLaunchwireError(error)) throw error;
}
