import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { version } from '../../package.json';
import { type Program, parseVariables, type Variable } from '../../src/config/variable.ts';
import { variables } from '../../src/config/variables.ts';
import {
  ADMIN_CONNECTIONS,
  type ConnectedProcess,
  MIGRATE_CONNECTIONS,
  processConnections,
} from '../../src/db/connections.ts';
import { mistakesOf } from '../support/kubernetes/manifest-mistakes.ts';

const folder = new URL('../../ops/kubernetes/', import.meta.url).pathname;

interface Container {
  name: string;
  image: string;
  args?: string[];
  command?: string[];
  env: {
    name: string;
    value?: string;
    valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
  }[];
  ports?: { name: string; containerPort: number }[];
  [field: string]: unknown;
}

interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  data: Record<string, string>;
  spec: {
    template: { metadata: object; spec: Record<string, unknown> & { containers: Container[] } };
    podSelector: object;
    selector: object;
    policyTypes?: string[];
    ingress?: { from?: object[] }[];
    egress?: { to: object[]; ports?: { protocol: string; port: number }[] }[];
    replicas?: number;
    activeDeadlineSeconds?: number;
    strategy?: { rollingUpdate: { maxSurge: number } };
  };
}

const manifests: Manifest[] = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
  .sort()
  .flatMap((file) => Bun.YAML.parse(readFileSync(folder + file, 'utf8')) as Manifest | Manifest[]);
const models = { Deployment, Job, NetworkPolicy, PodDisruptionBudget, ConfigMap, Service };
const ofKind = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
const workloads = ofKind('Deployment', 'Job');
const programOf = ({ metadata }: Manifest) => metadata.labels['app.kubernetes.io/component'] as Program;

function containerOf({ spec }: Manifest): Container {
  const [container] = spec.template.spec.containers;
  if (container === undefined) throw new Error('a workload without a container');
  return container;
}

const all = Object.values<Variable>(variables);
const byName = new Map(all.map((variable) => [variable.name, variable]));

/** Not every deployment has these: their keys may be missing in the secret. */
const optionalNames = new Set([
  'SECRET_KEY_PREVIOUS',
  'ORDER_KEYS',
  'IMAGE_BUCKET_KEY_ID',
  'IMAGE_BUCKET_SECRET_KEY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'DATABASE_POOLER_URL',
  'DATABASE_REPLICA_URL',
]);

/** Addresses of the servers, as the policies assume them. */
const portsOf: Readonly<Record<string, number>> = {
  DATABASE_URL: 5432,
  NATS_URL: 4222,
  REDIS_URL: 6379,
  SOLANA_RPC_URL: 443,
  OTEL_EXPORTER_OTLP_ENDPOINT: 4318,
};

function parseVariable(name: string, value: string | undefined): void {
  const variable = byName.get(name);
  if (variable !== undefined) parseVariables({ variable }, { [name]: value });
}

function readBy(program: Program): Variable[] {
  return all.filter((variable) => variable.for.includes(program));
}

describe('ops/kubernetes', () => {
  test.each(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
    '%s fits the schema of its kind, without a field that it does not have',
    (_name, manifest) => {
      const model = models[manifest.kind as keyof typeof models];
      expect(mistakesOf(model, manifest)).toEqual([]);
    },
  );

  test('the check finds misspelt and wrongly typed fields, and missing ones', () => {
    const [first] = ofKind('Deployment');
    const broken = (change: (manifest: Manifest) => void) => {
      const copy = structuredClone(first) as Manifest;
      change(copy);
      return mistakesOf(Deployment, copy).join();
    };
    expect(broken((one) => Object.assign(containerOf(one), { resourcez: {} }))).toContain('resourcez');
    expect(broken((one) => Object.assign(one.spec, { replicas: '2' }))).toContain('must be integer');
    expect(broken((one) => Reflect.deleteProperty(one.spec, 'selector'))).toContain('selector');
  });

  test('has every process, the migrations, and a policy of the network for each', () => {
    expect(ofKind('Deployment').map(programOf).sort()).toEqual(['api', 'internal', 'relay', 'worker']);
    expect(ofKind('Job').map(programOf).sort()).toEqual(['admin', 'migrate']);
    const policies = ofKind('NetworkPolicy').map(({ metadata }) => metadata.name);
    expect(policies.sort()).toEqual(
      ['default', ...workloads.map(programOf)].map((name) => `launchwire-${name}`).sort(),
    );
    for (const { spec } of ofKind('NetworkPolicy')) expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  test('opens no port to every pod of the cluster', () => {
    const rules = ofKind('NetworkPolicy').flatMap(({ metadata, spec }) =>
      (spec.ingress ?? []).map(({ from = [] }) => ({ policy: metadata.name, callers: from.length })),
    );
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ callers }) => callers === 0)).toEqual([]);
  });

  test.each(workloads.map((one) => [programOf(one), one] as const))(
    'gives %s the variables that it needs, none that it does not read, and secrets by reference',
    (program, manifest) => {
      const { env, args, command, image } = containerOf(manifest);
      // The pod of the admin CLI waits for commands by `kubectl exec`.
      if (program === 'admin')
        expect(command).toEqual(['sleep', String(manifest.spec.activeDeadlineSeconds)]);
      else expect({ args, command }).toEqual({ args: [program], command: undefined });
      expect(image).toBe(`launchwire:${version}`);
      const known = readBy(program);
      const given = env.map(({ name }) => name);
      expect(given.filter((name) => known.every((variable) => variable.name !== name))).toEqual([]);
      // The admin CLI needs the database, and what else it reads for some commands.
      const needed = known
        .filter((variable) => variable.missing !== undefined || optionalNames.has(variable.name))
        .map(({ name }) => name);
      // With keys of links the worker needs no SECRET_KEY, and it is not one of its variables.
      expect(needed.filter((name) => !given.includes(name))).toEqual([]);
      for (const { name, value, valueFrom } of env) {
        const isSecret = byName.get(name)?.secret !== undefined;
        expect({ name, isReference: valueFrom !== undefined, isText: value !== undefined }).toEqual({
          name,
          isReference: isSecret,
          isText: !isSecret,
        });
        if (valueFrom === undefined) {
          parseVariable(name, value);
          continue;
        }
        const { optional = false, ...reference } = valueFrom.secretKeyRef;
        expect(reference).toEqual({ name: `launchwire-${program}`, key: name });
        // A pod does not start without a key that is not optional.
        const mayBeMissing = program === 'admin' ? name !== 'DATABASE_URL' : optionalNames.has(name);
        expect({ name, optional }).toEqual({ name, optional: mayBeMissing });
      }
    },
  );

  test('takes as many connections of Postgres as the page on deployment says', () => {
    const page = readFileSync(new URL('../../docs/operations/deployment.md', import.meta.url), 'utf8');
    const rows = {
      'api process (`API_WORKERS` counts)': 'api',
      worker: 'worker',
      relay: 'relay',
      internal: 'internal',
    };
    for (const [name, process] of Object.entries(rows) as [string, ConnectedProcess][])
      expect(page).toContain(`| each ${name} | ${processConnections[process]} |`);
    const short = MIGRATE_CONNECTIONS + ADMIN_CONNECTIONS;
    expect(page).toContain(`| migrations and one admin command | ${short} |`);
    const sum = (withSurge: boolean) =>
      ofKind('Deployment').reduce((connections, manifest) => {
        const { replicas = 1, strategy } = manifest.spec;
        const surge = withSurge ? (strategy?.rollingUpdate.maxSurge ?? 0) : 0;
        return connections + (replicas + surge) * processConnections[programOf(manifest) as ConnectedProcess];
      }, short);
    const replicas = ofKind('Deployment').map((one) => `${one.spec.replicas} ${programOf(one)}`);
    expect([...replicas].sort()).toEqual(['1 internal', '2 api', '2 relay', '2 worker']);
    expect(page).toContain(`these are ${sum(false)}, and ${sum(true)} with one more of each in an upgrade`);
    const { api, worker, relay, internal } = processConnections;
    expect(page).toContain(`they are ${api + worker + relay + internal + short}.`);
  });

  test.each(ofKind('NetworkPolicy').map((one) => [one.metadata.name, one] as const))(
    '%s allows traffic only to the addresses that the program has',
    (name, { spec, metadata }) => {
      const ports = (spec.egress ?? []).flatMap(({ ports: some = [] }) => some.map(({ port }) => port));
      if (name === 'launchwire-default') return expect(ports).toEqual([53, 53]);
      const program = metadata.labels['app.kubernetes.io/component'] as Program;
      const given = readBy(program).map((variable) => variable.name);
      const expected = Object.entries(portsOf).flatMap(([variable, port]) =>
        given.includes(variable) ? [port] : [],
      );
      expect(ports.sort()).toEqual(expected.sort());
      // Only the relay may reach any public port, for webhooks.
      const anyPort = (spec.egress ?? []).filter(({ ports: some }) => some === undefined);
      expect(anyPort).toHaveLength(program === 'relay' ? 1 : 0);
    },
  );

  test('names settings that exist, that are no secrets, and whose values are accepted', () => {
    for (const { data } of ofKind('ConfigMap')) {
      for (const [name, value] of Object.entries(data)) {
        const variable = byName.get(name);
        expect({ name, isKnown: variable !== undefined, secret: variable?.secret }).toEqual({
          name,
          isKnown: true,
          secret: undefined,
        });
        parseVariable(name, value);
      }
    }
  });

  test('confines every pod, and asks each process whether it lives and is ready', () => {
    for (const manifest of workloads) {
      expect(manifest.spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      const container = containerOf(manifest);
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } },
      });
      if (manifest.kind === 'Job') continue;
      expect(container).toMatchObject({
        startupProbe: { httpGet: { path: '/healthz', port: 'operational' } },
        livenessProbe: { httpGet: { path: '/healthz', port: 'operational' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'operational' } },
      });
      const textOf = (name: string) => container.env.find((one) => one.name === name)?.value;
      const portOf = (name: string) => container.ports?.find((one) => one.name === name)?.containerPort;
      expect(portOf('operational')).toBe(Number(textOf('METRICS_PORT')));
      if (programOf(manifest) === 'api') expect(portOf('http')).toBe(Number(textOf('PORT')));
      if (programOf(manifest) === 'internal') expect(portOf('http')).toBe(Number(textOf('INTERNAL_PORT')));
      expect(manifest.spec.selector).toEqual({ matchLabels: manifest.metadata.labels });
    }
  });
});
