// The people around the demo market, a process of its own: they predict, stake, buy presales and get their fees.
//   bun sandbox/community/main.ts --sandbox <folder>, with the variables of the product (contract/processes#configuration)
// SANDBOX_DEMO_PACE=10 makes everything happen ten times as often.
import { parseArgs } from 'node:util';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { createAdminDependencies } from '../../src/admin/admin-dependencies.ts';
import { loadConfig } from '../../src/config.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { createLogger, type Logger } from '../../src/shared/log.ts';
import { runLoop } from '../../src/shared/loop.ts';
import { onStopSignal, untilReachable } from '../../src/shared/process.ts';
import { openIdentity } from '../demo/identity.ts';
import { Feed } from '../market/feed.ts';
import { MarketBook } from '../market/market-state.ts';
import { sandboxFolder } from '../sandbox-folder.ts';
import { SolanaRpc } from '../solana-rpc.ts';
import { Product } from './api-client.ts';
import { filling, missing } from './campaign.ts';
import { addressOf, type CommunityContext, type Keeper } from './context.ts';
import { FeeKeeper } from './fees.ts';
import { ensureForecasters, type Forecaster, introduce, USER_NAME } from './forecasters.ts';
import { ForecastKeeper } from './forecasts.ts';
import { PresaleKeeper } from './presales.ts';
import { RoundKeeper } from './rounds.ts';
import { StakingKeeper } from './staking.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { sandbox: { type: 'string' } } });
  const { LAUNCHWIRE_BASE_URL: baseUrl, SANDBOX_DEMO_PACE } = process.env;
  if (values.sandbox === undefined || !baseUrl)
    throw new Error('--sandbox and LAUNCHWIRE_BASE_URL are needed');
  const config = loadConfig(process.env);
  const log = createLogger('community', config.logLevel);
  const signal = onStopSignal();
  const waiting = { log, signal };
  const folder = sandboxFolder(values.sandbox);
  const { wallet, apiKey } = openIdentity(folder.identityFile);
  if (apiKey === undefined) throw new Error(`${folder.identityFile} has no API key yet`);
  const admin = createAdminDependencies(config);
  const connection = await untilReachable('nats', () => connectBus(config.natsUrl, 'community'), waiting);
  const pace = paceOf(SANDBOX_DEMO_PACE);
  const context: CommunityContext = {
    admin,
    product: new Product(baseUrl, apiKey),
    feed: new Feed(connection, log, signal),
    rpc: new SolanaRpc(config.solanaRpcUrls[0] ?? ''),
    book: MarketBook.read(folder.marketFile),
    user: Keypair.fromSecretKey(bs58.decode(wallet.secretKey)),
    signal,
    ms: (milliseconds) => milliseconds / pace,
  };
  const { traders } = context.book;
  const forecasters = await untilReachable(
    'api',
    () => ensureForecasters(folder.communityFile, baseUrl, traders, admin),
    waiting,
  );
  await introduce(admin, wallet.address, USER_NAME);
  const keepers = keepersOf(context, forecasters, { address: wallet.address, apiKey });
  await Promise.all(keepers.map((keeper) => keep(keeper, waiting)));
  await connection.close();
  await admin.close();
}

/** Everything is about the first token of the market, the one that examples use. */
function keepersOf(
  context: CommunityContext,
  forecasters: readonly Forecaster[],
  user: Forecaster,
): Keeper[] {
  const [token] = context.book.tokens;
  if (token === undefined) throw new Error('the market has no token');
  const mint = addressOf(token.mint);
  return [
    new RoundKeeper(context, mint),
    new ForecastKeeper(context, mint, forecasters, user),
    new StakingKeeper(context, token),
    new FeeKeeper(context, token),
    new PresaleKeeper(context, filling),
    new PresaleKeeper(context, missing),
  ];
}

function keep(keeper: Keeper, { log, signal }: { log: Logger; signal: AbortSignal }): Promise<void> {
  const { name, everyMs } = keeper;
  const step = async () => {
    await keeper.step();
    return false;
  };
  return runLoop({ name, log, signal, idleMs: everyMs, step });
}

/** Throws when the pace is no positive number. */
function paceOf(text: string | undefined): number {
  const pace = Number(text || 1);
  if (!(pace > 0 && pace <= 100)) throw new Error('SANDBOX_DEMO_PACE must be a number above 0, at most 100');
  return pace;
}

try {
  await main();
  process.exit(0);
} catch (error) {
  // A signal that came while it was still starting.
  if (error === 'SIGTERM' || error === 'SIGINT') process.exit(0);
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
