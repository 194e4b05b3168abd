/** The programs of the product, as `ops/docker/entrypoint.sh` names them. */
export const programs = ['api', 'worker', 'relay', 'internal', 'migrate', 'admin'] as const;
export type Program = (typeof programs)[number];

const processes = ['api', 'worker', 'relay', 'internal'] as const;
const everyone = [...processes, 'migrate', 'admin'] as const;
const knowPublicUrl = [...processes, 'admin'] as const;
const usersOfTheBus = ['api', 'worker', 'relay', 'admin'] as const;

/**
 * The programs that read each variable. A program gets no other: `loadConfigOf` reads only these, and
 * `compose.yaml` passes only these (a test compares both ways).
 */
export const readers = {
  // Worker, relay, internal and admin need it for the default of `PUBLIC_URL`.
  port: knowPublicUrl,
  host: processes,
  publicUrl: knowPublicUrl,
  docsUrl: knowPublicUrl,
  internalPort: ['internal'],
  internalHost: ['internal'],
  apiEnvironment: ['api', 'admin'],
  strictQuery: ['api'],
  apiWorkers: ['api'],
  apiDrainSeconds: ['api'],
  idleTimeoutSeconds: ['api', 'internal'],
  databaseUrl: everyone,
  databaseCa: everyone,
  // Worker and relay need sessions of their own.
  databasePooler: ['api', 'internal'],
  // The admin CLI uses both only in `doctor`.
  databasePoolerUrl: ['admin'],
  databaseReplicaUrl: ['api', 'admin'],
  natsUrls: usersOfTheBus,
  natsStreamReplicas: ['worker', 'admin'],
  natsCredentialsFile: usersOfTheBus,
  natsNkeySeedFile: usersOfTheBus,
  natsCaFile: usersOfTheBus,
  natsCertFile: usersOfTheBus,
  natsKeyFile: usersOfTheBus,
  // The admin CLI uses it only in `doctor`.
  redisUrl: ['api', 'admin'],
  redisCaFile: ['api', 'admin'],
  // The admin CLI uses them only in `doctor`.
  solanaSendAddresses: ['api', 'worker', 'admin'],
  solanaSendHeaders: ['api', 'worker', 'admin'],
  solanaSlotMsMin: ['api', 'worker', 'internal', 'admin'],
  solanaSlotMsMax: ['api', 'worker', 'internal', 'admin'],
  sendHoldOutPercent: ['api', 'worker'],
  solanaSocketUrls: ['worker'],
  geyserUrl: ['worker'],
  geyserToken: ['worker'],
  indexerRequestsPerSecond: ['worker'],
  // The admin CLI uses it only in `fees prepare`.
  maxComputeUnitPrice: ['api', 'admin'],
  tipLamports: ['api'],
  minTipLamports: ['api'],
  maxTipLamports: ['api'],
  tipAccounts: ['api'],
  // The admin CLI uses both only in `doctor`.
  launchCurveConfig: ['api', 'admin'],
  launchCurveConfigs: ['api', 'admin'],
  // The admin CLI uses it only in `doctor`.
  nonceGates: ['api', 'admin'],
  // The admin CLI uses them only in `doctor`.
  imageFolder: ['api', 'admin'],
  imageBucket: ['api', 'admin'],
  imageEndpoint: ['api', 'admin'],
  imageRegion: ['api', 'admin'],
  imageKeyId: ['api', 'admin'],
  imageSecretKey: ['api', 'admin'],
  solanaNodes: ['api', 'worker', 'internal', 'admin'],
  // The admin CLI needs both only for `secret` and `doctor`; the worker needs `SECRET_KEY` only without
  // `RESULT_LINK_KEYS`, and reads it only without these or `ORDER_KEYS`.
  secretKey: ['api', 'relay', 'admin'],
  secretKeyPrevious: ['api', 'relay', 'admin'],
  // The admin CLI needs it only for `doctor`.
  resultLinkKeys: ['api', 'worker', 'admin'],
  // The admin CLI needs it only for `secret` and `doctor`.
  orderKeys: ['api', 'worker', 'admin'],
  rateLimits: ['api', 'internal'],
  trustedProxyHops: ['api'],
  streamsPerKey: ['api'],
  streamsPerAddress: ['api'],
  streamsPerNetwork: ['api'],
  streamsMax: ['api'],
  streamsKeyReservePercent: ['api'],
  streamBufferBytes: ['api'],
  logLevel: processes,
  livenessTimeoutSeconds: processes,
  loopTimeoutSeconds: processes,
  metricsPort: processes,
  accessLog: ['api', 'internal'],
  otlpEndpoint: processes,
  tracesSamplerArg: processes,
  webhookAllowedCidrs: ['api', 'relay'],
  webhookOnlyAllowedCidrs: ['api', 'relay'],
  webhookDnsServers: ['api', 'relay'],
  webhookAllowHttp: ['api', 'relay'],
  // The api only logs at its start that the policy is open.
  webhookCaFile: ['api', 'relay'],
  webhookSharedKeyUntil: ['api', 'relay'],
  // The worker compares it with its retention.
  webhookRetrySchedule: ['worker', 'relay'],
  webhookEndpointConcurrency: ['relay'],
  retentionEventsDays: ['worker'],
  retentionAttemptsDays: ['worker'],
  retentionSendsDays: ['worker'],
  retentionTradesDays: ['worker'],
  predictionProofWaitSeconds: ['worker'],
} as const satisfies Readonly<Record<string, readonly Program[]>>;

export type Readers = typeof readers;
