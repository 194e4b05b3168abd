import { protocolBounds } from '../chain/pace/protocol.ts';
import type { Variables } from '../shared/configuration.ts';
import { databasePoolers } from '../shared/database-poolers.ts';
import { withoutTls } from '../shared/postgres-url.ts';
import { defaultRateLimits } from '../shared/rate-policies.ts';
import { secretParts } from '../shared/redact.ts';
import {
  addressSecrets,
  launchConfigs,
  nodeAddresses,
  nonceGateAddresses,
  tipAccounts,
} from './addresses.ts';
import { headerSecrets, headersByHost } from './headers.ts';
import { rateLimits } from './rate-limits.ts';
import {
  address,
  base64Key,
  base64Keys,
  cidrs,
  databaseUrl,
  dnsServers,
  durations,
  flag,
  integer,
  natsUrls,
  oneOf,
  optional,
  ratio,
  streamReplicas,
  text,
  time,
  url,
  urlsOrOff,
  withDefault,
} from './values.ts';

/**
 * Every environment variable of api, worker and relay (contract/processes#configuration): the only list.
 * `load.ts` reads them.
 */
export const variables = {
  port: withDefault(integer('PORT', 0, 65_535), 3000, 'TCP port of the api; 0 picks a free one'),
  host: withDefault(text('HOST'), '127.0.0.1', 'address the api listens on; 0.0.0.0 in containers'),
  publicUrl: optional(
    url('PUBLIC_URL', ['http:', 'https:']),
    'origin that clients see; default http://localhost:PORT',
  ),
  docsUrl: optional(
    url('DOCS_URL', ['http:', 'https:']),
    'base of the public documentation; default PUBLIC_URL/docs',
  ),
  internalPort: optional(
    integer('INTERNAL_PORT', 0, 65_535),
    'TCP port of the internal API, 0 picks a free one; the process needs it to start',
  ),
  internalHost: withDefault(
    text('INTERNAL_HOST'),
    '127.0.0.1',
    'address the internal API listens on; never one that clients can reach',
  ),
  apiEnvironment: withDefault(
    oneOf('API_ENVIRONMENT', ['live', 'test']),
    'test',
    'environment of the keys it accepts',
  ),
  strictQuery: withDefault(
    flag('STRICT_QUERY'),
    false,
    'refuses query parameters that an operation does not know, also where the contract ignores them; for test deployments (contract/requests#strict)',
  ),
  apiWorkers: withDefault(integer('API_WORKERS', 1, 64), 1, 'api processes that share the port'),
  apiDrainSeconds: withDefault(
    integer('API_DRAIN_SECONDS', 0, 10),
    0,
    'seconds for which the api still accepts after SIGTERM: see "Upgrades"',
  ),
  idleTimeoutSeconds: withDefault(
    integer('IDLE_TIMEOUT_SECONDS', 30, 255),
    75,
    'seconds after which api and internal API close a silent connection; more than the time-out of a load balancer in front (60 on AWS), which would otherwise send a request into a closing connection',
  ),
  databaseUrl: {
    ...databaseUrl('DATABASE_URL'),
    secret: true,
    secretParts: databaseSecrets,
    description:
      'Postgres, one address or several hosts (`host:port,host:port`), of which the one that accepts writes is used; `sslmode` and `sslrootcert` in it set the encryption of connections: see "TLS to Postgres"',
  },
  databaseCa: optional(
    text('DATABASE_CA'),
    'PEM file with the authority of the Postgres server: connections are encrypted, and its certificate and host name verified',
  ),
  databasePooler: withDefault(
    oneOf('DATABASE_POOLER', databasePoolers),
    'none',
    'what DATABASE_URL leads through: a pooler that shares sessions between transactions (`transaction`), or one that keeps no prepared statements (`transaction-unprepared`): see "Connection poolers"',
  ),
  databasePoolerUrl: {
    ...optional(
      databaseUrl('DATABASE_POOLER_URL'),
      'console of PgBouncer, as postgres://launchwire_stats:password@host:6432/pgbouncer: `doctor` adds up its limits',
    ),
    secret: true,
    secretParts: databaseSecrets,
  },
  databaseReplicaUrl: {
    ...optional(
      databaseUrl('DATABASE_REPLICA_URL'),
      'a standby of DATABASE_URL that serves anonymous reads while it is fresh enough for them; one server, not a balancer: see "Reads from a replica"',
    ),
    secret: true,
    secretParts: databaseSecrets,
  },
  natsUrls: {
    ...natsUrls('NATS_URL'),
    secret: true,
    description:
      'NATS with JetStream, the nodes of a cluster comma-separated; `user:password@` or `token@` before each host; `tls://` requires TLS: see "Several nodes"',
  },
  natsStreamReplicas: withDefault(
    streamReplicas('NATS_STREAM_REPLICAS'),
    1,
    'nodes of a cluster that hold each stream: 1, 3 or 5; the worker moves the streams',
  ),
  natsCredentialsFile: optional(
    text('NATS_CREDENTIALS_FILE'),
    'credentials file (JWT and seed), instead of a user in NATS_URL',
  ),
  natsNkeySeedFile: optional(
    text('NATS_NKEY_SEED_FILE'),
    'file with an nkey seed, instead of a user in NATS_URL',
  ),
  natsCaFile: optional(
    text('NATS_CA_FILE'),
    'PEM file with the authority of the NATS server; needs `tls://`',
  ),
  natsCertFile: optional(text('NATS_CERT_FILE'), 'PEM file with a client certificate; needs `tls://`'),
  natsKeyFile: optional(text('NATS_KEY_FILE'), 'PEM file with the key of NATS_CERT_FILE'),
  redisUrl: {
    ...optional(
      url('REDIS_URL', ['redis:', 'rediss:']),
      'shared rate limits, `user:password@` before the host; `rediss://` requires TLS; without it limits are in process memory',
    ),
    secret: true,
  },
  redisCaFile: optional(
    text('REDIS_CA_FILE'),
    'PEM file with the authority of the Redis server; needs `rediss://`',
  ),
  solanaNodes: {
    ...nodeAddresses('SOLANA_RPC_URL', 'own'),
    secret: true,
    secretParts: addressSecrets,
    description: 'JSON-RPC addresses, comma-separated: `URL`, `name=URL` or `name:own=URL`',
  },
  solanaSendAddresses: {
    ...withDefault(
      nodeAddresses('SOLANA_SEND_URL', 'protected'),
      [],
      'further addresses that only receive transactions (landing services), comma-separated: `URL`, `name=URL` or `name:protected=URL`',
    ),
    secret: true,
    secretParts: addressSecrets,
  },
  solanaSendHeaders: {
    ...withDefault(
      headersByHost('SOLANA_SEND_HEADERS'),
      {},
      'JSON, headers of requests to SOLANA_SEND_URL by host: `{"sender.example":{"x-token":"…"}}`',
    ),
    secret: true,
    secretParts: headerSecrets,
  },
  solanaSlotMsMin: withDefault(
    integer('SOLANA_SLOT_MS_MIN', 10, 2_000),
    protocolBounds.shortestSlotMs,
    'shortest slot that the chain can have: a node whose height climbs faster is not believed; the same in api, worker and internal',
  ),
  solanaSlotMsMax: withDefault(
    integer('SOLANA_SLOT_MS_MAX', 10, 10_000),
    protocolBounds.longestSlotMs,
    'longest slot that the chain is expected to have; a chain that is slower counts as one with such slots',
  ),
  sendHoldOutPercent: withDefault(
    integer('SEND_HOLDOUT_PERCENT', 0, 100),
    0,
    'share of the transactions that one drawn address does not get, so that the landing report can compare; the same in api and worker',
  ),
  solanaSocketUrls: {
    ...optional(
      urlsOrOff('SOLANA_WS_URL', ['ws:', 'wss:']),
      'WebSocket addresses of nodes, comma-separated; those of SOLANA_RPC_URL with ws for http without it; `off` for none',
    ),
    secret: true,
  },
  geyserUrl: {
    ...optional(url('GEYSER_URL', ['http:', 'https:']), 'Yellowstone Geyser gRPC; not used without it'),
    secret: true,
  },
  geyserToken: {
    ...optional(text('GEYSER_TOKEN'), 'sent to GEYSER_URL as `x-token`'),
    secret: true,
  },
  indexerRequestsPerSecond: withDefault(
    integer('INDEXER_REQUESTS_PER_SECOND', 4, 10_000),
    32,
    'requests per second of chain indexer and mint facts to all nodes together, and as many again for what landed transactions did; a single second may have a fifth more',
  ),
  maxComputeUnitPrice: withDefault(
    integer('MAX_COMPUTE_UNIT_PRICE', 0, 1_000_000_000),
    5_000_000,
    'most micro-lamports per compute unit that a prepared transaction pays for priority',
  ),
  tipLamports: withDefault(
    integer('TIP_LAMPORTS', 0, 1_000_000_000),
    0,
    'lamports that swaps and launches pay to the service that lands them, unless a request names a tip; needs TIP_ACCOUNTS',
  ),
  minTipLamports: withDefault(
    integer('MIN_TIP_LAMPORTS', 0, 1_000_000_000),
    0,
    'least tip that a request may name',
  ),
  maxTipLamports: optional(
    integer('MAX_TIP_LAMPORTS', 0, 1_000_000_000),
    'greatest tip that a request may name; 100000000 without it, or TIP_LAMPORTS where that is more',
  ),
  tipAccounts: withDefault(
    tipAccounts('TIP_ACCOUNTS'),
    [],
    'accounts that take tips, comma-separated: each transaction pays one of them; `name=account` for those of an address that SOLANA_SEND_URL names',
  ),
  launchCurveConfig: optional(
    address('LAUNCH_CURVE_CONFIG'),
    'config account of the bonding curve that `createLaunch` launches tokens on: the same as LAUNCH_CURVE_CONFIGS with `standard=` before it',
  ),
  launchCurveConfigs: withDefault(
    launchConfigs('LAUNCH_CURVE_CONFIGS'),
    [],
    'config accounts of the bonding curve that `createLaunch` launches tokens on, as `name=account`, comma-separated, the first being the default; no launches without one: see "Launch configs"',
  ),
  nonceGates: withDefault(
    nonceGateAddresses('NONCE_GATES'),
    [],
    'feature accounts of the cluster that would change durable nonces, as `priority=address` and `removal=address`, comma-separated; none is known today: see "Gates of nonces"',
  ),
  imageFolder: optional(
    text('IMAGE_FOLDER'),
    'folder of uploaded images, which every api process must see; no uploads without it or IMAGE_BUCKET',
  ),
  imageBucket: optional(text('IMAGE_BUCKET'), 'bucket of uploaded images, in place of IMAGE_FOLDER'),
  imageEndpoint: optional(
    url('IMAGE_BUCKET_ENDPOINT', ['http:', 'https:']),
    'address of an S3 service other than AWS; its buckets are addressed by path',
  ),
  imageRegion: withDefault(text('IMAGE_BUCKET_REGION'), 'us-east-1', 'region of IMAGE_BUCKET'),
  imageKeyId: {
    ...optional(
      text('IMAGE_BUCKET_KEY_ID'),
      'key of IMAGE_BUCKET; without it the AWS client looks for credentials itself (variables, files, the role of the pod or machine)',
    ),
    secret: true,
  },
  imageSecretKey: {
    ...optional(text('IMAGE_BUCKET_SECRET_KEY'), 'secret of IMAGE_BUCKET_KEY_ID'),
    secret: true,
  },
  secretKey: {
    ...base64Key('SECRET_KEY', 32),
    secret: true,
    description: 'seals secrets at rest: base64 of 32 bytes',
  },
  secretKeyPrevious: {
    ...withDefault(
      base64Keys('SECRET_KEY_PREVIOUS', 32),
      [],
      'other keys that still open and verify, comma-separated: see "Rotating SECRET_KEY"',
    ),
    secret: true,
  },
  resultLinkKeys: {
    ...withDefault(
      base64Keys('RESULT_LINK_KEYS', 32),
      [],
      'keys of links to result files, comma-separated, the first signs; derived from SECRET_KEY without it',
    ),
    secret: true,
  },
  orderKeys: {
    ...withDefault(
      base64Keys('ORDER_KEYS', 32),
      [],
      'keys of signed orders, comma-separated, the first seals; derived from SECRET_KEY without it',
    ),
    secret: true,
  },
  rateLimits: withDefault(
    rateLimits('RATE_LIMITS', Object.keys(defaultRateLimits)),
    {},
    'JSON, replaces default rate policies by name (contract/rate-limits#policies)',
  ),
  trustedProxyHops: withDefault(
    integer('TRUSTED_PROXY_HOPS', 0, 16),
    0,
    'number of trusted entries of X-Forwarded-For, from the end',
  ),
  streamsPerKey: withDefault(
    integer('STREAMS_PER_KEY', 1, 100_000),
    100,
    'streams that one key may have open at an api process',
  ),
  streamsPerAddress: withDefault(
    integer('STREAMS_PER_ADDRESS', 1, 100_000),
    100,
    'streams that one client address may have open at an api process without a key',
  ),
  streamsPerNetwork: withDefault(
    integer('STREAMS_PER_NETWORK', 1, 100_000),
    500,
    'streams that one IPv6 /48 may have open at an api process without a key',
  ),
  streamsMax: withDefault(
    integer('STREAMS_MAX', 1, 1_000_000),
    20_000,
    'maximum number of open streams at an api process',
  ),
  streamsKeyReservePercent: withDefault(
    integer('STREAMS_KEY_RESERVE_PERCENT', 0, 100),
    25,
    'percent of STREAMS_MAX that streams without a key cannot take',
  ),
  streamBufferBytes: withDefault(
    integer('STREAM_BUFFER_BYTES', 65_536, 67_108_864),
    1_048_576,
    'bytes kept for a stream whose client does not read; with more the stream ends',
  ),
  logLevel: withDefault(
    oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'lowest severity that is logged',
  ),
  livenessTimeoutSeconds: withDefault(
    integer('LIVENESS_TIMEOUT_SECONDS', 0, 86_400),
    30,
    'seconds of silence of its event loop after which a process ends itself; 0 never',
  ),
  loopTimeoutSeconds: withDefault(
    integer('LOOP_TIMEOUT_SECONDS', 0, 86_400),
    300,
    'seconds for which a background loop may be stalled before its process ends itself; 0 never',
  ),
  metricsPort: optional(
    integer('METRICS_PORT', 0, 65_535),
    'TCP port of `/metrics`, `/healthz` and `/readyz` of each process, on HOST: see "Metrics"',
  ),
  accessLog: withDefault(
    oneOf('ACCESS_LOG', ['notable', 'all']),
    'notable',
    'requests the api logs: `notable` leaves out anonymous reads that succeed',
  ),
  otlpEndpoint: {
    ...optional(
      url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
      'OTLP/HTTP receiver of traces (`/v1/traces` is added); no tracing without it',
    ),
    secret: true,
  },
  tracesSamplerArg: withDefault(
    ratio('OTEL_TRACES_SAMPLER_ARG'),
    1,
    'share of recorded traces among those that begin here, 0 to 1; the decision of a caller is kept',
  ),
  webhookAllowedCidrs: withDefault(
    cidrs('WEBHOOK_ALLOWED_CIDRS'),
    [],
    'ranges that webhooks may reach in addition to public addresses',
  ),
  webhookOnlyAllowedCidrs: withDefault(
    flag('WEBHOOK_ONLY_ALLOWED_CIDRS'),
    false,
    'sends webhooks only to `WEBHOOK_ALLOWED_CIDRS`, to no public address',
  ),
  webhookDnsServers: withDefault(
    dnsServers('WEBHOOK_DNS_SERVERS'),
    [],
    'name servers that look up webhook hosts, comma-separated, with or without a port; those of the system without it',
  ),
  webhookAllowHttp: withDefault(flag('WEBHOOK_ALLOW_HTTP'), false, 'admits http endpoints'),
  webhookCaFile: optional(text('WEBHOOK_CA_FILE'), 'PEM file with an additional certificate authority'),
  webhookSharedKeyUntil: withDefault(
    time('WEBHOOK_SHARED_KEY_UNTIL'),
    new Date('2027-06-01T00:00:00Z'),
    'time until which webhooks also carry a signature of the key that all endpoints share: see "Keys of webhooks"',
  ),
  webhookRetrySchedule: withDefault(
    durations('WEBHOOK_RETRY_SCHEDULE'),
    [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000),
    'seconds before each further attempt, comma-separated (contract/delivery#retries)',
  ),
  webhookEndpointConcurrency: withDefault(
    integer('WEBHOOK_ENDPOINT_CONCURRENCY', 1, 256),
    8,
    'attempts in flight per endpoint',
  ),
  retentionEventsDays: withDefault(
    integer('RETENTION_EVENTS_DAYS', 30, 3_650),
    30,
    'minimum days for which events and their finished deliveries are kept: see "Retention"',
  ),
  retentionAttemptsDays: withDefault(
    integer('RETENTION_ATTEMPTS_DAYS', 8, 3_650),
    30,
    'minimum days for which webhook attempts are kept, not fewer than for events',
  ),
  retentionSendsDays: withDefault(
    integer('RETENTION_SENDS_DAYS', 8, 3_650),
    30,
    'minimum days for which the sends of transaction intents are kept, since the preparation of the intent',
  ),
  retentionTradesDays: optional(
    integer('RETENTION_TRADES_DAYS', 30, 36_500),
    'minimum days for which trades are kept; for ever without it',
  ),
  predictionProofWaitSeconds: withDefault(
    integer('PREDICTION_PROOF_WAIT_SECONDS', 60, 604_800),
    1_800,
    'seconds after `settlesAt` for which a prediction round waits for the proof of its price; then it is voided',
  ),
} satisfies Variables;

/** As for any URL, except the parameters of TLS. */
function databaseSecrets(value: string): string[] {
  try {
    return secretParts(withoutTls(value));
  } catch {
    return secretParts(value);
  }
}
