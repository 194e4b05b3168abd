import { nodeOf, type WrittenAddress } from '../shared/node-address.ts';
import { postgresHosts, SYSTEM_AUTHORITIES, urlTls } from '../shared/postgres-url.ts';
import type { ReadValues } from './variables.ts';

/** Lists mistakes that only several variables together show, without values. A rule applies when its values were read. */
export function contradictions(values: ReadValues): string[] {
  return [
    repeatedKey,
    shortRetention,
    databaseTls,
    oneReplica,
    busAccess,
    redisAccess,
    repeatedNode,
    sendAddresses,
    slotBounds,
    geyserAccess,
    metricsPorts,
    strictQueries,
    tips,
    launchConfigs,
    metadataOrigin,
    images,
    webhookRanges,
  ].flatMap((rule) => rule(values));
}

function databaseTls({ databaseUrl, databaseCa }: ReadValues): string[] {
  if (databaseUrl === undefined) return [];
  const { mode, authority } = urlTls(databaseUrl);
  const mistakes: string[] = [];
  if (databaseCa !== undefined && authority !== undefined)
    mistakes.push('DATABASE_CA and sslrootcert in DATABASE_URL have the same meaning: set one of them');
  if (mode === 'disable' && (databaseCa ?? authority) !== undefined)
    mistakes.push(
      'DATABASE_URL must not have sslmode=disable with an authority, which would then verify nothing',
    );
  if (authority === SYSTEM_AUTHORITIES && mode !== undefined && mode !== 'verify-full')
    mistakes.push(
      'DATABASE_URL must have sslmode=verify-full with sslrootcert=system, because any server may have such a certificate',
    );
  return mistakes;
}

/** Each session could lead to another standby, and the freshness of one says nothing about the next. */
function oneReplica({ databaseReplicaUrl }: ReadValues): string[] {
  const isOne = databaseReplicaUrl === undefined || postgresHosts(databaseReplicaUrl).hosts.length === 1;
  return isOne ? [] : ['DATABASE_REPLICA_URL must name one server'];
}

/** A repeated key was probably meant to be replaced. */
function repeatedKey({ secretKey, secretKeyPrevious = [] }: ReadValues): string[] {
  const isRepeated = secretKeyPrevious.some(
    (previous) => secretKey !== undefined && Buffer.from(previous).equals(secretKey),
  );
  return isRepeated ? ['SECRET_KEY_PREVIOUS must not repeat SECRET_KEY'] : [];
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The longest pause with jitter, as a multiple of its entry in the retry schedule (contract/delivery#retries). */
const LONGEST_PAUSE_RATIO = 1.2;

/** An event is kept for a day after the last attempt of its deliveries, so that they can be replayed. */
function shortRetention({
  webhookRetrySchedule,
  retentionEventsDays,
  retentionAttemptsDays,
}: ReadValues): string[] {
  if (
    webhookRetrySchedule === undefined ||
    retentionEventsDays === undefined ||
    retentionAttemptsDays === undefined
  )
    return [];
  const mistakes: string[] = [];
  const triesMs = webhookRetrySchedule.reduce((sum, pauseMs) => sum + pauseMs * LONGEST_PAUSE_RATIO, 0);
  const leastDays = Math.ceil(triesMs / DAY_MS) + 1;
  if (retentionEventsDays < leastDays)
    mistakes.push(`RETENTION_EVENTS_DAYS must be at least ${leastDays} with this WEBHOOK_RETRY_SCHEDULE`);
  if (retentionAttemptsDays < retentionEventsDays)
    mistakes.push('RETENTION_ATTEMPTS_DAYS must not be less than RETENTION_EVENTS_DAYS');
  return mistakes;
}

/**
 * One proof of identity only; and TLS files only with TLS required, because otherwise they would silently
 * protect nothing.
 */
function busAccess(values: ReadValues): string[] {
  const { natsUrls, natsCredentialsFile, natsNkeySeedFile, natsCaFile, natsCertFile, natsKeyFile } = values;
  if (natsUrls === undefined) return [];
  const mistakes: string[] = [];
  const addresses = natsUrls.map((address) => new URL(address));
  const hosts = addresses.map(({ hostname, port }) => `${hostname}:${port || '4222'}`);
  if (new Set(hosts).size < hosts.length) mistakes.push('NATS_URL must name each address once');
  if (new Set(addresses.map(({ protocol }) => protocol)).size > 1)
    mistakes.push('NATS_URL must begin every address with the same scheme, nats:// or tls://');
  if (new Set(addresses.map(({ username, password }) => `${username}:${password}`)).size > 1)
    mistakes.push('NATS_URL must name the same user and password in every address, or none in any');
  const [username] = addresses.flatMap((address) => address.username || []);
  const proofs = [username, natsCredentialsFile, natsNkeySeedFile];
  if (proofs.filter((proof) => proof !== undefined).length > 1)
    mistakes.push('NATS_CREDENTIALS_FILE, NATS_NKEY_SEED_FILE and a user in NATS_URL exclude each other');
  if ((natsCertFile === undefined) !== (natsKeyFile === undefined))
    mistakes.push('NATS_CERT_FILE and NATS_KEY_FILE must be set together');
  if ((natsCaFile ?? natsCertFile) !== undefined && addresses.some(({ protocol }) => protocol !== 'tls:'))
    mistakes.push('NATS_URL must begin with tls:// when NATS_CA_FILE or NATS_CERT_FILE is set');
  return mistakes;
}

function redisAccess({ redisUrl, redisCaFile }: ReadValues): string[] {
  const isUnused = redisCaFile !== undefined && redisUrl?.startsWith('rediss:') !== true;
  return isUnused ? ['REDIS_URL must begin with rediss:// when REDIS_CA_FILE is set'] : [];
}

function slotBounds({
  solanaSlotMsMin = 0,
  solanaSlotMsMax = Number.POSITIVE_INFINITY,
}: ReadValues): string[] {
  return solanaSlotMsMin < solanaSlotMsMax ? [] : ['SOLANA_SLOT_MS_MIN must be less than SOLANA_SLOT_MS_MAX'];
}

function isRepeated(addresses: readonly WrittenAddress[]): boolean {
  return new Set(addresses.map(({ url }) => nodeOf(url))).size < addresses.length;
}

/** What takes two nodes could be decided by one that is named twice (decisions/0024). */
function repeatedNode({ solanaNodes = [] }: ReadValues): string[] {
  return isRepeated(solanaNodes)
    ? ['SOLANA_RPC_URL must name each node once: a repeated one would count as a second witness']
    : [];
}

/**
 * A repeated address would get everything twice; headers for an unlisted address would silently protect
 * nothing.
 */
function sendAddresses({ solanaNodes = [], solanaSendAddresses, solanaSendHeaders }: ReadValues): string[] {
  if (solanaSendAddresses === undefined || solanaSendHeaders === undefined) return [];
  const mistakes: string[] = [];
  const all = [...solanaNodes, ...solanaSendAddresses];
  if (isRepeated(all) && !isRepeated(solanaNodes))
    mistakes.push('SOLANA_SEND_URL must name each address once, and none of SOLANA_RPC_URL');
  const names = all.flatMap(({ name }) => (name === null ? [] : [name]));
  if (new Set(names).size < names.length)
    mistakes.push('SOLANA_SEND_URL must give no address a name of SOLANA_RPC_URL');
  const hosts = solanaSendAddresses.map(({ url }) => new URL(url).host);
  if (!Object.keys(solanaSendHeaders).every((host) => hosts.includes(host)))
    mistakes.push('SOLANA_SEND_HEADERS must name hosts of SOLANA_SEND_URL only, with their ports');
  return mistakes;
}

function geyserAccess({ geyserUrl, geyserToken }: ReadValues): string[] {
  return geyserToken !== undefined && geyserUrl === undefined ? ['GEYSER_TOKEN needs GEYSER_URL'] : [];
}

/** A tenth of a SOL. */
export const DEFAULT_MAX_TIP_LAMPORTS = 100_000_000;

/** Without an account every tip is refused, so its bounds do not matter. */
function tips(values: ReadValues): string[] {
  const { tipLamports = 0, minTipLamports = 0, tipAccounts, solanaSendAddresses } = values;
  const { maxTipLamports = Math.max(tipLamports, DEFAULT_MAX_TIP_LAMPORTS) } = values;
  if (tipAccounts === undefined) return [];
  if (tipAccounts.length === 0) return tipLamports > 0 ? ['TIP_LAMPORTS needs TIP_ACCOUNTS'] : [];
  const mistakes: string[] = [];
  if (tipLamports < minTipLamports || tipLamports > maxTipLamports)
    mistakes.push('TIP_LAMPORTS must be from MIN_TIP_LAMPORTS to MAX_TIP_LAMPORTS');
  const services = tipAccounts.flatMap(({ service }) => (service === null ? [] : [service]));
  if (!services.every((service) => solanaSendAddresses?.some(({ name }) => name === service)))
    mistakes.push('TIP_ACCOUNTS must name services as SOLANA_SEND_URL does');
  return mistakes;
}

const LAST_PORT = 65_535;

/** Each api process takes one port from METRICS_PORT on. */
function metricsPorts({ metricsPort, apiWorkers = 1 }: ReadValues): string[] {
  const isTooHigh = metricsPort !== undefined && metricsPort + apiWorkers - 1 > LAST_PORT;
  return isTooHigh ? ['METRICS_PORT leaves too few ports for API_WORKERS'] : [];
}

/** Clients of a live deployment rely on the contract, which ignores these parameters. */
function strictQueries({ apiEnvironment, strictQuery = false }: ReadValues): string[] {
  return strictQuery && apiEnvironment === 'live'
    ? ['STRICT_QUERY must not be true with API_ENVIRONMENT=live, whose clients rely on the contract']
    : [];
}

/** A URL on a mint has at most 200 bytes: that of its metadata document begins with this origin. */
const METADATA_ORIGIN_BYTES_MAX = 140;

function metadataOrigin({
  publicUrl = '',
  launchCurveConfig,
  launchCurveConfigs = [],
}: ReadValues): string[] {
  const [name] = [
    ...(launchCurveConfig === undefined ? [] : ['LAUNCH_CURVE_CONFIG']),
    ...(launchCurveConfigs.length === 0 ? [] : ['LAUNCH_CURVE_CONFIGS']),
  ];
  return name !== undefined && Buffer.byteLength(publicUrl) > METADATA_ORIGIN_BYTES_MAX
    ? [`PUBLIC_URL must have at most ${METADATA_ORIGIN_BYTES_MAX} bytes with ${name}`]
    : [];
}

/** Which of the two should be the default would be a guess. */
function launchConfigs({ launchCurveConfig, launchCurveConfigs = [] }: ReadValues): string[] {
  return launchCurveConfig !== undefined && launchCurveConfigs.length > 0
    ? ['LAUNCH_CURVE_CONFIG and LAUNCH_CURVE_CONFIGS have the same meaning: set one of them']
    : [];
}

/** One store, and no setting of a bucket without the bucket. */
function images(values: ReadValues): string[] {
  const { imageFolder, imageBucket, imageEndpoint, imageKeyId, imageSecretKey } = values;
  const mistakes: string[] = [];
  if (imageFolder !== undefined && imageBucket !== undefined)
    mistakes.push('IMAGE_FOLDER and IMAGE_BUCKET exclude each other');
  if (imageBucket === undefined && (imageEndpoint ?? imageKeyId ?? imageSecretKey) !== undefined)
    mistakes.push('IMAGE_BUCKET_ENDPOINT and the keys of the bucket need IMAGE_BUCKET');
  if ((imageKeyId === undefined) !== (imageSecretKey === undefined))
    mistakes.push('IMAGE_BUCKET_KEY_ID and IMAGE_BUCKET_SECRET_KEY must be set together');
  return mistakes;
}

/** Otherwise no webhook could be sent anywhere. */
function webhookRanges({ webhookAllowedCidrs = [], webhookOnlyAllowedCidrs = false }: ReadValues): string[] {
  return webhookOnlyAllowedCidrs && webhookAllowedCidrs.length === 0
    ? ['WEBHOOK_ONLY_ALLOWED_CIDRS needs WEBHOOK_ALLOWED_CIDRS']
    : [];
}
