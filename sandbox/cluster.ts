// npm run cluster [-- --fresh]: runs the product with several of each server on this machine until Ctrl-C.
// npm run cluster -- --check: starts it, trades, takes servers away, trades again, and stops.
// npm run cluster -- --kill NAME and others: orders to a running cluster.
import { constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { variables } from '../src/config/variables.ts';
import { ConfigurationError } from '../src/shared/configuration-error.ts';
import { checkCluster } from './cluster/check.ts';
import { ACTIONS, sendOrder, serveControl, statusLines, statusOf } from './cluster/control.ts';
import { deleteClusterData } from './cluster/fresh.ts';
import { type Cluster, OWN_VARIABLES, startCluster, stopLeft } from './cluster/start-cluster.ts';
import { clusterSummary } from './cluster/summary.ts';
import { chooseApiPort } from './processes/api-port.ts';
import type { Environment } from './processes/environment.ts';
import { lockSandbox } from './processes/launcher-lock.ts';
import { elapsed } from './services/log.ts';
import { onStopSignal } from './services/stop-signal.ts';
import { createSandboxFolder, PROJECT_ROOT, sandboxFolder } from './shared/sandbox-folder.ts';

const USAGE = [
  'usage: npm run cluster [-- --fresh] [-- --check]',
  '       npm run cluster -- --status | --switchover',
  `       npm run cluster -- ${ACTIONS.map((action) => `--${action} NAME`).join(' | ')}`,
].join('\n');
/** Another one than that of npm start, so that both run. */
const DEFAULT_PORT = 3300;
const startedAt = performance.now();

function exitWith(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}

function readArguments() {
  try {
    const actions = Object.fromEntries(ACTIONS.map((action) => [action, { type: 'string' as const }]));
    const { values } = parseArgs({
      options: {
        fresh: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        status: { type: 'boolean', default: false },
        switchover: { type: 'boolean', default: false },
        ...actions,
      },
    });
    return values as Record<string, string | boolean | undefined>;
  } catch {
    return exitWith(USAGE, 2);
  }
}

/** The user's variables of the service; those that the cluster sets are named and left out. */
function usersVariables(): Environment {
  const given = Object.values(variables).flatMap(({ name }) => {
    const value = process.env[name];
    return value ? [[name, value] as const] : [];
  });
  const unused = given.map(([name]) => name).filter((name) => name !== 'PORT' && isOwn(name));
  if (unused.length > 0)
    console.log(`· not used, because the cluster has servers of its own: ${unused.join(', ')}`);
  return Object.fromEntries(given.filter(([name]) => !isOwn(name)));
}

function isOwn(name: string): boolean {
  return OWN_VARIABLES.some((own) => own === name);
}

async function giveOrder(action: (typeof ACTIONS)[number] | 'status' | 'switchover', name?: string) {
  try {
    console.log(statusLines(await sendOrder(folder, action, name)).join('\n'));
    process.exit(0);
  } catch (error) {
    exitWith(`launchwire: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function run({ fresh, check }: { fresh: boolean; check: boolean }): Promise<boolean> {
  const environment = usersVariables();
  const { port, remark } = await chooseApiPort(process.env.PORT, DEFAULT_PORT);
  if (remark !== undefined) console.log(`· ${remark}`);
  if (fresh) {
    await stopLeft(folder);
    await deleteClusterData(folder);
  }
  const stopped = Promise.withResolvers<NodeJS.Signals>();
  const stopping = new AbortController();
  let cluster: Cluster | undefined;
  onStopSignal(
    (signal) => {
      stopping.abort();
      stopped.resolve(signal);
    },
    (signal) => {
      const killed = cluster?.kill() ?? stopLeft(folder);
      void killed.finally(() => process.exit(128 + constants.signals[signal]));
    },
  );
  try {
    cluster = await startCluster({ dir: folder.root, port, environment, signal: stopping.signal });
  } catch (error) {
    // What was starting has been stopped; the error says only that.
    if (!stopping.signal.aborted) throw error;
    console.log('Stopped before it had started.');
    return true;
  }
  const closeControl = serveControl(cluster);
  let isGood = true;
  try {
    console.log(clusterSummary(cluster, await statusOf(cluster), elapsed(startedAt)));
    if (check) isGood = await checkCluster(cluster, console.log, stopping.signal);
    else await stopped.promise;
  } finally {
    const stoppingAt = performance.now();
    console.log('\nStopping …');
    await closeControl();
    await cluster.stop();
    console.log(`Stopped (${elapsed(stoppingAt)}). The data is in ${folder.root}.`);
  }
  return isGood;
}

const values = readArguments();
const folder = sandboxFolder(process.env.SANDBOX_DIR || join(PROJECT_ROOT, '.sandbox', 'cluster'));
const { status, switchover, fresh, check } = values;
if (status === true) await giveOrder('status');
if (switchover === true) await giveOrder('switchover');
for (const action of ACTIONS) {
  const name = values[action];
  if (typeof name === 'string') await giveOrder(action, name);
}
createSandboxFolder(folder);
if (!lockSandbox(folder.lockFile))
  exitWith(
    `A cluster or sandbox is already running in ${folder.root}: npm run cluster -- --status shows it.`,
  );
try {
  const isGood = await run({ fresh: fresh === true, check: check === true });
  process.exit(isGood ? 0 : 1);
} catch (error) {
  if (error instanceof ConfigurationError) exitWith(error.message);
  exitWith(`\nlaunchwire: ${error instanceof Error ? error.message : String(error)}`);
}
