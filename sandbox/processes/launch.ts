import { type AdminDependencies, createAdminDependencies } from '../../src/admin/admin-dependencies.ts';
import { loadConfig } from '../../src/config/load.ts';
import { migrate } from '../../src/db/migrate.ts';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { SANDBOX_TIP_ACCOUNTS } from '../chain/tip-accounts.ts';
import { AudienceExport } from '../demo/audience-export.ts';
import { DemoIntent } from '../demo/demo-intent.ts';
import { ensureCredentials, openIdentity } from '../demo/identity.ts';
import { type Renewable, renewWhenStale } from '../demo/renewal.ts';
import { curveKinds, launchConfigNames } from '../market/curve-kinds.ts';
import { MarketState } from '../market/market-state.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import { SolanaRpc } from '../shared/solana-rpc.ts';
import type { SandboxState, StateFile } from '../shared/state-file.ts';
import { type MarketFacts, startCommunity, startInbox, startMarket } from './demo-processes.ts';
import { type Environment, localOrigin } from './environment.ts';
import { type ProcessContext, startApi, startRelay, startWorker } from './product-processes.ts';
import type { Progress } from './progress.ts';
import {
  FAST_TIP_LAMPORTS,
  type SendUrls,
  startBroker,
  startDatabase,
  startLocalChain,
} from './server-processes.ts';
import type { Supervisor } from './supervisor.ts';

/** The check is frequent because a used intent must be replaced at once. Exports only expire. */
const INTENT_CHECK_MS = 1_000;
const EXPORT_CHECK_MS = 10_000;

export interface LaunchContext {
  readonly supervisor: Supervisor;
  readonly folder: SandboxFolder;
  readonly progress: Progress;
  readonly state: StateFile;
  /** The user's variables. */
  readonly given: NodeJS.ProcessEnv;
  /** Program binaries for the local chain, as ADDRESS=FILE. */
  readonly programs: readonly string[];
  /** Adds the sandbox's own variables when the servers are known. */
  readonly completeEnvironment: (servers: Servers) => Environment;
  /** Registers a step of the clean-up when the sandbox stops. */
  readonly onStop: (close: () => Promise<void>) => void;
}

export interface Servers {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly rpcUrl: string;
  /** The landing services of the local chain; null on a chain of the user's. */
  readonly sendUrls: SendUrls | null;
}

/** The servers and the processes of the service: one of each, or a cluster (sandbox/cluster). */
export interface Deployment {
  startServers(context: LaunchContext): Promise<Servers>;
  /** Resolves when the api serves at its address. */
  startApi(processes: ProcessContext, origin: string): Promise<void>;
  /** Resolves when workers and relays work. */
  startBackground(processes: ProcessContext, connection: NatsConnection): Promise<void>;
}

/** What `npm start` runs. */
function singleProcesses({ progress }: LaunchContext): Deployment {
  return {
    startServers,
    startApi: (processes, origin) => progress.step('api', () => startApi(processes, origin)),
    async startBackground(processes, connection) {
      await Promise.all([
        progress.step('worker', () => startWorker(processes, connection)),
        progress.step('relay', () => startRelay(processes, connection)),
      ]);
    },
  };
}

/** Starts everything in the order of its dependencies, in parallel where possible. Returns the content of the state
 * file. */
export async function launch(
  context: LaunchContext,
  deployment: Deployment = singleProcesses(context),
): Promise<SandboxState> {
  const { supervisor, folder, progress, given } = context;
  const servers = await deployment.startServers(context);
  const environment: Environment = {
    ...(given.IMAGE_BUCKET ? {} : { IMAGE_FOLDER: folder.images }),
    ...(await launchSettings(context, servers)),
    ...sendSettings(context, servers),
    ...context.completeEnvironment(servers),
  };
  await progress.step('migrations', () => migrateDatabase(servers.databaseUrl, !given.DATABASE_URL));
  const admin = createAdminDependencies(loadConfig(environment), environment);
  context.onStop(() => admin.close());
  await admin.clock.begin();
  const connection = await connectBus(servers.natsUrl, 'sandbox');
  context.onStop(() => connection.close());

  const processes: ProcessContext = { supervisor, folder, environment };
  const origin = localOrigin(given.HOST, Number(environment.PORT));
  const identity = openIdentity(folder.identityFile);
  const [{ credentials, inboxUrl }, market] = await Promise.all([
    deployment
      .startApi(processes, origin)
      .then(() => startUserAndInbox(context, processes, origin, identity, admin)),
    startDemoMarket(context, processes),
    deployment.startBackground(processes, connection),
  ]);
  const baseUrl = `${origin}/api/v2`;
  const user = { admin, accountId: credentials.accountId, wallet: identity.wallet.address };
  const demoIds =
    market === null
      ? { intentId: null, operationId: null }
      : await startDemo(context, processes, { ...servers, baseUrl }, market, user);
  return {
    baseUrl,
    docsUrl: given.DOCS_URL || `${origin}/docs`,
    inboxUrl,
    ...servers,
    ...credentials,
    wallet: identity.wallet,
    ...demoIds,
    mint: market?.mint ?? null,
    pids: pidsOf(supervisor),
    environment,
  };
}

/**
 * Submissions go to the landing services too, and swaps and launches pay the tip that one of them asks for, unless the
 * user's variables say anything about that.
 */
function sendSettings({ given }: LaunchContext, { sendUrls }: Servers): Environment {
  const isUsersChoice = given.SOLANA_SEND_URL || given.TIP_LAMPORTS || given.TIP_ACCOUNTS;
  if (sendUrls === null || isUsersChoice) return {};
  return {
    SOLANA_SEND_URL: `fast=${sendUrls.fastUrl},private:protected=${sendUrls.privateUrl}`,
    TIP_LAMPORTS: String(FAST_TIP_LAMPORTS),
    TIP_ACCOUNTS: SANDBOX_TIP_ACCOUNTS.map((account) => `fast=${account}`).join(),
  };
}

/** Tokens are launched on the curves of the demo market, which makes its configs on the sandbox's own chain. */
async function launchSettings({ folder, given }: LaunchContext, { rpcUrl }: Servers): Promise<Environment> {
  if (given.SOLANA_RPC_URL || given.LAUNCH_CURVE_CONFIG || given.LAUNCH_CURVE_CONFIGS) return {};
  const { configs } = MarketState.open(folder.marketFile, await new SolanaRpc(rpcUrl).genesisHash());
  const offered = curveKinds.map(
    (kind) => `${launchConfigNames[kind]}=${configs[kind].publicKey.toBase58()}`,
  );
  return { LAUNCH_CURVE_CONFIGS: offered.join() };
}

/** The processes that run now, this one included. */
export function pidsOf(supervisor: Supervisor): Record<string, number> {
  return { launcher: process.pid, ...supervisor.pids };
}

/** Starts the servers that the user's variables do not name. */
async function startServers({
  supervisor,
  folder,
  progress,
  given,
  programs,
}: LaunchContext): Promise<Servers> {
  let sendUrls: SendUrls | null = null;
  const start = (
    name: string,
    givenUrl: string | undefined,
    startOwn: (log: (line: string) => void) => Promise<string>,
  ) => {
    if (!givenUrl) return progress.step(name, startOwn);
    progress.line(`· ${name}: the one that you configured`);
    return Promise.resolve(givenUrl);
  };
  const startChain = async (log: (line: string) => void) => {
    const { rpcUrl, fastUrl, privateUrl } = await startLocalChain(supervisor, folder, programs, log);
    sendUrls = { fastUrl, privateUrl };
    return rpcUrl;
  };
  const started = await Promise.allSettled([
    start('Postgres', given.DATABASE_URL, (log) => startDatabase(supervisor, folder, log)),
    start('nats-server', given.NATS_URL, (log) => startBroker(supervisor, folder, log)),
    start('Solana chain', given.SOLANA_RPC_URL, startChain),
  ]);
  const [databaseUrl = '', natsUrl = '', rpcUrl = ''] = started.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  return { databaseUrl, natsUrl, rpcUrl, sendUrls };
}

async function migrateDatabase(databaseUrl: string, isOurs: boolean): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = isOurs ? ' --fresh starts with an empty one.' : '';
    throw new Error(`The migrations of the database failed: ${reason}.${hint}`);
  }
}

async function startUserAndInbox(
  { folder, progress }: LaunchContext,
  processes: ProcessContext,
  origin: string,
  identity: ReturnType<typeof openIdentity>,
  admin: AdminDependencies,
) {
  const baseUrl = `${origin}/api/v2`;
  const credentials = await ensureCredentials(folder.identityFile, identity, baseUrl, admin);
  const { apiKey } = credentials;
  const { inboxUrl, problem } = await progress.step('inbox', () =>
    startInbox(processes, { baseUrl, apiKey }),
  );
  if (problem !== undefined) progress.warn(`the inbox has no webhook endpoint: ${problem}`);
  return { credentials, inboxUrl };
}

/** Without an airdrop on the user's own chain there is no market. Everything else works. */
async function startDemoMarket(
  { progress, given }: LaunchContext,
  processes: ProcessContext,
): Promise<MarketFacts | null> {
  try {
    return await progress.step('demo market', () => startMarket(processes));
  } catch (error) {
    if (!given.SOLANA_RPC_URL || processes.supervisor.signal.aborted) throw error;
    progress.warn(`no demo market on this chain: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

interface DemoUser {
  readonly admin: AdminDependencies;
  readonly accountId: string;
  readonly wallet: string;
}

/** Starts the community and prepares an intent and an operation for the user. */
async function startDemo(
  context: LaunchContext,
  processes: ProcessContext,
  { rpcUrl, baseUrl }: Servers & { baseUrl: string },
  { mint, decimals, recipient }: MarketFacts,
  { admin, accountId, wallet }: DemoUser,
): Promise<{ intentId: string; operationId: string }> {
  const { progress } = context;
  const rpc = new SolanaRpc(rpcUrl.split(',')[0] ?? '');
  const transfer = { wallet, recipient, mint, decimals };
  const { database, outbox, rpcs } = admin;
  const intent = new DemoIntent({ database, outbox, rpc, rpcs, accountId, transfer });
  const audience = new AudienceExport({ admin, accountId, mint });
  const [intentId, operationId] = await Promise.all([
    progress.step('prepared intent', () => intent.current()),
    audience.current(),
    startCommunity(processes, baseUrl),
  ]);
  keepRenewed(context, intent, {
    name: 'demo intent',
    fact: 'intentId',
    first: intentId,
    everyMs: INTENT_CHECK_MS,
  });
  keepRenewed(context, audience, {
    name: 'demo export',
    fact: 'operationId',
    first: operationId,
    everyMs: EXPORT_CHECK_MS,
  });
  return { intentId, operationId };
}

/** Renews a resource until the sandbox stops, and keeps its id in the state file. */
function keepRenewed(
  { supervisor, progress, state, onStop }: LaunchContext,
  renewable: Renewable,
  { name, fact, ...rest }: { name: string; fact: 'intentId' | 'operationId'; first: string; everyMs: number },
): void {
  const renewal = renewWhenStale(
    renewable,
    rest,
    (id) => state.update({ [fact]: id }),
    (reason) => progress.warn(`the ${name} could not be renewed, retrying: ${reason}`),
    supervisor.signal,
  );
  onStop(() => renewal);
}
