import { Keypair } from '@solana/web3.js';
import { createClient } from 'launchwire';
import { seededRandom } from '../../bench/measurement/seeded-random.ts';
import { createKey } from '../../sandbox/demo/identity.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { createAdminDependencies } from '../../src/admin/admin-dependencies.ts';
import { loadAdminConfig } from '../../src/config/load.ts';
import type { Database } from '../../src/db/client.ts';
import { wait } from '../../src/shared/loop.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Histories } from '../evidence/histories.ts';
import type { FundedWallet } from '../evidence/read-chain.ts';
import { type BotOptions, runBot } from './bot.ts';
import { runFeed } from './feed.ts';
import { runOperator } from './operator.ts';
import { followStream, type Reader } from './reader.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import type { ClientSetting, Credentials } from './setting.ts';

export interface PopulationSize {
  readonly bots: number;
  readonly readers: number;
  readonly receivers: number;
}

/** All clients of a walk. */
export interface Population {
  readonly wallets: readonly FundedWallet[];
  readonly readers: readonly Reader[];
  /** Runs bots, feed and operator until the setting ends, and each has finished what it began. */
  run(): Promise<Pick<Histories, 'orders' | 'fedTrades'>>;
  receiverHistories(): Histories['receivers'];
  close(): Promise<void>;
}

export const FUNDS_LAMPORTS = 50_000_000_000n;
const FED_TOKENS = 3;
const MINTS_MIN = 3;
const POLL_MS = 200;

/** Makes accounts, wallets and endpoints before the first fault, and connects the readers. */
export async function startPopulation(
  deployment: Deployment,
  sql: Database,
  setting: ClientSetting,
  seed: number,
  size: PopulationSize,
): Promise<Population> {
  const rpc = new SolanaRpc(deployment.direct.rpcUrl);
  const receivers = startReceivers(seededRandom(seed + 1));
  const wallets = Array.from({ length: size.bots }, () => Keypair.generate());
  const keys = await createKeys(deployment, [
    ...wallets.map((wallet) => wallet.publicKey.toBase58()),
    Keypair.generate().publicKey.toBase58(),
  ]);
  const funded = await Promise.all(
    wallets.map(async ({ publicKey }) => {
      const address = publicKey.toBase58();
      return { address, fundedBy: await rpc.airdrop(address, FUNDS_LAMPORTS) };
    }),
  );
  const mints = await tradedMints(sql, setting.givingUp);
  const operator = keys.at(-1) ?? missing();
  await Promise.all(
    Array.from({ length: size.receivers }, (_, at) =>
      addReceiver(setting, receivers, `receiver-${at}`, keys[at % keys.length] ?? missing()),
    ),
  );
  const readers = Array.from({ length: size.readers }, (_, at) =>
    followStream(setting, {
      name: `reader-${at}`,
      credentials: at % 3 === 0 ? (keys[at % keys.length] ?? null) : null,
      transport: at % 2 === 0 ? 'events' : 'socket',
      random: seededRandom(seed + 500 + at),
    }),
  );
  const bots = wallets.map(
    ({ publicKey, secretKey }, at): BotOptions => ({
      ...(keys[at] ?? missing()),
      name: `bot-${at}`,
      wallet: { address: publicKey.toBase58(), secretKey },
      mints,
      random: seededRandom(seed + 100 + at),
    }),
  );
  return {
    wallets: funded,
    readers,
    async run() {
      const receiverOrigin = `http://127.0.0.1:${receivers.port}`;
      const [orders, fedTrades] = await Promise.all([
        Promise.all(bots.map((bot) => runBot(setting, bot))),
        runFeed({
          natsUrl: deployment.direct.natsUrl,
          seed,
          random: seededRandom(seed + 2),
          tokens: FED_TOKENS,
          ending: setting.ending,
          givingUp: setting.givingUp,
        }),
        runOperator(setting, { ...operator, receivers, receiverOrigin, random: seededRandom(seed + 3) }),
      ]);
      return { orders: orders.flat(), fedTrades };
    },
    receiverHistories: () => receivers.histories(),
    async close() {
      await Promise.all(readers.map((reader) => reader.stop()));
      await receivers.close();
    },
  };
}

/** An account with a key of all scopes for each wallet. */
export async function createKeys(
  { environment }: Deployment,
  wallets: readonly string[],
): Promise<Credentials[]> {
  const config = loadAdminConfig(() => ({}), environment);
  const admin = createAdminDependencies(config, environment);
  try {
    await admin.clock.begin();
    const keys: Credentials[] = [];
    for (const wallet of wallets)
      keys.push(await createKey(admin, { account: 'new', wallet, scopes: 'all', name: 'Faults' }));
    return keys;
  } finally {
    await admin.close();
  }
}

/** An endpoint of the account for all events, and its receiver. */
export async function addReceiver(
  { origin }: Pick<ClientSetting, 'origin'>,
  receivers: Receivers,
  name: string,
  { accountId, apiKey }: Credentials,
): Promise<void> {
  const client = createClient({ baseUrl: origin, apiKey });
  const receiver = receivers.add(name, accountId, true);
  const url = `http://127.0.0.1:${receivers.port}/${name}`;
  const { id, secret } = await client.createWebhookEndpoint({ url, eventTypes: ['*'] });
  receiver.useSecrets(id, [secret]);
}

/** Mints of the demo market whose pools the product has seen. Waits until there are a few. */
export async function tradedMints(sql: Database, signal: AbortSignal): Promise<string[]> {
  for (;;) {
    const rows = await sql<{ mint: string }[]>`
      select mint_address as mint from token_pools where unusable_reason is null order by created_at`;
    if (rows.length >= MINTS_MIN) return rows.map(({ mint }) => mint);
    await wait(POLL_MS, signal);
    signal.throwIfAborted();
  }
}

function missing(): never {
  throw new Error('an account is missing');
}
