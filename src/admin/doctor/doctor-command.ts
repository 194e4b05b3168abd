import type { Values } from '../../../packages/client/src/cli/kit/command.ts';
import { choice, text, wholeNumber } from '../../../packages/client/src/cli/kit/option.ts';
import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { clusterNames } from '../../chain/cluster.ts';
import { createCurveConfigSource } from '../../chain/pools/curve/config-source.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { type AdminConfig, unknownVariables } from '../../config/load.ts';
import type { Database } from '../../db/client.ts';
import { redisFault } from '../../http/limits/redis-refusal.ts';
import { readOutboxBacklog } from '../../outbox/metrics.ts';
import type { NamedConfigAddress } from '../../shared/launch-config-name.ts';
import type { Command } from '../command.ts';
import { checkBus } from './check-bus.ts';
import { parseProcessCounts } from './check-connections.ts';
import { checkDatabase } from './check-database.ts';
import { checkDeployment } from './check-deployment.ts';
import { checkDecoders, checkImages } from './check-images.ts';
import { checkNodes, readNewestSlot, sharedHosts } from './check-nodes.ts';
import { checkNonceGates } from './check-nonce-gates.ts';
import { checkPace } from './check-pace.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSendAddresses } from './check-send-addresses.ts';
import { checkSharedKeys, sharedKeyChecks } from './check-shared-keys.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

/** `maxSurge` of ops/kubernetes. */
const SURGE = 1;

/**
 * `doctor` only reads, except for a key in Redis that the limiter's script counts with and deletes, and a file or
 * object that it writes among the images.
 */
export const doctor: Command = {
  name: 'doctor',
  summary:
    'Checks this deployment and its dependencies: variables, Postgres, its clock, schema, roles, connections, pooler, standby, replica, NATS, outbox, Redis, nodes and their pace, addresses for sending, launch configs, gates of nonces, images, decoders, secrets, keys that processes share, and whether the parts fit a live deployment',
  options: {
    processes: {
      ...text('number of processes, to count their connections; each of API_WORKERS counts', {
        format: 'process=number,…',
        ifUnset: 'the processes seen now',
      }),
      check: (value) => {
        const counts = parseProcessCounts(value);
        return typeof counts === 'string' ? counts : null;
      },
    },
    surge: wholeNumber('additional processes of each kind during an upgrade', 'processes', {
      least: 0,
      most: 9_999,
      default: `${SURGE}`,
    }),
    cluster: choice('cluster that the nodes must belong to', clusterNames, {
      ifUnset: 'mainnet-beta where API_ENVIRONMENT is live, else any',
    }),
  },
  examples: ['--processes api=2,worker=2,relay=2'],
  async run({ config, environment, database, clock, rpcs }, options, report) {
    const [databaseFindings, bus, redis, pace, sending, launches, images, decoders, deployment] =
      await Promise.all([
        checkDatabase(database, clock, { processes: processesOf(options), config }),
        checkBus(config),
        checkRedis(config),
        checkPace(rpcs),
        checkSendAddresses(config),
        checkLaunchConfigs(rpcs, config.launchCurveConfigs),
        checkImages(config),
        checkDecoders(config),
        checkDeployment(rpcs, config, options.cluster),
      ]);
    const isMigrated = databaseFindings.some(({ check, state }) => check === 'schema' && state === 'ok');
    const nodes = await checkNodes(rpcs, clock, {
      read: isMigrated ? await readNewestSlot(database) : null,
      sharedHosts: sharedHosts(config.solanaNodes ?? []),
    });
    // After the nodes: their positions say which of them is near the head.
    const gates = await checkNonceGates({ rpcs, clock }, config.nonceGates);
    const outbox = isMigrated ? await checkOutbox(database) : skipped('outbox', 'needs a migrated database');
    const keys = isMigrated
      ? [await checkSecrets(database, config, report), ...(await checkSharedKeys(database, config))]
      : ['secrets', ...sharedKeyChecks].map((check) => skipped(check, 'needs a migrated database'));
    const ofChain = [...nodes, ...pace, ...sending, ...launches, ...gates];
    const checks = [
      checkVariables(environment),
      deployment,
      ...databaseFindings,
      ...bus,
      outbox,
      redis,
      ...ofChain,
      images,
      decoders,
      ...keys,
    ];
    return { healthy: checks.every(({ state }) => state !== 'failed'), checks };
  },
  isFailure: ({ healthy }) => healthy !== true,
};

function processesOf(options: Values) {
  const named = options.processes === undefined ? null : parseProcessCounts(options.processes);
  // The option's check has refused texts that do not parse.
  return { named: typeof named === 'string' ? null : named, surge: Number(options.surge) };
}

function checkVariables(environment: Readonly<Record<string, string | undefined>>): Finding {
  const mistakes = unknownVariables(environment);
  return mistakes.length === 0
    ? ok('variables', 'every one with a prefix of Launchwire is known')
    : failed('variables', mistakes.join('; '));
}

/** Checks that each account of LAUNCH_CURVE_CONFIGS is a config of the curve that is quoted in SOL. */
async function checkLaunchConfigs(
  rpcs: readonly ChainRpc[],
  configs: readonly NamedConfigAddress[],
): Promise<Finding[]> {
  if (configs.length === 0)
    return [skipped('launch configs', 'needs LAUNCH_CURVE_CONFIGS: no token can be launched')];
  if (rpcs.length === 0) return [skipped('launch configs', 'needs SOLANA_RPC_URL')];
  return Promise.all(configs.map((config, at) => checkLaunchConfig(rpcs, config, at === 0)));
}

async function checkLaunchConfig(
  rpcs: readonly ChainRpc[],
  { name, address }: NamedConfigAddress,
  isDefault: boolean,
): Promise<Finding> {
  const title = `launch config ${name}`;
  const reading = await createCurveConfigSource(rpcs, address)();
  if (reading === 'unreachable') return failed(title, 'no node responds');
  if (reading === 'absent') return failed(title, `${address} is no config of the bonding curve`);
  if (reading.quoteMint !== WRAPPED_SOL_MINT)
    return failed(title, `${address} is not quoted in SOL but in ${reading.quoteMint}`);
  return ok(title, isDefault ? `${address}, the default` : address);
}

/** A worker publishes within a second; an overload or a new leader of a stream may take some more. */
const WAITING_SECONDS_MAX = 60;

/** Checks that no event waits for the broker for long: a server with a full disk may answer and store nothing. */
async function checkOutbox(database: Database): Promise<Finding> {
  const { count, oldestAgeSeconds } = await readOutboxBacklog(database);
  const sentence = `${count} events wait to be published`;
  if (oldestAgeSeconds <= WAITING_SECONDS_MAX) return ok('outbox', sentence);
  return failed(
    'outbox',
    `${sentence}, the oldest since ${Math.floor(oldestAgeSeconds)} s: no worker runs, or NATS stores nothing: look at the disk and the log of its server; make room, then restart it (runbook OutboxStuck)`,
  );
}

/** Checks that Redis counts as the limiter needs it, if rate limits are counted there. */
async function checkRedis({ redisUrl, redisCaFile }: AdminConfig): Promise<Finding> {
  if (redisUrl === undefined)
    return skipped('redis', 'needs REDIS_URL; if unset, each process counts limits on its own');
  const fault = await redisFault({ redisUrl, redisCaFile });
  return fault === null
    ? ok('redis', 'it accepts the user and counts')
    : failed('redis', `REDIS_URL: ${fault.detail}`);
}
