import type { Values } from '../../../packages/client/src/cli/kit/command.ts';
import { choice, text, wholeNumber } from '../../../packages/client/src/cli/kit/option.ts';
import { clusterNames } from '../../chain/cluster.ts';
import { unknownVariables } from '../../config/load.ts';
import type { Command } from '../command.ts';
import { checkBus } from './check-bus.ts';
import { parseProcessCounts } from './check-connections.ts';
import { checkDatabase } from './check-database.ts';
import { checkDeployment } from './check-deployment.ts';
import { checkDecoders, checkImages } from './check-images.ts';
import { checkLaunchConfigs } from './check-launch-configs.ts';
import { checkNodes, readNewestSlot, sharedHosts } from './check-nodes.ts';
import { checkNonceGates } from './check-nonce-gates.ts';
import { checkOutbox } from './check-outbox.ts';
import { checkPace } from './check-pace.ts';
import { checkRedis } from './check-redis.ts';
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
