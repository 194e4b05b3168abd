import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { Program, Variable } from '../../src/config/variable.ts';
import { variables } from '../../src/config/variables.ts';
import { isTooOldForCluster } from '../../src/shared/bus/server-version.ts';
import { mistakesOf } from '../support/kubernetes/manifest-mistakes.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const parsed = (path: string): unknown => Bun.YAML.parse(read(path));
const overlay = 'ops/kustomize/clustered';

/** Settings of ops/pgbouncer/pgbouncer.ini; one that is commented out needs a newer PgBouncer. */
const poolerSettings = new Map(
  [...read('ops/pgbouncer/pgbouncer.ini').matchAll(/^;?(\w+) = (.+)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
);

describe('ops/kustomize/clustered', () => {
  const {
    resources,
    replicas = [],
    patches = [],
  } = fitting(kustomization, parsed(`${overlay}/kustomization.yaml`));

  test('builds on every manifest of ops/kubernetes, and names files that are there', () => {
    const base = fitting(kustomization, parsed('ops/kubernetes/kustomization.yaml'));
    const files = readdirSync(join(root, 'ops/kubernetes')).filter((file) => file.endsWith('.yaml'));
    expect(base.resources.toSorted()).toEqual(files.filter((file) => file !== 'kustomization.yaml').sort());
    expect(resources).toContain('../../kubernetes');
    for (const resource of resources) expect(existsSync(join(root, overlay, resource))).toBe(true);
  });

  test('has three apis, two workers and three relays', () => {
    const counts = Object.fromEntries(replicas.map(({ name, count }) => [name, count]));
    expect(counts).toEqual({ 'launchwire-api': 3, 'launchwire-worker': 2, 'launchwire-relay': 3 });
    for (const process of ['api', 'worker', 'relay'])
      expect(read(`ops/kubernetes/${process}.yaml`)).toContain(`name: launchwire-${process}\n`);
  });

  test('patches settings with accepted values, and deployments so that they fit their schema', () => {
    const operations = (kind: string) =>
      patches
        .filter(({ target }) => target.kind === kind)
        .flatMap(({ patch }) => Value.Parse(patchOperations, Bun.YAML.parse(patch)));
    for (const { path, value } of operations('ConfigMap')) {
      const known = Object.values(variables).find(({ name }) => path === `/data/${name}`);
      expect(known?.rule(String(value))).toBe(value as never);
    }
    const spread = operations('Deployment');
    expect(spread.map(({ path }) => path)).toEqual(['/spec/template/spec/topologySpreadConstraints']);
    for (const process of ['api', 'worker', 'relay', 'internal']) {
      const [deployment] = Bun.YAML.parse(read(`ops/kubernetes/${process}.yaml`)) as [
        { spec: { template: { spec: Record<string, unknown> } } },
      ];
      deployment.spec.template.spec.topologySpreadConstraints = spread[0]?.value;
      expect(mistakesOf(Deployment, deployment)).toEqual([]);
    }
  });

  test('keeps every acknowledged commit with one server lost, and writes go on', () => {
    const { metadata, spec } = fitting(postgresCluster, parsed(`${overlay}/postgres.yaml`));
    const { number, dataDurability } = spec.postgresql.synchronous;
    expect({ number, dataDurability }).toEqual({ number: 1, dataDurability: 'required' });
    // Commits wait for one of two standbys.
    expect(spec.instances).toBeGreaterThan(number + 1);
    const { cluster, pgbouncer, type } = fitting(pooler, parsed(`${overlay}/pooler.yaml`)).spec;
    expect({ cluster, type, mode: pgbouncer.poolMode }).toEqual({
      cluster: { name: metadata.name },
      type: 'rw',
      mode: 'transaction',
    });
  });

  test('gives the pooler the settings of ops/pgbouncer; its two pods share the sessions', () => {
    const { instances, pgbouncer } = fitting(pooler, parsed(`${overlay}/pooler.yaml`)).spec;
    for (const [name, value] of Object.entries(pgbouncer.parameters)) {
      const shared = ['default_pool_size', 'max_db_connections'].includes(name) ? instances : 1;
      expect({ name, value: Number(value) * shared }).toEqual({
        name,
        value: Number(poolerSettings.get(name)),
      });
    }
  });

  test('has policies that fit their schema', () => {
    const policies = Bun.YAML.parse(read(`${overlay}/network-policies.yaml`)) as object[];
    expect(policies).toHaveLength(2);
    for (const policy of policies) expect(mistakesOf(NetworkPolicy, policy)).toEqual([]);
  });

  test('runs three nodes of a new enough broker that syncs every message, with the users of ops/nats', () => {
    const { config, container } = fitting(natsValues, parsed(`${overlay}/nats-values.yaml`));
    expect(config.jetstream.merge.sync_interval).toBe('always');
    expect(isTooOldForCluster(container.image.tag.replace(/-.*/, ''))).toBe(false);
    const users = read('ops/nats/users.conf');
    expect(Object.keys(container.env).sort()).toEqual(
      [...users.matchAll(/^ +password: \$(\w+)$/gm)].map(([, name]) => name ?? '').sort(),
    );
    for (const [name, { valueFrom }] of Object.entries(container.env))
      expect(valueFrom.secretKeyRef.key).toBe(name);
  });

  test('a misspelt field is found', () => {
    const broken = { ...(parsed(`${overlay}/postgres.yaml`) as object), specs: {} };
    expect(() => fitting(postgresCluster, broken)).toThrow('/specs');
  });
});

describe('ops/compose/cluster.yaml', () => {
  interface Service {
    environment?: Record<string, string>;
    volumes?: string[];
    deploy?: { replicas: number };
    ports?: string[];
    depends_on?: Record<string, object>;
    extends?: { file: string };
    networks?: string[];
  }
  const parts = ['compose.yaml', 'ops/compose/cluster.yaml'].map(
    (path) => (parsed(path) as { services: Record<string, Service> }).services,
  );
  const [single = {}, cluster = {}] = parts;
  const names = new Set(parts.flatMap((services) => Object.keys(services)));

  test('has the same shape', () => {
    const counts = ['api', 'worker', 'relay'].map((name) => cluster[name]?.deploy?.replicas);
    expect(counts).toEqual([3, 2, 3]);
    expect(read('ops/haproxy/haproxy.cfg')).toContain('server-template api- 3 api:3000');
    // Three containers cannot share a port of the host.
    expect(cluster.api?.ports).toEqual([]);
    expect(cluster.haproxy?.ports).toEqual(single.api?.ports ?? []);
  });

  test('gives each process variables that it reads, and addresses of services that are there', () => {
    for (const program of ['api', 'worker', 'relay', 'internal', 'admin'] satisfies Program[]) {
      const environment = cluster[program]?.environment ?? {};
      for (const [name, value] of Object.entries(environment)) {
        const known = Object.values<Variable>(variables).find((variable) => variable.name === name);
        expect(known?.for ?? []).toContain(program);
        for (const [, host = ''] of value.matchAll(/(?:@|,(?!nats:))([a-z][a-z0-9-]*):\d+/g))
          expect(names).toContain(host);
      }
      const isPooled = environment.DATABASE_POOLER === 'transaction';
      expect({ program, isPooled }).toEqual({ program, isPooled: ['api', 'internal'].includes(program) });
      expect(environment.DATABASE_URL).toContain(
        isPooled ? '@pgbouncer:6432,pgbouncer-standby:6432/' : '@postgres:5432,postgres-standby:5432/',
      );
    }
  });

  test('mounts files that are there, and waits for services that are there', () => {
    for (const service of Object.values(cluster)) {
      for (const volume of service.volumes ?? [])
        if (volume.startsWith('./')) expect(existsSync(join(root, volume.split(':')[0] ?? ''))).toBe(true);
      for (const name of Object.keys(service.depends_on ?? {})) expect(names).toContain(name);
      // Compose reads this path, too, from the folder of the first file.
      if (service.extends !== undefined) expect(existsSync(join(root, service.extends.file))).toBe(true);
    }
    for (const name of ['nats', 'nats-2', 'nats-3']) {
      expect(cluster[name]?.environment?.NATS_NODE).toBe(name);
      expect(cluster.nats?.environment?.NATS_ROUTES).toContain(`@${name}:6222"`);
    }
  });
});

/**
 * The fields that our manifests use of kinds without published models, by the definitions of CloudNativePG
 * 1.27, Kustomize 5 and the chart of the NATS project 2.14. A field that is missing here is misspelt or has
 * to be looked up there.
 */
const object = <Properties extends TProperties>(properties: Properties): TObject<Properties> =>
  Type.Object(properties, { additionalProperties: false });
const texts = Type.Record(Type.String(), Type.String());
const metadata = object({ name: Type.String(), namespace: Type.Literal('launchwire-stores') });
const size = object({ size: Type.String({ pattern: '^\\d+Gi$' }) });
const resources = object({
  requests: object({ cpu: Type.String(), memory: Type.String() }),
  limits: object({ memory: Type.String() }),
});

const postgresCluster = object({
  apiVersion: Type.Literal('postgresql.cnpg.io/v1'),
  kind: Type.Literal('Cluster'),
  metadata,
  spec: object({
    instances: Type.Integer({ minimum: 1 }),
    postgresql: object({
      synchronous: object({
        method: Type.Union([Type.Literal('any'), Type.Literal('first')]),
        number: Type.Integer({ minimum: 1 }),
        dataDurability: Type.Union([Type.Literal('required'), Type.Literal('preferred')]),
        failoverQuorum: Type.Boolean(),
      }),
      parameters: texts,
    }),
    bootstrap: object({
      initdb: object({ database: Type.String(), owner: Type.String(), dataChecksums: Type.Boolean() }),
    }),
    switchoverDelay: Type.Integer(),
    storage: size,
    walStorage: size,
    resources,
    affinity: object({
      enablePodAntiAffinity: Type.Boolean(),
      topologyKey: Type.String(),
      podAntiAffinityType: Type.Union([Type.Literal('required'), Type.Literal('preferred')]),
    }),
  }),
});

const pooler = object({
  apiVersion: Type.Literal('postgresql.cnpg.io/v1'),
  kind: Type.Literal('Pooler'),
  metadata,
  spec: object({
    cluster: object({ name: Type.String() }),
    type: Type.Union([Type.Literal('rw'), Type.Literal('ro'), Type.Literal('r')]),
    instances: Type.Integer({ minimum: 1 }),
    pgbouncer: object({
      poolMode: Type.Union([Type.Literal('session'), Type.Literal('transaction')]),
      parameters: texts,
    }),
  }),
});

const kustomization = object({
  apiVersion: Type.Literal('kustomize.config.k8s.io/v1beta1'),
  kind: Type.Literal('Kustomization'),
  resources: Type.Array(Type.String()),
  replicas: Type.Optional(Type.Array(object({ name: Type.String(), count: Type.Integer({ minimum: 1 }) }))),
  patches: Type.Optional(
    Type.Array(
      object({
        target: object({
          kind: Type.String(),
          name: Type.Optional(Type.String()),
          labelSelector: Type.Optional(Type.String()),
        }),
        patch: Type.String(),
      }),
    ),
  ),
});

/** The operations of a patch. */
const patchOperations = Type.Array(
  object({ op: Type.Literal('add'), path: Type.String(), value: Type.Unknown() }),
);

const natsValues = object({
  fullnameOverride: Type.String(),
  config: object({
    cluster: object({ enabled: Type.Boolean(), replicas: Type.Integer({ minimum: 3 }) }),
    jetstream: object({
      enabled: Type.Boolean(),
      fileStore: object({ pvc: size }),
      merge: object({ sync_interval: Type.String() }),
    }),
    merge: object({ users$include: Type.String() }),
  }),
  container: object({
    image: object({ repository: Type.String(), tag: Type.String() }),
    env: Type.Record(
      Type.String(),
      object({ valueFrom: object({ secretKeyRef: object({ name: Type.String(), key: Type.String() }) }) }),
    ),
    merge: object({ resources }),
  }),
  podTemplate: object({
    topologySpreadConstraints: Type.Record(
      Type.String(),
      object({ maxSkew: Type.Integer(), whenUnsatisfiable: Type.String() }),
    ),
  }),
  natsBox: object({ enabled: Type.Boolean() }),
});

/** Reads a value of a schema. Throws with every mistake, unknown fields among them. */
function fitting<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value;
  throw new Error(
    [...Value.Errors(schema, value)].map(({ path, message }) => `${path}: ${message}`).join('\n'),
  );
}
