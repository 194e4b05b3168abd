import { type Program, type Readers, readers } from './configuration-readers.ts';
import { contradictions } from './configuration-rules.ts';
import { ConfigurationError, parseVariables, type Variables } from './shared/configuration.ts';
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
  oneOf,
  optional,
  rateLimits,
  ratio,
  text,
  url,
  urls,
  urlsOrOff,
  withDefault,
} from './shared/configuration-values.ts';
import { defaultRateLimits } from './shared/rate-policies.ts';
import { secretParts } from './shared/redact.ts';
import { deriveKeys, RESULT_KEY_PURPOSE } from './shared/secret-box.ts';

/**
 * Every environment variable of api, worker and relay (contract/processes#configuration): the only list, and the only
 * reader.
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
    'TCP port of the internal API, 0 picks a free one; the process does not start without it',
  ),
  internalHost: withDefault(
    text('INTERNAL_HOST'),
    '127.0.0.1',
    'address the internal API listens on; never one that clients reach',
  ),
  apiEnvironment: withDefault(
    oneOf('API_ENVIRONMENT', ['live', 'test']),
    'test',
    'environment of the keys it accepts',
  ),
  apiWorkers: withDefault(integer('API_WORKERS', 1, 64), 1, 'api processes that share the port'),
  apiDrainSeconds: withDefault(
    integer('API_DRAIN_SECONDS', 0, 10),
    0,
    'seconds for which the api still accepts after SIGTERM: see "Upgrades"',
  ),
  databaseUrl: {
    ...databaseUrl('DATABASE_URL'),
    secret: true,
    description: 'Postgres',
  },
  natsUrl: {
    ...url('NATS_URL', ['nats:', 'tls:']),
    secret: true,
    description: 'NATS with JetStream, `user:password@` or `token@` before the host; `tls://` insists on TLS',
  },
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
      'shared rate limits, `user:password@` before the host; `rediss://` insists on TLS; process memory without it',
    ),
    secret: true,
  },
  redisCaFile: optional(
    text('REDIS_CA_FILE'),
    'PEM file with the authority of the Redis server; needs `rediss://`',
  ),
  solanaRpcUrls: {
    ...urls('SOLANA_RPC_URL'),
    secret: true,
    description: 'JSON-RPC addresses, comma-separated',
  },
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
    36,
    'requests that chain indexer and mint facts make of all nodes together; a second may see a quarter more',
  ),
  maxComputeUnitPrice: withDefault(
    integer('MAX_COMPUTE_UNIT_PRICE', 0, 1_000_000_000),
    5_000_000,
    'most micro-lamports per compute unit that a swap pays for priority',
  ),
  launchCurveConfig: optional(
    address('LAUNCH_CURVE_CONFIG'),
    'config account of the bonding curve that `createLaunch` launches tokens on; no launches without it',
  ),
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
  rateLimits: withDefault(
    rateLimits('RATE_LIMITS', Object.keys(defaultRateLimits)),
    {},
    'JSON, replaces default rate policies by name (contract/rate-limits#policies)',
  ),
  trustedProxyHops: withDefault(
    integer('TRUSTED_PROXY_HOPS', 0, 16),
    0,
    'X-Forwarded-For entries to believe',
  ),
  logLevel: withDefault(
    oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'least severity that is logged',
  ),
  livenessTimeoutSeconds: withDefault(
    integer('LIVENESS_TIMEOUT_SECONDS', 0, 86_400),
    30,
    'seconds of silence of its event loop after which a process ends itself; 0 never',
  ),
  loopTimeoutSeconds: withDefault(
    integer('LOOP_TIMEOUT_SECONDS', 0, 86_400),
    300,
    'seconds for which a background loop may stand still before its process ends itself; 0 never',
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
    'part of the traces that begin here and are recorded, 0 to 1; a caller that decided is followed',
  ),
  webhookAllowedCidrs: withDefault(
    cidrs('WEBHOOK_ALLOWED_CIDRS'),
    [],
    'ranges that webhooks may reach besides public ones',
  ),
  webhookDnsServers: withDefault(
    dnsServers('WEBHOOK_DNS_SERVERS'),
    [],
    'name servers that look up webhook hosts, comma-separated, with or without a port; those of the system without it',
  ),
  webhookAllowHttp: withDefault(flag('WEBHOOK_ALLOW_HTTP'), false, 'admits http endpoints'),
  webhookCaFile: optional(text('WEBHOOK_CA_FILE'), 'PEM file with an additional certificate authority'),
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
    integer('RETENTION_EVENTS_DAYS', 8, 3_650),
    30,
    'days that events and their finished deliveries are kept at least: see "Retention"',
  ),
  retentionAttemptsDays: withDefault(
    integer('RETENTION_ATTEMPTS_DAYS', 8, 3_650),
    30,
    'days that webhook attempts are kept at least, not fewer than the events',
  ),
  retentionTradesDays: optional(
    integer('RETENTION_TRADES_DAYS', 30, 36_500),
    'days that trades are kept at least; for ever without it',
  ),
  predictionProofWaitSeconds: withDefault(
    integer('PREDICTION_PROOF_WAIT_SECONDS', 60, 604_800),
    1_800,
    'seconds after `settlesAt` for which a prediction round waits for the proof of its price; then it is voided',
  ),
} satisfies Variables;

type Values = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['parse']> };

/** The whole configuration: frozen, complete, validated. Times are milliseconds. */
export type Config = Readonly<
  Omit<Values, 'publicUrl' | 'docsUrl' | 'resultLinkKeys'> & {
    publicUrl: string;
    docsUrl: string;
    /** The first signs, all of them verify. */
    resultLinkKeys: ResultLinkKeys;
  }
>;
type ResultLinkKeys = readonly [Uint8Array, ...Uint8Array[]];

/** The part of the configuration that a program reads. */
export type ConfigOf<Name extends Program> = Pick<
  Config,
  { [Key in keyof Config]: Name extends Readers[Key][number] ? Key : never }[keyof Config]
>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment, every variable. Throws ConfigurationError with every mistake together, by variable name and
 * without printing values of secrets.
 */
export function loadConfig(environment: Environment = process.env): Config {
  return Object.freeze(complete(parseVariables(variables, environment) as Values)) as Config;
}

/** Reads what one program needs and nothing else. Throws as `loadConfig` does. */
export function loadConfigOf<Name extends Exclude<Program, 'admin'>>(
  program: Name,
  environment: Environment = process.env,
): ConfigOf<Name> {
  const isRead = ([key]: [string, unknown]) => programsThatRead(key).includes(program);
  const read: Variables = Object.fromEntries(Object.entries(variables).filter(isRead));
  // Links under keys of their own spare the worker the key that opens everything else.
  const deriving = program === 'worker' && !environment.RESULT_LINK_KEYS ? linkKeyVariables : {};
  const values = complete(parseVariables({ ...read, ...deriving }, environment));
  return Object.freeze(Object.fromEntries(Object.entries(values).filter(isRead))) as ConfigOf<Name>;
}

function programsThatRead(key: string): readonly Program[] {
  return (readers as Readonly<Record<string, readonly Program[]>>)[key] ?? [];
}

/** What the worker reads when it has no keys of links. */
const linkKeyVariables = {
  secretKey: {
    ...variables.secretKey,
    parse(text) {
      if (text === undefined) throw new Error('is required without RESULT_LINK_KEYS');
      return variables.secretKey.parse(text);
    },
  },
  secretKeyPrevious: variables.secretKeyPrevious,
} satisfies Variables;

/** Checks what several variables say together and adds what follows from others, as far as they were read. */
function complete(values: Partial<Values>): Partial<Config> {
  const mistakes = contradictions(values);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const { publicUrl, docsUrl, resultLinkKeys, ...others } = values;
  return { ...others, ...publicAddresses(values), ...linkKeys(values) };
}

/** Own keys first, then the derived ones, so that links made before there were own keys go on working. */
function linkKeys({ resultLinkKeys, secretKey, secretKeyPrevious = [] }: Partial<Values>) {
  const derived =
    secretKey === undefined ? [] : deriveKeys({ secretKey, secretKeyPrevious }, RESULT_KEY_PURPOSE);
  const [first, ...others] = [...(resultLinkKeys ?? []), ...derived];
  return first === undefined ? {} : { resultLinkKeys: [first, ...others] as const };
}

/** What the admin CLI needs: it works with a database alone, and asks the chain only where a command must. */
const adminVariables = {
  port: variables.port,
  publicUrl: variables.publicUrl,
  docsUrl: variables.docsUrl,
  apiEnvironment: variables.apiEnvironment,
  databaseUrl: variables.databaseUrl,
  natsUrl: {
    ...optional(url('NATS_URL', ['nats:', 'tls:']), 'only for `ingest replay`'),
    secret: true,
  },
  natsCredentialsFile: variables.natsCredentialsFile,
  natsNkeySeedFile: variables.natsNkeySeedFile,
  natsCaFile: variables.natsCaFile,
  natsCertFile: variables.natsCertFile,
  natsKeyFile: variables.natsKeyFile,
  solanaRpcUrls: {
    ...optional(urls('SOLANA_RPC_URL'), 'JSON-RPC addresses, comma-separated'),
    secret: true,
  },
  secretKey: {
    ...optional(base64Key('SECRET_KEY', 32), 'only for `secret re-encrypt`'),
    secret: true,
  },
  secretKeyPrevious: variables.secretKeyPrevious,
} satisfies Variables;

type AdminOptional = 'natsUrl' | 'solanaRpcUrls' | 'secretKey';
export type AdminConfig = Readonly<
  Omit<ConfigOf<'admin'>, AdminOptional | 'port'> & { [Key in AdminOptional]: Config[Key] | undefined }
>;

/**
 * The configuration of the admin CLI: the environment or, without `DATABASE_URL`, what `sandbox` returns: the
 * variables of a running sandbox, or nothing.
 */
export function loadAdminConfig(
  sandbox: () => Readonly<Record<string, string>>,
  environment: Environment = process.env,
): AdminConfig {
  const source = environment.DATABASE_URL ? environment : { ...environment, ...sandbox() };
  const values = parseVariables(adminVariables, source) as {
    [Name in keyof typeof adminVariables]: ReturnType<(typeof adminVariables)[Name]['parse']>;
  };
  const mistakes = contradictions(values);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return Object.freeze({ ...values, ...publicAddresses(values) });
}

function publicAddresses({
  publicUrl,
  docsUrl,
  port,
}: Partial<Pick<Values, 'publicUrl' | 'docsUrl' | 'port'>>) {
  const origin = publicUrl ?? `http://localhost:${port}`;
  return { publicUrl: origin, docsUrl: docsUrl ?? `${origin}/docs` };
}

/** Every part of the environment that no log line and no message may show. */
export function secretsOf(environment: Environment = process.env): string[] {
  return Object.values<Variables[string]>(variables)
    .filter(({ secret }) => secret === true)
    .flatMap(({ name }) => secretParts(environment[name] ?? ''));
}
