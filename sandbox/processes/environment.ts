import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../src/config/load.ts';
import { variables } from '../../src/config/variables.ts';
import { readFileIfExists, writePrivateFile } from '../shared/private-file.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';

export type Environment = Readonly<Record<string, string>>;

/** Values that the launcher chooses for the processes. */
export interface SandboxSettings {
  readonly port: number;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly rpcUrl: string;
  readonly secretKey: string;
}

const LOOPBACK = '127.0.0.0/8,::1/128';

/** The variables of the processes (contract/processes#configuration): the user's, completed with those of the sandbox.
 * Only here endpoints on loopback over plain http are allowed, and by default no others (contract/url-policy#openings).
 * Throws ConfigurationError. */
export function processEnvironment(given: NodeJS.ProcessEnv, settings: SandboxSettings): Environment {
  const names = Object.values(variables).map(({ name }) => name);
  const fromUser = Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
  const ranges = [given.WEBHOOK_ALLOWED_CIDRS, LOOPBACK].filter((range) => range).join(',');
  const environment = {
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ONLY_ALLOWED_CIDRS: 'true',
    PUBLIC_URL: localOrigin(given.HOST, settings.port),
    // A program with a misspelt query parameter fails at its first request.
    ...(given.API_ENVIRONMENT === 'live' ? {} : { STRICT_QUERY: 'true' }),
    ...fromUser,
    PORT: String(settings.port),
    DATABASE_URL: settings.databaseUrl,
    NATS_URL: settings.natsUrl,
    SOLANA_RPC_URL: settings.rpcUrl,
    SECRET_KEY: settings.secretKey,
    WEBHOOK_ALLOWED_CIDRS: ranges,
  };
  loadConfig(environment);
  return environment;
}

/** The origin of the api for programs on this machine. */
export function localOrigin(host: string | undefined, port: number): string {
  if (!host || host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The user's `SECRET_KEY`, else this sandbox's own, which is generated once: a restart must read what it encrypted. */
export function secretKeyOf(given: NodeJS.ProcessEnv, folder: SandboxFolder): string {
  if (given.SECRET_KEY) return given.SECRET_KEY;
  const known = readFileIfExists(folder.secretKeyFile);
  if (known !== undefined) return known;
  const fresh = randomBytes(32).toString('base64');
  writePrivateFile(folder.secretKeyFile, fresh);
  return fresh;
}
