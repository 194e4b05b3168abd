import { ConfigurationError, parseVariables, type Variables } from './shared/configuration.ts';
import {
  base64Key,
  base64Keys,
  cidrs,
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
  withDefault,
} from './shared/configuration-values.ts';
import { secretParts } from './shared/redact.ts';

/** Every environment variable of api, worker and relay (contract/processes#configuration): the only list, and the only reader. */
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
    ...url('DATABASE_URL', ['postgres:', 'postgresql:']),
    secret: true,
    description: 'Postgres',
  },
  natsUrl: { ...url('NATS_URL', ['nats:', 'tls:']), secret: true, description: 'NATS with JetStream' },
  redisUrl: {
    ...optional(url('REDIS_URL', ['redis:', 'rediss:']), 'shared rate limits; process memory without it'),
    secret: true,
  },
  solanaRpcUrls: {
    ...urls('SOLANA_RPC_URL'),
    secret: true,
    description: 'JSON-RPC addresses, comma-separated',
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
  rateLimits: withDefault(
    rateLimits('RATE_LIMITS'),
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
    'TCP port of `/metrics`, `/healthz` and `/readyz` of worker and relay, on HOST; off without it',
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
} satisfies Variables;

type Values = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['parse']> };

/** The configuration of a process: frozen, complete, validated. Times are milliseconds. */
export type Config = Readonly<Omit<Values, 'publicUrl' | 'docsUrl'> & { publicUrl: string; docsUrl: string }>;

/**
 * Reads the environment. Throws ConfigurationError with every mistake at once, by variable name and
 * without printing values of secrets.
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const values = parseVariables(variables, environment) as Values;
  requireDistinctKeys(values);
  requireLongRetention(values);
  return Object.freeze({ ...values, ...publicAddresses(values) });
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

export type AdminConfig = Readonly<
  Pick<Config, 'publicUrl' | 'docsUrl' | 'apiEnvironment' | 'databaseUrl' | 'secretKeyPrevious'> & {
    natsUrl: Config['natsUrl'] | undefined;
    solanaRpcUrls: Config['solanaRpcUrls'] | undefined;
    secretKey: Config['secretKey'] | undefined;
  }
>;

/**
 * The configuration of the admin CLI: the environment or, without `DATABASE_URL`, what `sandbox` returns: the
 * variables of a running sandbox, or nothing.
 */
export function loadAdminConfig(
  sandbox: () => Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): AdminConfig {
  const source = environment.DATABASE_URL ? environment : { ...environment, ...sandbox() };
  const values = parseVariables(adminVariables, source) as {
    [Name in keyof typeof adminVariables]: ReturnType<(typeof adminVariables)[Name]['parse']>;
  };
  return Object.freeze({ ...values, ...publicAddresses(values) });
}

/** A key named twice is one that was not replaced. */
function requireDistinctKeys({
  secretKey,
  secretKeyPrevious,
}: Pick<Values, 'secretKey' | 'secretKeyPrevious'>): void {
  if (secretKeyPrevious.some((previous) => Buffer.from(previous).equals(secretKey))) {
    throw new ConfigurationError(['SECRET_KEY_PREVIOUS must not repeat SECRET_KEY']);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** What the jitter adds to a pause of the retry schedule at most (contract/delivery#retries). */
const JITTER = 1.2;

/** An event outlives the last attempt of its deliveries by a day in which they can be replayed. */
function requireLongRetention(
  values: Pick<Values, 'retentionEventsDays' | 'retentionAttemptsDays' | 'webhookRetrySchedule'>,
): void {
  const mistakes: string[] = [];
  const triesMs = values.webhookRetrySchedule.reduce((sum, pauseMs) => sum + pauseMs * JITTER, 0);
  const leastDays = Math.ceil(triesMs / DAY_MS) + 1;
  if (values.retentionEventsDays < leastDays)
    mistakes.push(`RETENTION_EVENTS_DAYS must be at least ${leastDays} with this WEBHOOK_RETRY_SCHEDULE`);
  if (values.retentionAttemptsDays < values.retentionEventsDays)
    mistakes.push('RETENTION_ATTEMPTS_DAYS must not be less than RETENTION_EVENTS_DAYS');
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
}

function publicAddresses({ publicUrl, docsUrl, port }: Pick<Values, 'publicUrl' | 'docsUrl' | 'port'>) {
  const origin = publicUrl ?? `http://localhost:${port}`;
  return { publicUrl: origin, docsUrl: docsUrl ?? `${origin}/docs` };
}

/** Every part of the environment that no log line and no message may show. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>> = process.env): string[] {
  return Object.values<Variables[string]>(variables)
    .filter(({ secret }) => secret === true)
    .flatMap(({ name }) => secretParts(environment[name] ?? ''));
}
