import { databasePoolers } from '../../shared/database-poolers.ts';
import { withoutTls } from '../../shared/postgres-url.ts';
import { secretParts } from '../../shared/redact.ts';
import { databaseUrl, natsUrls, oneOf, streamReplicas, text, url } from '../values.ts';
import { busUsers, programs, required, variable } from '../variable.ts';

/** Postgres, NATS and Redis. */
export const storeVariables = {
  databaseUrl: required('DATABASE_URL', {
    for: programs,
    rule: databaseUrl,
    secret: databaseSecrets,
    text: 'Address of Postgres. Several hosts (`host:port,host:port`) may be named: the one that accepts writes is used. The parameters `sslmode` and `sslrootcert` set the encryption of connections: see "TLS to Postgres".',
  }),
  databaseCa: variable('DATABASE_CA', {
    for: programs,
    rule: text,
    text: 'PEM file with the certificate authority of Postgres. If set, connections are encrypted, and the certificate and host name of the server are verified.',
  }),
  databasePooler: variable('DATABASE_POOLER', {
    // Worker and relay need sessions of their own.
    for: ['api', 'internal'],
    rule: oneOf(...databasePoolers),
    default: 'none',
    text: 'Kind of the connection pooler behind DATABASE_URL. `transaction`: it gives a session to one transaction after another. `transaction-unprepared`: it also keeps no prepared statements. See "Connection poolers".',
  }),
  databasePoolerUrl: variable('DATABASE_POOLER_URL', {
    for: ['admin'],
    rule: databaseUrl,
    secret: databaseSecrets,
    text: 'Console of PgBouncer, as postgres://launchwire_stats:password@host:6432/pgbouncer. `doctor` adds up its limits.',
  }),
  databaseReplicaUrl: variable('DATABASE_REPLICA_URL', {
    // The admin CLI uses it only in `doctor`.
    for: ['api', 'admin'],
    rule: databaseUrl,
    secret: databaseSecrets,
    text: 'Address of a standby of DATABASE_URL. It serves anonymous reads while its data is fresh enough. It must be one server, not a load balancer: see "Reads from a replica".',
  }),
  natsUrls: required('NATS_URL', {
    for: busUsers,
    // The admin CLI uses it only in `ingest replay` and `doctor`.
    optionalFor: ['admin'],
    rule: natsUrls,
    secret: secretParts,
    text: 'Address of NATS with JetStream, or comma-separated addresses of all nodes of a cluster. `user:password@` or `token@` may precede each host. `tls://` requires TLS. See "Several nodes".',
  }),
  natsStreamReplicas: variable('NATS_STREAM_REPLICAS', {
    for: ['worker', 'admin'],
    rule: streamReplicas,
    default: 1,
    text: 'Number of NATS nodes that hold each stream: 1, 3 or 5. After a change the worker moves the streams.',
  }),
  natsCredentialsFile: variable('NATS_CREDENTIALS_FILE', {
    for: busUsers,
    rule: text,
    text: 'Credentials file for NATS (JWT and seed). It takes the place of a user in NATS_URL.',
  }),
  natsNkeySeedFile: variable('NATS_NKEY_SEED_FILE', {
    for: busUsers,
    rule: text,
    text: 'File with an nkey seed for NATS. It takes the place of a user in NATS_URL.',
  }),
  natsCaFile: variable('NATS_CA_FILE', {
    for: busUsers,
    rule: text,
    text: 'PEM file with the certificate authority of NATS. NATS_URL must begin with `tls://`.',
  }),
  natsCertFile: variable('NATS_CERT_FILE', {
    for: busUsers,
    rule: text,
    text: 'PEM file with the client certificate for NATS. NATS_URL must begin with `tls://`.',
  }),
  natsKeyFile: variable('NATS_KEY_FILE', {
    for: busUsers,
    rule: text,
    text: 'PEM file with the private key of NATS_CERT_FILE.',
  }),
  redisUrl: variable('REDIS_URL', {
    // The admin CLI uses it only in `doctor`.
    for: ['api', 'admin'],
    rule: url('redis:', 'rediss:'),
    secret: secretParts,
    text: 'Address of the Redis in which api processes share the counters of rate limits. `user:password@` may precede the host. `rediss://` requires TLS. If unset, each process counts in its own memory.',
  }),
  redisCaFile: variable('REDIS_CA_FILE', {
    for: ['api', 'admin'],
    rule: text,
    text: 'PEM file with the certificate authority of Redis. REDIS_URL must begin with `rediss://`.',
  }),
};

/** Lists what a URL of Postgres hides. Its parameters of TLS are ordinary words. */
function databaseSecrets(value: string): string[] {
  try {
    return secretParts(withoutTls(value));
  } catch {
    return secretParts(value);
  }
}
