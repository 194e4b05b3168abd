import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

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

export const postgresCluster = object({
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

export const pooler = object({
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

export const kustomization = object({
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
export const patchOperations = Type.Array(
  object({ op: Type.Literal('add'), path: Type.String(), value: Type.Unknown() }),
);

export const natsValues = object({
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
export function fitting<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value;
  throw new Error(
    [...Value.Errors(schema, value)].map(({ path, message }) => `${path}: ${message}`).join('\n'),
  );
}
