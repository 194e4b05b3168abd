import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { NatsContainer } from '@testcontainers/nats';
import { PostgreSqlContainer } from '@testcontainers/postgresql';
import {
  type ContainerRuntimeClient,
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  Wait,
} from 'testcontainers';
import { elapsed, type Log } from '../../../sandbox/services/log.ts';
import type { ServerKind, TestServer } from './test-server.ts';

/** This label has the process that started the container and the machine of that process. */
const OWNER_LABEL = 'launchwire.test.pid';
const HOST_LABEL = 'launchwire.test.host';
/** The image that testcontainers 12.2.0 starts unless RYUK_CONTAINER_IMAGE names another. */
const RYUK_IMAGE = 'testcontainers/ryuk:0.14.0';
/** The first start may have to pull the image. */
const START_TIMEOUT_MS = 120_000;
const MEBIBYTE = 1024 * 1024;
const REDIS_FOLDER = new URL('../../../ops/redis', import.meta.url).pathname;

interface ContainerPlan {
  readonly imageVariable: string;
  readonly defaultImage: string;
  readonly port: number;
  build(image: string, password: string): GenericContainer;
  url(address: string, password: string): string;
}

// Only the server can report that it is ready, because a mapped port accepts connections before the server
// listens.
const plans: Readonly<Record<ServerKind, ContainerPlan>> = {
  DATABASE: {
    imageVariable: 'TEST_POSTGRES_IMAGE',
    defaultImage: 'postgres:17.10',
    port: 5432,
    build: (image, password) =>
      new PostgreSqlContainer(image)
        .withUsername('postgres')
        .withDatabase('postgres')
        .withPassword(password)
        .withEnvironment({ POSTGRES_INITDB_ARGS: '--no-locale --encoding=UTF8' })
        .withCommand([
          'postgres',
          ...settings({ max_connections: '300', fsync: 'off', full_page_writes: 'off' }),
        ])
        .withTmpFs({ '/var/lib/postgresql/data': 'rw' })
        .withSharedMemorySize(256 * MEBIBYTE)
        // The check uses TCP, because a first server responds only on the socket while the image creates its
        // cluster.
        .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready --host=127.0.0.1 --username=postgres')),
    url: (address, password) => `postgres://postgres:${password}@${address}/postgres`,
  },
  NATS: {
    imageVariable: 'TEST_NATS_IMAGE',
    defaultImage: 'nats:2.12.15-alpine',
    port: 4222,
    build: (image, password) =>
      new NatsContainer(image)
        .withUsername('test')
        .withPass(password)
        .withJetStream()
        .withArg('store_dir', '/tmp/jetstream'),
    url: (address, password) => `nats://test:${password}@${address}`,
  },
  REDIS: {
    imageVariable: 'TEST_REDIS_IMAGE',
    defaultImage: 'redis:7.4.8',
    port: 6379,
    build: (image, password) =>
      new GenericContainer(image)
        .withCopyFilesToContainer(
          ['start.sh', 'redis.conf'].map((name) => ({
            source: join(REDIS_FOLDER, name),
            target: `/etc/launchwire/${name}`,
          })),
        )
        .withEnvironment({ REDIS_PASSWORD: password })
        .withEntrypoint(['sh', '/etc/launchwire/start.sh'])
        .withCommand(['--dir', '/tmp'])
        .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/)),
    url: (address, password) => `redis://api:${password}@${address}`,
  },
};

let engine: Promise<ContainerRuntimeClient> | undefined;

/** Starts a container of the image that TEST_POSTGRES_IMAGE, TEST_NATS_IMAGE or TEST_REDIS_IMAGE names, pulled when
 * the engine lacks it. The first start removes the containers of killed runs. */
export async function startContainer(kind: ServerKind, log: Log): Promise<TestServer> {
  engine ??= openEngine(log);
  const { info } = await engine;
  const startedAt = performance.now();
  const plan = plans[kind];
  const given = process.env[plan.imageVariable];
  const image = given === undefined || given === '' ? plan.defaultImage : given;
  const password = randomBytes(16).toString('hex');
  const container = await plan
    .build(image, password)
    .withExposedPorts(plan.port)
    .withLabels({ [OWNER_LABEL]: String(process.pid), [HOST_LABEL]: hostname() })
    .withStartupTimeout(START_TIMEOUT_MS)
    .start()
    .catch((cause: unknown) => {
      throw new Error(`the container of ${image} did not start: ${messageOf(cause)}`, { cause });
    });
  // Ports may differ between IPv4 and IPv6, so this must be the address of the port above.
  const address = info.containerRuntime.hostIps[0];
  const host =
    address === undefined
      ? container.getHost()
      : address.family === 6
        ? `[${address.address}]`
        : address.address;
  log(`${image} in container ${container.getId().slice(0, 12)} (${elapsed(startedAt)})`);
  return {
    url: plan.url(`${host}:${container.getMappedPort(plan.port)}`, password),
    stop: async () => void (await container.stop({ timeout: 0, remove: true, removeVolumes: true })),
  };
}

async function openEngine(log: Log): Promise<ContainerRuntimeClient> {
  const client = await getContainerRuntimeClient().catch((cause: unknown) => {
    const advice = 'start one (or set DOCKER_HOST), or run without TEST_CONTAINERS';
    throw new Error(`TEST_CONTAINERS=1 needs a Docker engine and none answers: ${advice}.`, { cause });
  });
  await disableRyukWithoutImage(client);
  await removeOrphans(client, log);
  return client;
}

/** Ryuk removes containers when their run ends. It is disabled on a machine that does not have its image. */
async function disableRyukWithoutImage(client: ContainerRuntimeClient): Promise<void> {
  const image = ImageName.fromString(process.env.RYUK_CONTAINER_IMAGE ?? RYUK_IMAGE);
  if (!(await client.image.exists(image))) process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
}

/** Removes containers of ended runs on this machine. A SIGKILL leaves them when Ryuk is disabled. */
async function removeOrphans({ container: { dockerode } }: ContainerRuntimeClient, log: Log): Promise<void> {
  const filters = { label: [OWNER_LABEL, `${HOST_LABEL}=${hostname()}`] };
  const found = await dockerode.listContainers({ all: true, filters });
  const orphans = found.filter(({ Labels }) => !isAlive(Number(Labels[OWNER_LABEL])));
  for (const { Id, Image } of orphans) {
    await dockerode.getContainer(Id).remove({ force: true, v: true });
    log(`removed the container of ${Image} that an earlier run left behind (${Id.slice(0, 12)})`);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
