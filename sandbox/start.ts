// npm start [-- --fresh]: runs the whole product on this machine until Ctrl-C.
import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { ConfigurationError } from '../src/shared/configuration-error.ts';
import { ProgramRefused, readPrograms } from './chain/program-files.ts';
import { isOutdatedMarketState } from './market/market-state.ts';
import { chooseApiPort } from './processes/api-port.ts';
import { processEnvironment, secretKeyOf } from './processes/environment.ts';
import { checkGivenServers } from './processes/given-servers.ts';
import { launch, pidsOf, type Servers } from './processes/launch.ts';
import { lockSandbox } from './processes/launcher-lock.ts';
import { deleteData, stopLeftovers } from './processes/leftovers.ts';
import { Progress } from './processes/progress.ts';
import { summary } from './processes/summary.ts';
import { Supervisor } from './processes/supervisor.ts';
import { elapsed } from './services/log.ts';
import { onStopSignal } from './services/stop-signal.ts';
import { createSandboxFolder, type SandboxFolder, sandboxFolder } from './shared/sandbox-folder.ts';
import { readState, StateFile } from './shared/state-file.ts';

const USAGE = 'usage: npm start [-- --fresh] [--program ADDRESS=FILE ...]';
const startedAt = performance.now();

/** Prints a message for the user and ends the process. */
function exitWith(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}

interface Arguments {
  fresh: boolean;
  /** Program binaries for the local chain, as ADDRESS=FILE. */
  program: string[];
}

function readArguments(): Arguments {
  try {
    const options = {
      fresh: { type: 'boolean', default: false },
      program: { type: 'string', multiple: true, default: [] as string[] },
    } as const;
    const { values } = parseArgs({ options });
    // Checked before anything starts; the chain reads them again.
    readPrograms(values.program);
    return values;
  } catch (error) {
    return exitWith(error instanceof ProgramRefused ? `${error.message}\n${USAGE}` : USAGE, 2);
  }
}

function alreadyRunning(folder: SandboxFolder): string {
  const state = readState(folder.stateFile);
  if (state === undefined) return `Another sandbox is starting or stopping in ${folder.root}.`;
  const { baseUrl, docsUrl, inboxUrl, pids } = state;
  return `The sandbox is already running (pid ${pids.launcher}): API ${baseUrl}, docs ${docsUrl}, live page ${inboxUrl}.`;
}

/** What an earlier version left behind cannot be traded on: its tokens have no pools. */
function refuseOutdated(folder: SandboxFolder, fresh: boolean): void {
  // A market on a chain of the user's starts over by itself.
  if (fresh || process.env.SOLANA_RPC_URL || !isOutdatedMarketState(folder.marketFile)) return;
  throw new Error(
    `The sandbox in ${folder.root} was made by an earlier version, whose demo market this one cannot go on with. ` +
      'Start over with --fresh (npm start -- --fresh): it deletes what is in the folder.',
  );
}

/** Stops processes of an earlier run and, with `fresh`, deletes its data. */
async function removeEarlierRun(folder: SandboxFolder, fresh: boolean, progress: Progress): Promise<void> {
  rmSync(folder.stateFile, { force: true });
  const leftovers = await stopLeftovers(folder);
  if (leftovers.length > 0) progress.line(`· stopped processes of an earlier run: ${leftovers.join(', ')}`);
  if (!fresh) return;
  await progress.step('old data deleted', () => deleteData(folder));
  createSandboxFolder(folder);
  if (process.env.DATABASE_URL) progress.line('· --fresh does not change the database of DATABASE_URL');
}

async function run(folder: SandboxFolder, { fresh, program }: Arguments): Promise<void> {
  const progress = new Progress();
  const state = new StateFile(folder.stateFile);
  const supervisor = new Supervisor(progress, () => state.update({ pids: pidsOf(supervisor) }));
  const closers: (() => Promise<void>)[] = [];
  const stopped = Promise.withResolvers<NodeJS.Signals>();
  onStopSignal(stopped.resolve, (signal) => {
    void supervisor.kill().finally(() => process.exit(128 + constants.signals[signal]));
  });

  const stopAll = async () => {
    state.remove();
    await supervisor.stop(() => stopLeftovers(folder, (name) => !supervisor.isRunning(name)));
    await Promise.allSettled(closers.map((close) => close()));
    rmSync(folder.pids, { recursive: true, force: true });
  };
  const starting = start();
  const signal = await Promise.race([stopped.promise, starting.then(() => stopped.promise)]).catch(
    async (error) => {
      await stopAll();
      throw error;
    },
  );
  starting.catch(() => {});
  const stoppingAt = performance.now();
  progress.line(`\nStopping (${signal}) …`);
  await stopAll();
  progress.line(`Stopped (${elapsed(stoppingAt)}). The data is in ${folder.root}.`);

  async function start(): Promise<void> {
    const { port, remark } = await chooseApiPort(process.env.PORT);
    const settings = (servers: Servers) => ({
      ...servers,
      port,
      secretKey: secretKeyOf(process.env, folder),
    });
    // Checked before anything starts: a mistake in the user's variables is reported immediately.
    processEnvironment(process.env, settings(placeholders(process.env)));
    await checkGivenServers(process.env);
    refuseOutdated(folder, fresh);
    await removeEarlierRun(folder, fresh, progress);
    if (remark !== undefined) progress.line(`· ${remark}`);
    const facts = await launch({
      supervisor,
      folder,
      progress,
      state,
      given: process.env,
      programs: program,
      completeEnvironment: (servers) => processEnvironment(process.env, settings(servers)),
      onStop: (close) => closers.push(close),
    });
    supervisor.signal.throwIfAborted();
    state.publish({ ...facts, pids: pidsOf(supervisor) });
    progress.line(summary(facts, folder, elapsed(startedAt)));
  }
}

function placeholders(given: NodeJS.ProcessEnv): Servers {
  return {
    databaseUrl: given.DATABASE_URL || 'postgres://127.0.0.1/placeholder',
    natsUrl: given.NATS_URL || 'nats://127.0.0.1',
    rpcUrl: given.SOLANA_RPC_URL || 'http://127.0.0.1',
    sendUrls: null,
  };
}

const options = readArguments();
const folder = sandboxFolder(process.env.SANDBOX_DIR || undefined);
createSandboxFolder(folder);
if (!lockSandbox(folder.lockFile)) exitWith(alreadyRunning(folder));
try {
  await run(folder, options);
  process.exit(0);
} catch (error) {
  if (error instanceof ConfigurationError) exitWith(error.message);
  exitWith(`\nlaunchwire: ${error instanceof Error ? error.message : String(error)}`);
}
