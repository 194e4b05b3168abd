import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { type Program, programs, type Variable } from '../../src/config/variable.ts';
import { variables } from '../../src/config/variables.ts';
import { ADMIN_CONNECTIONS, MIGRATE_CONNECTIONS, processConnections } from '../../src/db/connections.ts';

interface Service {
  image: string;
  command?: string[];
  environment: Record<string, string | number>;
  networks: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  read_only?: boolean;
  mem_limit?: string;
  pids_limit?: number;
  ports?: string[];
}

const root = new URL('../../', import.meta.url).pathname;
const { services, networks } = Bun.YAML.parse(readFileSync(`${root}compose.yaml`, 'utf8')) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
};

/** Given by `run -e` to the commands that need them. */
const notPassed: Readonly<Partial<Record<Program, readonly string[]>>> = {
  admin: ['SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'RESULT_LINK_KEYS', 'ORDER_KEYS'],
};

/** Variables that compose sets itself, because it defines both ends of the connection. */
const decided = [
  'PORT',
  'HOST',
  'INTERNAL_PORT',
  'INTERNAL_HOST',
  'METRICS_PORT',
  'DATABASE_URL',
  'NATS_URL',
  'REDIS_URL',
];

function namesReadBy(program: Program): string[] {
  return Object.values<Variable>(variables)
    .filter((variable) => variable.for.includes(program))
    .map(({ name }) => name);
}

/** Services whose variables mention the text. */
function holdersOf(text: string): string[] {
  return Object.entries(services)
    .filter(([, { environment }]) =>
      Object.entries(environment).some(([name, value]) => `${name}=${value}`.includes(text)),
    )
    .map(([name]) => name)
    .sort();
}

describe('compose.yaml', () => {
  test('names the readers of every variable', () => {
    expect(Object.values<Variable>(variables).filter((variable) => variable.for.length === 0)).toEqual([]);
  });

  for (const program of programs) {
    test(`passes ${program} the variables that it reads, and no others`, () => {
      const expected = namesReadBy(program).filter((name) => !(notPassed[program] ?? []).includes(name));
      expect(Object.keys(services[program]?.environment ?? {}).sort()).toEqual(expected.sort());
    });
  }

  test('lets the operator set every variable that it does not decide', () => {
    for (const program of programs) {
      for (const [name, value] of Object.entries(services[program]?.environment ?? {})) {
        if (!decided.includes(name)) expect(String(value)).toStartWith(`\${${name}:`);
      }
    }
  });

  test('has no default for what clients are told: address and environment', () => {
    for (const { environment } of Object.values(services))
      for (const [name, value] of Object.entries(environment))
        if (/^(?:PUBLIC_URL|API_ENVIRONMENT)$/.test(name)) expect(value).toBe(`\${${name}:?}`);
    expect(services.api?.environment).toMatchObject({
      PUBLIC_URL: expect.anything(),
      API_ENVIRONMENT: expect.anything(),
    });
  });

  test('gives a credential only to its owner and to the store that checks it', () => {
    const holders: Record<string, string[]> = {
      '${SECRET_KEY': ['api', 'relay'],
      '${RESULT_LINK_KEYS': ['api', 'worker'],
      '${ORDER_KEYS': ['api', 'worker'],
      '${POSTGRES_PASSWORD': ['admin', 'migrate', 'postgres', 'users'],
      '${API_DATABASE_PASSWORD': ['api', 'users'],
      '${WORKER_DATABASE_PASSWORD': ['users', 'worker'],
      '${RELAY_DATABASE_PASSWORD': ['relay', 'users'],
      '${INTERNAL_DATABASE_PASSWORD': ['internal', 'users'],
      '${NATS_API_PASSWORD': ['api', 'nats'],
      '${NATS_WORKER_PASSWORD': ['nats', 'worker'],
      '${NATS_RELAY_PASSWORD': ['nats', 'relay'],
      '${NATS_FEED_PASSWORD': ['nats'],
      '${NATS_ADMIN_PASSWORD': ['admin', 'nats'],
      '${REDIS_PASSWORD': ['admin', 'api', 'redis'],
      '${IMAGE_BUCKET_SECRET_KEY': ['admin', 'api'],
    };
    const found = Object.keys(holders).map((text) => [text, holdersOf(text)]);
    expect(Object.fromEntries(found)).toEqual(holders);
    const secrets = readFileSync(`${root}compose.yaml`, 'utf8').matchAll(
      /\$\{\w*(?:PASSWORD|(?<!PER_)KEYS?)\b/g,
    );
    expect([...new Set([...secrets].map(([text]) => text))].sort()).toEqual(Object.keys(holders).sort());
  });

  test('lets nobody reach a store who does not use it', () => {
    const members = (network: string) =>
      Object.keys(services)
        .filter((name) => services[name]?.networks.includes(network))
        .sort();
    expect(Object.fromEntries(Object.keys(networks).map((network) => [network, members(network)]))).toEqual({
      data: ['admin', 'api', 'internal', 'migrate', 'postgres', 'relay', 'users', 'worker'],
      bus: ['admin', 'api', 'nats', 'relay', 'worker'],
      limits: ['admin', 'api', 'redis'],
      edge: ['api'],
      chain: ['admin', 'internal', 'worker'],
      webhooks: ['relay'],
      platform: ['internal'],
    });
    const inner = Object.keys(networks).filter((network) => networks[network]?.internal === true);
    expect(inner).toEqual(['data', 'bus', 'limits', 'platform']);
    expect(Object.keys(services).filter((name) => services[name]?.ports !== undefined)).toEqual(['api']);
    expect(services.api?.ports).toEqual(['127.0.0.1:3000:3000']);
  });

  test('confines every container', () => {
    for (const [name, service] of Object.entries(services)) {
      expect({ name, ...service }).toMatchObject({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        pids_limit: expect.any(Number),
      });
      if (name !== 'postgres') expect(service.cap_add).toBeUndefined();
    }
  });

  test('lets Postgres take the connections of all processes, also while each is replaced', () => {
    const most = Number(/^max_connections=(\d+)$/.exec(services.postgres?.command?.[1] ?? '')?.[1]);
    const each = Object.entries(processConnections).filter(([name]) => name in services);
    expect(each.map(([name]) => name).sort()).toEqual(['api', 'internal', 'relay', 'worker']);
    const running = 2 * each.reduce((sum, [, count]) => sum + count, 0);
    const RESERVED = 3;
    expect(most).toBeGreaterThanOrEqual(running + MIGRATE_CONNECTIONS + ADMIN_CONNECTIONS + RESERVED);
  });

  test('names exact versions, which the tests with containers take too', () => {
    const tests = readFileSync(`${root}test/support/servers/container-servers.ts`, 'utf8');
    for (const name of ['postgres', 'nats', 'redis']) {
      const [, tag] =
        /:-(\w+:\d+\.\d+(?:\.\d+)?(?:-alpine)?)(?:@sha256:[0-9a-f]{64})?\}$/.exec(
          services[name]?.image ?? '',
        ) ?? [];
      expect(tests).toContain(`'${tag}'`);
    }
    expect(readFileSync(`${root}Dockerfile`, 'utf8')).toContain('BUN_IMAGE=oven/bun:1.4.4-slim');
  });
});
