// npm start [-- --fresh]: the whole product on this machine, until Ctrl-C.
import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { ConfigurationError } from '../src/shared/configuration.ts';
import { ProgramRefused, readPrograms } from './chain/program-files.ts';
import { createSandboxFolder, type SandboxFolder, sandboxFolder } from './folder.ts';
import { chooseApiPort } from './processes/api-port.ts';
import { Crew } from './processes/crew.ts';
import { processEnvironment, secretKeyOf } from './processes/environment.ts';
import { launch, pidsOf, type Servers } from './processes/launch.ts';
import { lockSandbox } from './processes/launcher-lock.ts';
import { deleteData, stopLeftovers } from './processes/leftovers.ts';
import { Progress } from './processes/progress.ts';
import { summary } from './processes/summary.ts';
import { elapsed } from './services/log.ts';
import { onStopSignal } from './services/stop-signal.ts';
import { readState, StateFile } from './state.ts';

const USAGE = 'usage: npm start [-- --fresh] [--program ADDRESS=FILE ...]';
const startedAt = performance.now();

/** Ends the process with a sentence for the user. */
function refuse(message: string, code = 1): never {
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
    // Before anything starts; the chain reads them again.
    readPrograms(values.program);
    return values;
  } catch (error) {
    return refuse(error instanceof ProgramRefused ? `${error.message}\n${USAGE}` : USAGE, 2);
  }
}

function alreadyRunning(folder: SandboxFolder): string {
  const state = readState(folder.stateFile);
  if (state === undefined) return `A sandbox is just starting or stopping in ${folder.root}.`;
  const { baseUrl, docsUrl, inboxUrl, pids } = state;
  return `The sandbox is already running (pid ${pids.launcher}): API ${baseUrl}, docs ${docsUrl}, inbox ${inboxUrl}.`;
}

async function clearTheWay(folder: SandboxFolder, fresh: boolean, progress: Progress): Promise<void> {
  rmSync(folder.stateFile, { force: true });
  const leftovers = await stopLeftovers(folder);
  if (leftovers.length > 0)
    progress.line(`· stopped what an earlier run left behind: ${leftovers.join(', ')}`);
  if (!fresh) return;
  await progress.step('old data deleted', () => deleteData(folder));
  createSandboxFolder(folder);
  if (process.env.DATABASE_URL) progress.line('· --fresh leaves the database of DATABASE_URL as it is');
}

async function run(folder: SandboxFolder, { fresh, program }: Arguments): Promise<void> {
  const progress = new Progress();
  const state = new StateFile(folder.stateFile);
  const crew = new Crew(progress, () => state.update({ pids: pidsOf(crew) }));
  const closers: (() => Promise<void>)[] = [];
  const stopped = Promise.withResolvers<NodeJS.Signals>();
  onStopSignal(stopped.resolve, (signal) => {
    void crew.kill().finally(() => process.exit(128 + constants.signals[signal]));
  });

  const stopAll = async () => {
    state.remove();
    await crew.stop(() => stopLeftovers(folder, (name) => !crew.isMember(name)));
    await Promise.allSettled(closers.map((close) => close()));
    rmSync(folder.pids, { recursive: true, force: true });
  };
  const begun = start();
  const signal = await Promise.race([stopped.promise, begun.then(() => stopped.promise)]).catch(
    async (error) => {
      await stopAll();
      throw error;
    },
  );
  begun.catch(() => {});
  const stoppingAt = performance.now();
  progress.line(`\nStopping (${signal}) …`);
  await stopAll();
  progress.line(`Stopped (${elapsed(stoppingAt)}). The data is in ${folder.root}.`);

  async function start(): Promise<void> {
    const { port, remark } = await chooseApiPort(process.env.PORT);
    const choices = (servers: Servers) => ({ ...servers, port, secretKey: secretKeyOf(process.env, folder) });
    // Before anything starts: a mistake in the user's variables is told at once.
    processEnvironment(process.env, choices(placeholders(process.env)));
    await clearTheWay(folder, fresh, progress);
    if (remark !== undefined) progress.line(`· ${remark}`);
    const facts = await launch({
      crew,
      folder,
      progress,
      state,
      given: process.env,
      programs: program,
      completeEnvironment: (servers) => processEnvironment(process.env, choices(servers)),
      onStop: (close) => closers.push(close),
    });
    crew.signal.throwIfAborted();
    state.publish({ ...facts, pids: pidsOf(crew) });
    progress.line(summary(facts, folder, elapsed(startedAt)));
  }
}

function placeholders(given: NodeJS.ProcessEnv): Servers {
  return {
    databaseUrl: given.DATABASE_URL || 'postgres://127.0.0.1/placeholder',
    natsUrl: given.NATS_URL || 'nats://127.0.0.1',
    rpcUrl: given.SOLANA_RPC_URL || 'http://127.0.0.1',
  };
}

const options = readArguments();
const folder = sandboxFolder(process.env.SANDBOX_DIR || undefined);
createSandboxFolder(folder);
if (!lockSandbox(folder.lockFile)) refuse(alreadyRunning(folder));
try {
  await run(folder, options);
  process.exit(0);
} catch (error) {
  if (error instanceof ConfigurationError) refuse(error.message);
  refuse(`\nlaunchwire: ${error instanceof Error ? error.message : String(error)}`);
}
