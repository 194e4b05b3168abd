import type { StreamInfo } from '@nats-io/jetstream';
import type { AdminConfig } from '../../config/load.ts';
import { connectBus, type NatsConnection } from '../../shared/bus/connect.ts';
import { busFailure, refusedSubject } from '../../shared/bus/failure.ts';
import { isApiFailure, lookUps } from '../../shared/bus/managers.ts';
import { busReason } from '../../shared/bus/readiness.ts';
import { CLUSTER_VERSION_MIN, hasSyncInterval, isTooOldForCluster } from '../../shared/bus/server-version.ts';
import { storeFaults } from '../../shared/bus/store-faults.ts';
import { findStream, streamNames } from '../../shared/bus/streams.ts';
import { INGEST_STREAM } from '../../shared/bus/topology.ts';
import { causeOf, type Finding, failed, ok, skipped, warning } from './finding.ts';

/** Checks that NATS responds, has JetStream, and has the worker's streams on enough nodes that are up to date. */
export async function checkBus(config: AdminConfig): Promise<Finding[]> {
  const { natsUrls } = config;
  if (natsUrls === undefined) return [skipped('nats', 'needs NATS_URL')];
  try {
    const connection = await connectBus({ ...config, natsUrls }, 'launchwire-admin');
    try {
      return await checkStreams(connection, config.natsStreamReplicas);
    } finally {
      await connection.close();
    }
  } catch (error) {
    const subject = refusedSubject(error);
    if (subject !== null) return [failed('nats', `NATS_URL: its user may not ${subject}`)];
    return [failed('nats', `NATS_URL: ${busReason(error) ?? causeOf(error)}`)];
  }
}

async function checkStreams(connection: NatsConnection, replicas: number): Promise<Finding[]> {
  const manager = await lookUps(connection);
  await manager.getAccountInfo().catch(undefinedIfSilent);
  const found = await Promise.all(
    streamNames.map(async (name) => ({
      name,
      info: await findStream(manager, name).catch(undefinedIfSilent),
    })),
  );
  const ingest = found.find(({ name }) => name === INGEST_STREAM)?.info;
  if (ingest === null)
    return [failed('nats', `there is no stream ${INGEST_STREAM}: start a worker, which creates it`)];
  const version = connection.info?.version ?? '0.0.0';
  const isCluster = connection.info?.cluster !== undefined;
  if (!isCluster && found.every(({ info }) => info === undefined))
    return [failed('nats', `nats-server ${version}: ${storeFaults.silent} (runbook StreamReplicaMissing)`)];
  const messages = ingest === undefined ? '' : `; ${INGEST_STREAM} holds ${ingest.state.messages} messages`;
  const server = checkServer(`nats-server ${version} with JetStream${messages}`, version, isCluster);
  return [server, ...found.flatMap(({ name, info }) => checkStream(name, info, { replicas, isCluster }))];
}

/** Finds a server that is too old for a cluster, or acknowledges what is not on its disk yet. */
export function checkServer(sentence: string, version: string, isCluster: boolean): Finding {
  if (isCluster && isTooOldForCluster(version))
    return failed(
      'nats',
      `${sentence}; older than ${CLUSTER_VERSION_MIN}, a cluster may stop consumers or lose messages that it has acknowledged when a node is lost: upgrade every node`,
    );
  if (hasSyncInterval(version)) return ok('nats', sentence);
  return warning(
    'nats',
    `${sentence}; older than 2.10, it has no sync_interval: what it has acknowledged may reach the disk two minutes later, and is lost if the machine fails before. "A newer nats-server" in docs/operations/deployment.md says where one comes from`,
  );
}

/** Undefined if the stream has no leader, which answers nothing, or if the cluster has none, which answers that it is unavailable. */
function undefinedIfSilent(error: unknown): undefined {
  if (busFailure(error) !== 'silent' && !isApiFailure(error, 'unavailable')) throw error;
}

function checkStream(
  name: string,
  info: StreamInfo | null | undefined,
  { replicas, isCluster }: { replicas: number; isCluster: boolean },
): Finding[] {
  const check = `stream ${name}`;
  if (info === null) return [failed(check, 'it does not exist: a worker makes it within 10 s')];
  if (info === undefined)
    return [
      failed(
        check,
        isCluster
          ? 'it has no leader: the disks of the nodes that hold it are full or broken, or most of these nodes are away (runbook StreamReplicaMissing)'
          : 'the server does not answer for it: look at its disk and its log (runbook StreamReplicaMissing)',
      ),
    ];
  return isCluster || replicas > 1 ? [checkReplicas(check, info, replicas)] : [];
}

function checkReplicas(check: string, { config, cluster }: StreamInfo, wanted: number): Finding {
  const others = cluster?.replicas ?? [];
  const leader = `leader ${cluster?.leader ?? 'unknown'}`;
  if (config.num_replicas !== wanted)
    return failed(
      check,
      `it has ${config.num_replicas} replicas, NATS_STREAM_REPLICAS is ${wanted}: a worker moves it at its start, if the cluster has the nodes`,
    );
  const absent = others.filter(({ offline }) => offline === true).map((peer) => peer.name);
  if (absent.length > 0) return failed(check, `${leader}; away: ${absent.join(', ')}`);
  const behind = others.filter(({ current }) => !current).map((peer) => `${peer.name} by ${peer.lag ?? 0}`);
  if (behind.length > 0) return failed(check, `${leader}; not up to date: ${behind.join(', ')}`);
  return ok(check, `${leader}; ${others.length} more up to date`);
}
