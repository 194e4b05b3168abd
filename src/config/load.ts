import { ConfigurationError, parseVariables, type Variables } from '../shared/configuration.ts';
import { SINGLE_LAUNCH_CONFIG_NAME } from '../shared/launch-config-name.ts';
import { type NodeAddress, nameAddresses } from '../shared/node-address.ts';
import { secretParts } from '../shared/redact.ts';
import { deriveKeys, ORDER_KEY_PURPOSE, RESULT_KEY_PURPOSE } from '../shared/secret-box.ts';
import { addressSecrets, nodeAddresses } from './addresses.ts';
import { unknownNames } from './names.ts';
import { type Program, type Readers, readers } from './readers.ts';
import { contradictions } from './rules.ts';
import { base64Key, natsUrls, optional } from './values.ts';
import { variables } from './variables.ts';

type Values = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['parse']> };

/** The whole configuration: frozen, complete, validated. Times are in milliseconds. */
export type Config = Readonly<
  Omit<
    Values,
    | 'publicUrl'
    | 'docsUrl'
    | 'resultLinkKeys'
    | 'orderKeys'
    | 'solanaNodes'
    | 'solanaSendAddresses'
    | 'launchCurveConfig'
  > & {
    publicUrl: string;
    docsUrl: string;
    solanaNodes: readonly NodeAddress[];
    solanaSendAddresses: readonly NodeAddress[];
    /** The first key signs, all of them verify. */
    resultLinkKeys: ResultLinkKeys;
    /** The first key seals, all of them open. Empty only where neither `ORDER_KEYS` nor `SECRET_KEY` is given. */
    orderKeys: readonly Uint8Array[];
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
 * Reads every variable of the environment. Throws ConfigurationError with all mistakes by variable name,
 * without values of secrets.
 */
export function loadConfig(environment: Environment = process.env): Config {
  return Object.freeze(complete(parseVariables(variables, environment) as Values)) as Config;
}

/** Reads only the variables of one program. Throws as `loadConfig` does. */
export function loadConfigOf<Name extends Exclude<Program, 'admin'>>(
  program: Name,
  environment: Environment = process.env,
): ConfigOf<Name> {
  const isRead = ([key]: [string, unknown]) => programsThatRead(key).includes(program);
  const read: Variables = Object.fromEntries(Object.entries(variables).filter(isRead));
  const deriving = program === 'worker' ? derivingVariables(environment) : {};
  const values = complete(
    parseVariables({ ...read, ...deriving }, environment, unknownVariables(environment)),
  );
  return Object.freeze(Object.fromEntries(Object.entries(values).filter(isRead))) as ConfigOf<Name>;
}

/** Lists names in the environment that look like variables of this list but are not, one sentence each. */
export function unknownVariables(environment: Environment = process.env): string[] {
  return unknownNames(
    Object.values(variables).map(({ name }) => name),
    environment,
  );
}

function programsThatRead(key: string): readonly Program[] {
  return (readers as Readonly<Record<string, readonly Program[]>>)[key] ?? [];
}

/** With keys of its own for both purposes the worker does not read the key that opens all other secrets. */
function derivingVariables({ RESULT_LINK_KEYS, ORDER_KEYS }: Environment): Variables {
  if (!RESULT_LINK_KEYS) return linkKeyVariables;
  return ORDER_KEYS ? {} : orderKeyVariables;
}

/** The worker reads these when it has no order keys. Without them it sends no orders. */
const orderKeyVariables = {
  secretKey: { ...optional(base64Key('SECRET_KEY', 32), 'opens signed orders'), secret: true },
  secretKeyPrevious: variables.secretKeyPrevious,
} satisfies Variables;

/** The worker reads these when it has no link keys. */
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

/** Checks rules over several variables and adds values that derive from others, as far as they were read. */
function complete(values: Partial<Values>): Partial<Config> {
  const mistakes = contradictions(values);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const {
    publicUrl,
    docsUrl,
    resultLinkKeys,
    orderKeys,
    solanaNodes,
    solanaSendAddresses,
    launchCurveConfig,
    ...others
  } = values;
  return {
    ...others,
    ...publicAddresses(values),
    ...chainAddresses(values),
    ...linkKeys(values),
    ...sealingKeys(values),
    ...namedLaunchConfigs(values),
  };
}

/** Names are unique over both lists, as far as they were read; nodes come first. */
function chainAddresses({
  solanaNodes,
  solanaSendAddresses,
}: Partial<Pick<Values, 'solanaNodes' | 'solanaSendAddresses'>>) {
  const named = nameAddresses([...(solanaNodes ?? []), ...(solanaSendAddresses ?? [])]);
  const nodeCount = solanaNodes?.length ?? 0;
  return {
    ...(solanaNodes !== undefined && { solanaNodes: named.slice(0, nodeCount) }),
    ...(solanaSendAddresses !== undefined && { solanaSendAddresses: named.slice(nodeCount) }),
  };
}

/** The one config of the older variable counts as a list. */
function namedLaunchConfigs({
  launchCurveConfig,
  launchCurveConfigs,
}: Partial<Pick<Values, 'launchCurveConfig' | 'launchCurveConfigs'>>) {
  if (launchCurveConfig === undefined) return launchCurveConfigs === undefined ? {} : { launchCurveConfigs };
  return { launchCurveConfigs: [{ name: SINGLE_LAUNCH_CONFIG_NAME, address: launchCurveConfig }] };
}

/** Own keys first, then the derived ones, so that links from before the own keys stay valid. */
function linkKeys({
  resultLinkKeys,
  secretKey,
  secretKeyPrevious = [],
}: Pick<Partial<Values>, 'resultLinkKeys' | 'secretKeyPrevious'> & { secretKey?: Uint8Array | undefined }) {
  const derived =
    secretKey === undefined ? [] : deriveKeys({ secretKey, secretKeyPrevious }, RESULT_KEY_PURPOSE);
  const [first, ...others] = [...(resultLinkKeys ?? []), ...derived];
  return first === undefined ? {} : { resultLinkKeys: [first, ...others] as const };
}

/** Own keys first, then the derived ones, so that orders from before the own keys are still opened. */
function sealingKeys({
  orderKeys = [],
  secretKey,
  secretKeyPrevious = [],
}: Pick<Partial<Values>, 'orderKeys' | 'secretKeyPrevious'> & { secretKey?: Uint8Array | undefined }) {
  const derived =
    secretKey === undefined ? [] : deriveKeys({ secretKey, secretKeyPrevious }, ORDER_KEY_PURPOSE);
  return { orderKeys: [...orderKeys, ...derived] };
}

/**
 * The variables of the admin CLI: it needs only a database, and asks the chain only for commands that need
 * it.
 */
const adminVariables = {
  port: variables.port,
  publicUrl: variables.publicUrl,
  docsUrl: variables.docsUrl,
  apiEnvironment: variables.apiEnvironment,
  databaseUrl: variables.databaseUrl,
  databaseCa: variables.databaseCa,
  natsUrls: {
    ...optional(natsUrls('NATS_URL'), 'only for `ingest replay` and `doctor`'),
    secret: true,
  },
  natsStreamReplicas: variables.natsStreamReplicas,
  natsCredentialsFile: variables.natsCredentialsFile,
  natsNkeySeedFile: variables.natsNkeySeedFile,
  natsCaFile: variables.natsCaFile,
  natsCertFile: variables.natsCertFile,
  natsKeyFile: variables.natsKeyFile,
  solanaNodes: {
    ...optional(nodeAddresses('SOLANA_RPC_URL', 'own'), 'JSON-RPC addresses, comma-separated'),
    secret: true,
    secretParts: addressSecrets,
  },
  databaseReplicaUrl: variables.databaseReplicaUrl,
  databasePoolerUrl: variables.databasePoolerUrl,
  solanaSendAddresses: variables.solanaSendAddresses,
  solanaSendHeaders: variables.solanaSendHeaders,
  solanaSlotMsMin: variables.solanaSlotMsMin,
  solanaSlotMsMax: variables.solanaSlotMsMax,
  maxComputeUnitPrice: variables.maxComputeUnitPrice,
  launchCurveConfig: variables.launchCurveConfig,
  launchCurveConfigs: variables.launchCurveConfigs,
  nonceGates: variables.nonceGates,
  redisUrl: variables.redisUrl,
  redisCaFile: variables.redisCaFile,
  secretKey: {
    ...optional(base64Key('SECRET_KEY', 32), 'only for `secret` and `doctor`'),
    secret: true,
  },
  secretKeyPrevious: variables.secretKeyPrevious,
  resultLinkKeys: variables.resultLinkKeys,
  orderKeys: variables.orderKeys,
  imageFolder: variables.imageFolder,
  imageBucket: variables.imageBucket,
  imageEndpoint: variables.imageEndpoint,
  imageRegion: variables.imageRegion,
  imageKeyId: variables.imageKeyId,
  imageSecretKey: variables.imageSecretKey,
  webhookAllowedCidrs: variables.webhookAllowedCidrs,
  webhookOnlyAllowedCidrs: variables.webhookOnlyAllowedCidrs,
  webhookAllowHttp: variables.webhookAllowHttp,
} satisfies Variables;

type AdminOptional = 'natsUrls' | 'solanaNodes' | 'secretKey' | 'resultLinkKeys';
export type AdminConfig = Readonly<
  Omit<ConfigOf<'admin'>, AdminOptional | 'port'> & { [Key in AdminOptional]: Config[Key] | undefined }
>;

/**
 * The configuration of the admin CLI: the environment or, without `DATABASE_URL`, the result of `sandbox`:
 * the variables of a running sandbox, or nothing. `sandbox` gets `SANDBOX_DIR`, the folder of a sandbox other
 * than the default.
 */
export function loadAdminConfig(
  sandbox: (folder: string | undefined) => Readonly<Record<string, string>>,
  environment: Environment = process.env,
): AdminConfig {
  const source = environment.DATABASE_URL
    ? environment
    : { ...environment, ...sandbox(environment.SANDBOX_DIR || undefined) };
  const values = parseVariables(adminVariables, source) as {
    [Name in keyof typeof adminVariables]: ReturnType<(typeof adminVariables)[Name]['parse']>;
  };
  const mistakes = contradictions(values);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const { solanaNodes, solanaSendAddresses, launchCurveConfig, resultLinkKeys, orderKeys, ...others } =
    values;
  const addresses = nameAddresses([...(solanaNodes ?? []), ...solanaSendAddresses]);
  const nodeCount = solanaNodes?.length ?? 0;
  return Object.freeze({
    ...others,
    ...publicAddresses(values),
    ...namedLaunchConfigs(values),
    ...sealingKeys(values),
    resultLinkKeys: undefined,
    ...linkKeys(values),
    solanaNodes: solanaNodes && addresses.slice(0, nodeCount),
    solanaSendAddresses: addresses.slice(nodeCount),
  });
}

function publicAddresses({
  publicUrl,
  docsUrl,
  port,
}: Partial<Pick<Values, 'publicUrl' | 'docsUrl' | 'port'>>) {
  const origin = publicUrl ?? `http://localhost:${port}`;
  return { publicUrl: origin, docsUrl: docsUrl ?? `${origin}/docs` };
}

/** Lists every part of the environment that no log line and no message may show. */
export function secretsOf(environment: Environment = process.env): string[] {
  return Object.values<Variables[string]>(variables)
    .filter(({ secret }) => secret === true)
    .flatMap(({ name, secretParts: partsOf = secretParts }) => partsOf(environment[name] ?? ''));
}

/**
 * Removes the secrets from the environment once the configuration was read: no child process needs them, and no
 * code asks for them again.
 */
export function forgetSecrets(environment: Record<string, string | undefined> = process.env): void {
  for (const { name, secret } of Object.values<Variables[string]>(variables))
    if (secret === true) delete environment[name];
}
