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
  ].flatMap((rule) => [...rule(values)]);
}

function* databaseTls({ databaseUrl, databaseCa }: ReadValues) {
  if (databaseUrl === undefined) return;
  const { mode, authority } = urlTls(databaseUrl);
  if (databaseCa !== undefined && authority !== undefined)
    yield 'DATABASE_CA and sslrootcert in DATABASE_URL have the same meaning: set one of them';
  if (mode === 'disable' && (databaseCa ?? authority) !== undefined)
    yield 'DATABASE_URL must not have sslmode=disable with an authority, which would then verify nothing';
  if (authority === SYSTEM_AUTHORITIES && mode !== undefined && mode !== 'verify-full')
    yield 'DATABASE_URL must have sslmode=verify-full with sslrootcert=system, because any server may have such a certificate';
}

/** Each session could lead to another standby, and the freshness of one says nothing about the next. */
function* oneReplica({ databaseReplicaUrl }: ReadValues) {
  if (databaseReplicaUrl !== undefined && postgresHosts(databaseReplicaUrl).hosts.length > 1)
    yield 'DATABASE_REPLICA_URL must name one server';
}

/** A repeated key was probably meant to be replaced. */
function* repeatedKey({ secretKey, secretKeyPrevious = [] }: ReadValues) {
  if (secretKey !== undefined && secretKeyPrevious.some((key) => Buffer.from(key).equals(secretKey)))
    yield 'SECRET_KEY_PREVIOUS must not repeat SECRET_KEY';
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The longest pause with jitter, as a multiple of its entry in the retry schedule (contract/delivery#retries). */
const LONGEST_PAUSE_RATIO = 1.2;

/** An event is kept for a day after the last attempt of its deliveries, so that they can be replayed. */
function* shortRetention(values: ReadValues) {
  const { webhookRetrySchedule, retentionEventsDays, retentionAttemptsDays } = values;
  if (webhookRetrySchedule === undefined || retentionEventsDays === undefined) return;
  const triesMs = webhookRetrySchedule.reduce((sum, pauseMs) => sum + pauseMs * LONGEST_PAUSE_RATIO, 0);
  const leastDays = Math.ceil(triesMs / DAY_MS) + 1;
  if (retentionEventsDays < leastDays)
    yield `RETENTION_EVENTS_DAYS must be at least ${leastDays} with this WEBHOOK_RETRY_SCHEDULE`;
  if (retentionAttemptsDays !== undefined && retentionAttemptsDays < retentionEventsDays)
    yield 'RETENTION_ATTEMPTS_DAYS must not be less than RETENTION_EVENTS_DAYS';
}

/**
 * One proof of identity only; and TLS files only with TLS required, because otherwise they would silently
 * protect nothing.
 */
function* busAccess(values: ReadValues) {
  const { natsUrls, natsCredentialsFile, natsNkeySeedFile, natsCaFile, natsCertFile, natsKeyFile } = values;
  if (natsUrls === undefined) return;
  const addresses = natsUrls.map((address) => new URL(address));
  const hosts = addresses.map(({ hostname, port }) => `${hostname}:${port || '4222'}`);
  if (new Set(hosts).size < hosts.length) yield 'NATS_URL must name each address once';
  if (new Set(addresses.map(({ protocol }) => protocol)).size > 1)
    yield 'NATS_URL must begin every address with the same scheme, nats:// or tls://';
  if (new Set(addresses.map(({ username, password }) => `${username}:${password}`)).size > 1)
    yield 'NATS_URL must name the same user and password in every address, or none in any';
  const [username] = addresses.flatMap((address) => address.username || []);
  const proofs = [username, natsCredentialsFile, natsNkeySeedFile];
  if (proofs.filter((proof) => proof !== undefined).length > 1)
    yield 'NATS_CREDENTIALS_FILE, NATS_NKEY_SEED_FILE and a user in NATS_URL exclude each other';
  if ((natsCertFile === undefined) !== (natsKeyFile === undefined))
    yield 'NATS_CERT_FILE and NATS_KEY_FILE must be set together';
  if ((natsCaFile ?? natsCertFile) !== undefined && addresses.some(({ protocol }) => protocol !== 'tls:'))
    yield 'NATS_URL must begin with tls:// when NATS_CA_FILE or NATS_CERT_FILE is set';
}

function* redisAccess({ redisUrl, redisCaFile }: ReadValues) {
  if (redisCaFile !== undefined && redisUrl?.startsWith('rediss:') !== true)
    yield 'REDIS_URL must begin with rediss:// when REDIS_CA_FILE is set';
}

function* slotBounds({ solanaSlotMsMin = 0, solanaSlotMsMax = Number.POSITIVE_INFINITY }: ReadValues) {
  if (solanaSlotMsMin >= solanaSlotMsMax) yield 'SOLANA_SLOT_MS_MIN must be less than SOLANA_SLOT_MS_MAX';
}

function isRepeated(addresses: readonly WrittenAddress[]): boolean {
  return new Set(addresses.map(({ url }) => nodeOf(url))).size < addresses.length;
}

/** What takes two nodes could be decided by one that is named twice (decisions/0024). */
function* repeatedNode({ solanaNodes = [] }: ReadValues) {
  if (isRepeated(solanaNodes))
    yield 'SOLANA_RPC_URL must name each node once: a repeated one would count as a second witness';
}

/**
 * A repeated address would get everything twice; headers for an unlisted address would silently protect
 * nothing.
 */
function* sendAddresses({ solanaNodes = [], solanaSendAddresses, solanaSendHeaders }: ReadValues) {
  if (solanaSendAddresses === undefined || solanaSendHeaders === undefined) return;
  const all = [...solanaNodes, ...solanaSendAddresses];
  if (isRepeated(all) && !isRepeated(solanaNodes))
    yield 'SOLANA_SEND_URL must name each address once, and none of SOLANA_RPC_URL';
  const names = all.flatMap(({ name }) => (name === null ? [] : [name]));
  if (new Set(names).size < names.length)
    yield 'SOLANA_SEND_URL must give no address a name of SOLANA_RPC_URL';
  const hosts = solanaSendAddresses.map(({ url }) => new URL(url).host);
  if (!Object.keys(solanaSendHeaders).every((host) => hosts.includes(host)))
    yield 'SOLANA_SEND_HEADERS must name hosts of SOLANA_SEND_URL only, with their ports';
}

function* geyserAccess({ geyserUrl, geyserToken }: ReadValues) {
  if (geyserToken !== undefined && geyserUrl === undefined) yield 'GEYSER_TOKEN needs GEYSER_URL';
}

/** A tenth of a SOL. */
export const DEFAULT_MAX_TIP_LAMPORTS = 100_000_000;

/** Without an account every tip is refused, so its bounds do not matter. */
function* tips(values: ReadValues) {
  const { tipLamports = 0, minTipLamports = 0, tipAccounts, solanaSendAddresses } = values;
  const { maxTipLamports = Math.max(tipLamports, DEFAULT_MAX_TIP_LAMPORTS) } = values;
  if (tipAccounts === undefined) return;
  if (tipAccounts.length === 0) {
    if (tipLamports > 0) yield 'TIP_LAMPORTS needs TIP_ACCOUNTS';
    return;
  }
  if (tipLamports < minTipLamports || tipLamports > maxTipLamports)
    yield 'TIP_LAMPORTS must be from MIN_TIP_LAMPORTS to MAX_TIP_LAMPORTS';
  const services = tipAccounts.flatMap(({ service }) => (service === null ? [] : [service]));
  if (!services.every((service) => solanaSendAddresses?.some(({ name }) => name === service)))
    yield 'TIP_ACCOUNTS must name services as SOLANA_SEND_URL does';
}

const LAST_PORT = 65_535;

/** Each api process takes one port from METRICS_PORT on. */
function* metricsPorts({ metricsPort, apiWorkers = 1 }: ReadValues) {
  if (metricsPort !== undefined && metricsPort + apiWorkers - 1 > LAST_PORT)
    yield 'METRICS_PORT leaves too few ports for API_WORKERS';
}

/** Clients of a live deployment rely on the contract, which ignores these parameters. */
function* strictQueries({ apiEnvironment, strictQuery = false }: ReadValues) {
  if (strictQuery && apiEnvironment === 'live')
    yield 'STRICT_QUERY must not be true with API_ENVIRONMENT=live, whose clients rely on the contract';
}

/** A URL on a mint has at most 200 bytes: that of its metadata document begins with this origin. */
const METADATA_ORIGIN_BYTES_MAX = 140;

function* metadataOrigin({ publicUrl = '', launchCurveConfig, launchCurveConfigs = [] }: ReadValues) {
  if (launchCurveConfig === undefined && launchCurveConfigs.length === 0) return;
  const name = launchCurveConfig === undefined ? 'LAUNCH_CURVE_CONFIGS' : 'LAUNCH_CURVE_CONFIG';
  if (Buffer.byteLength(publicUrl) > METADATA_ORIGIN_BYTES_MAX)
    yield `PUBLIC_URL must have at most ${METADATA_ORIGIN_BYTES_MAX} bytes with ${name}`;
}

/** Which of the two should be the default would be a guess. */
function* launchConfigs({ launchCurveConfig, launchCurveConfigs = [] }: ReadValues) {
  if (launchCurveConfig !== undefined && launchCurveConfigs.length > 0)
    yield 'LAUNCH_CURVE_CONFIG and LAUNCH_CURVE_CONFIGS have the same meaning: set one of them';
}

/** One store, and no setting of a bucket without the bucket. */
function* images(values: ReadValues) {
  const { imageFolder, imageBucket, imageEndpoint, imageKeyId, imageSecretKey } = values;
  if (imageFolder !== undefined && imageBucket !== undefined)
    yield 'IMAGE_FOLDER and IMAGE_BUCKET exclude each other';
  if (imageBucket === undefined && (imageEndpoint ?? imageKeyId ?? imageSecretKey) !== undefined)
    yield 'IMAGE_BUCKET_ENDPOINT and the keys of the bucket need IMAGE_BUCKET';
  if ((imageKeyId === undefined) !== (imageSecretKey === undefined))
    yield 'IMAGE_BUCKET_KEY_ID and IMAGE_BUCKET_SECRET_KEY must be set together';
}

/** Otherwise no webhook could be sent anywhere. */
function* webhookRanges({ webhookAllowedCidrs = [], webhookOnlyAllowedCidrs = false }: ReadValues) {
  if (webhookOnlyAllowedCidrs && webhookAllowedCidrs.length === 0)
    yield 'WEBHOOK_ONLY_ALLOWED_CIDRS needs WEBHOOK_ALLOWED_CIDRS';
}
