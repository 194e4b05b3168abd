import { ConfigurationError } from '../shared/configuration-error.ts';
import { SINGLE_LAUNCH_CONFIG_NAME } from '../shared/launch-config-name.ts';
import { type NodeAddress, nameAddresses } from '../shared/node-address.ts';
import { deriveKeys, ORDER_KEY_PURPOSE, RESULT_KEY_PURPOSE } from '../shared/secret-box.ts';
import { unknownNames } from './names.ts';
import { contradictions } from './rules.ts';
import { type Program, parseVariables, type Variable, type Variables } from './variable.ts';
import {
  type NamesReadBy,
  optional,
  type ReadValues,
  type Values,
  variables,
  variablesOf,
} from './variables.ts';

/** Values that derive from several variables, or from others where they are unset. */
interface DerivedValues {
  publicUrl: string;
  docsUrl: string;
  solanaNodes: readonly NodeAddress[];
  solanaSendAddresses: readonly NodeAddress[];
  /** The first key signs, all of them verify. */
  resultLinkKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** The first key seals, all of them open. Empty only where neither `ORDER_KEYS` nor `SECRET_KEY` is given. */
  orderKeys: readonly Uint8Array[];
}

/** The whole configuration: frozen, complete, validated. Times are in milliseconds. */
export type Config = Readonly<Omit<Values, keyof DerivedValues | 'launchCurveConfig'> & DerivedValues>;

/** The part of the configuration that a program reads. */
export type ConfigOf<Name extends Program> = Pick<Config, NamesReadBy<Name> & keyof Config>;

type AdminOptional = 'natsUrls' | 'solanaNodes' | 'secretKey' | 'resultLinkKeys';
export type AdminConfig = Readonly<
  Omit<ConfigOf<'admin'>, AdminOptional | 'port'> & { [Key in AdminOptional]: Config[Key] | undefined }
>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every variable of the environment. Throws ConfigurationError with all mistakes by variable name,
 * without values of secrets.
 */
export function loadConfig(environment: Environment = process.env): Config {
  return Object.freeze(complete(parseVariables(variables, environment))) as Config;
}

/** Reads only the variables of one program. Throws as `loadConfig` does. */
export function loadConfigOf<Name extends Exclude<Program, 'admin'>>(
  program: Name,
  environment: Environment = process.env,
): ConfigOf<Name> {
  const read = variablesOf(program);
  const deriving = program === 'worker' ? derivingVariables(environment) : {};
  const values = complete(
    parseVariables({ ...read, ...deriving }, environment, unknownVariables(environment)),
  );
  return Object.freeze(
    Object.fromEntries(Object.entries(values).filter(([key]) => key in read)),
  ) as ConfigOf<Name>;
}

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
  const { port, ...config } = complete(parseVariables(variablesOf('admin'), source)) as ConfigOf<'admin'>;
  return Object.freeze(config);
}

/** Lists names in the environment that look like variables of this list but are not, one sentence each. */
export function unknownVariables(environment: Environment = process.env): string[] {
  return unknownNames(
    Object.values(variables).map(({ name }) => name),
    environment,
  );
}

/**
 * The worker derives keys that it was not given from the key that opens all other secrets, and reads that key for
 * nothing else. It needs keys of links; without order keys it sends no orders.
 */
function derivingVariables({ RESULT_LINK_KEYS, ORDER_KEYS }: Environment): Variables {
  if (RESULT_LINK_KEYS && ORDER_KEYS) return {};
  const { secretKey, secretKeyPrevious } = variables;
  return {
    secretKeyPrevious,
    secretKey: RESULT_LINK_KEYS
      ? optional(secretKey)
      : { ...secretKey, missing: 'is required without RESULT_LINK_KEYS' },
  };
}

/** Checks rules over several variables and adds values that derive from others, as far as they were read. */
function complete(values: ReadValues) {
  const mistakes = contradictions(values);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const { launchCurveConfig, resultLinkKeys, ...others } = values;
  return {
    ...others,
    ...publicAddresses(values),
    ...chainAddresses(values),
    ...derivedKeys(values),
    ...launchConfigs(values),
  };
}

function publicAddresses({ publicUrl, docsUrl, port }: ReadValues) {
  const origin = publicUrl ?? `http://localhost:${port}`;
  return { publicUrl: origin, docsUrl: docsUrl ?? `${origin}/docs` };
}

/** Names are unique over both lists, as far as they were read; nodes come first. */
function chainAddresses({ solanaNodes, solanaSendAddresses }: ReadValues) {
  const named = nameAddresses([...(solanaNodes ?? []), ...(solanaSendAddresses ?? [])]);
  const nodeCount = solanaNodes?.length ?? 0;
  return {
    ...(solanaNodes !== undefined && { solanaNodes: named.slice(0, nodeCount) }),
    ...(solanaSendAddresses !== undefined && { solanaSendAddresses: named.slice(nodeCount) }),
  };
}

/** The one config of the older variable counts as a list. */
function launchConfigs({ launchCurveConfig, launchCurveConfigs }: ReadValues) {
  if (launchCurveConfig === undefined) return { launchCurveConfigs };
  return { launchCurveConfigs: [{ name: SINGLE_LAUNCH_CONFIG_NAME, address: launchCurveConfig }] };
}

/** Own keys come before derived ones, so that links and orders from before the own keys stay valid. */
function derivedKeys({ resultLinkKeys = [], orderKeys = [], secretKey, secretKeyPrevious = [] }: ReadValues) {
  const derive = (purpose: string) =>
    secretKey === undefined ? [] : deriveKeys({ secretKey, secretKeyPrevious }, purpose);
  const [first, ...others] = [...resultLinkKeys, ...derive(RESULT_KEY_PURPOSE)];
  return {
    ...(first !== undefined && { resultLinkKeys: [first, ...others] as const }),
    orderKeys: [...orderKeys, ...derive(ORDER_KEY_PURPOSE)],
  };
}

/** Lists every part of the environment that no log line and no message may show. */
export function secretsOf(environment: Environment = process.env): string[] {
  return Object.values<Variable>(variables).flatMap(
    ({ name, secret }) => secret?.(environment[name] ?? '') ?? [],
  );
}

/**
 * Removes the secrets from the environment once the configuration was read: no child process needs them, and no
 * code asks for them again.
 */
export function forgetSecrets(environment: Record<string, string | undefined> = process.env): void {
  for (const { name, secret } of Object.values<Variable>(variables))
    if (secret !== undefined) delete environment[name];
}
