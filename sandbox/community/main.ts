// The simulated users of the demo market, a process of its own: they predict, stake, and take part in presales.
//   bun sandbox/community/main.ts --sandbox <folder>, with the variables of the product (contract/processes#configuration)
// SANDBOX_DEMO_PACE=10 makes everything happen ten times as often.
import { parseArgs } from 'node:util';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { createAdminDependencies } from '../../src/admin/admin-dependencies.ts';
import { loadConfig } from '../../src/config/load.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { createLogger, type Logger } from '../../src/shared/log.ts';
import { runLoop } from '../../src/shared/loop.ts';
import { onStopSignal, untilReachable } from '../../src/shared/process.ts';
import { openIdentity } from '../demo/identity.ts';
import { Feed } from '../market/feed.ts';
import { MarketState } from '../market/market-state.ts';
import { runToExit } from '../shared/run-to-exit.ts';
import { sandboxFolder } from '../shared/sandbox-folder.ts';
import { SolanaRpc } from '../shared/solana-rpc.ts';
import { ApiClient } from './api-client.ts';
import { fullyFunded, underfunded } from './campaign.ts';
import { addressOf, type CommunityContext, type CommunityTask } from './context.ts';
import { ensureForecasters, type Forecaster, registerWallet, USER_NAME } from './forecasters.ts';
import { ForecastTask } from './forecasts.ts';
import { PresaleTask } from './presales.ts';
import { RoundTask } from './rounds.ts';
import { StakingTask } from './staking.ts';

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
  const admin = createAdminDependencies(config, process.env);
  await admin.clock.begin();
  const connection = await untilReachable('nats', () => connectBus(config, 'community'), waiting);
  const pace = paceOf(SANDBOX_DEMO_PACE);
  const context: CommunityContext = {
    admin,
    api: new ApiClient(baseUrl, apiKey),
    feed: new Feed(connection, log, signal),
    rpc: new SolanaRpc(config.solanaNodes[0]?.url ?? ''),
    market: MarketState.read(folder.marketFile),
    user: Keypair.fromSecretKey(bs58.decode(wallet.secretKey)),
    signal,
    ms: (milliseconds) => milliseconds / pace,
  };
  const { traders } = context.market;
  const forecasters = await untilReachable(
    'api',
    () => ensureForecasters(folder.communityFile, baseUrl, traders, admin),
    waiting,
  );
  await registerWallet(admin, wallet.address, USER_NAME);
  const tasks = tasksOf(context, forecasters, { address: wallet.address, apiKey });
  await Promise.all(tasks.map((task) => repeatTask(task, waiting)));
  await connection.close();
  await admin.close();
}

/** All tasks concern the first token of the market, which the examples use. */
function tasksOf(
  context: CommunityContext,
  forecasters: readonly Forecaster[],
  user: Forecaster,
): CommunityTask[] {
  const [token] = context.market.tokens;
  if (token === undefined) throw new Error('the market has no token');
  const mint = addressOf(token.mint);
  return [
    new RoundTask(context, mint),
    new ForecastTask(context, mint, forecasters, user),
    new StakingTask(context, token),
    new PresaleTask(context, fullyFunded),
    new PresaleTask(context, underfunded),
  ];
}

function repeatTask(
  task: CommunityTask,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const { name, everyMs } = task;
  const step = async () => {
    await task.step();
    return false;
  };
  return runLoop({ name, log, signal, idleMs: everyMs, step });
}

/** Throws when the pace is not a number above 0 and at most 100. */
function paceOf(text: string | undefined): number {
  const pace = Number(text || 1);
  if (!(pace > 0 && pace <= 100)) throw new Error('SANDBOX_DEMO_PACE must be a number above 0, at most 100');
  return pace;
}

await runToExit(main);
