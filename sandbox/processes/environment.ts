import { randomBytes } from 'node:crypto';
import { loadConfig, variables } from '../../src/config.ts';
import { readFileIfAny, writePrivateFile } from '../private-file.ts';
import type { SandboxFolder } from '../sandbox-folder.ts';

export type Environment = Readonly<Record<string, string>>;

/** What the launcher decides about the processes. */
export interface SandboxChoices {
  readonly port: number;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly rpcUrl: string;
  readonly secretKey: string;
}

const LOOPBACK = '127.0.0.0/8';

/** The variables (contract/processes#configuration) as the processes get them: the user's, completed with what the sandbox provides. Endpoints
 * on loopback over plain http are admitted here and nowhere else (contract/url-policy#openings). Throws ConfigurationError. */
export function processEnvironment(given: NodeJS.ProcessEnv, choices: SandboxChoices): Environment {
  const names = Object.values(variables).map(({ name }) => name);
  const fromUser = Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
  const ranges = [given.WEBHOOK_ALLOWED_CIDRS, LOOPBACK].filter((range) => range).join(',');
  const environment = {
    WEBHOOK_ALLOW_HTTP: 'true',
    PUBLIC_URL: localOrigin(given.HOST, choices.port),
    ...fromUser,
    PORT: String(choices.port),
    DATABASE_URL: choices.databaseUrl,
    NATS_URL: choices.natsUrl,
    SOLANA_RPC_URL: choices.rpcUrl,
    SECRET_KEY: choices.secretKey,
    WEBHOOK_ALLOWED_CIDRS: ranges,
  };
  loadConfig(environment);
  return environment;
}

/** Where the api is reached from this machine. */
export function localOrigin(host: string | undefined, port: number): string {
  if (!host || host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The user's `SECRET_KEY`, else this sandbox's own, made once: what it sealed must open after a restart. */
export function secretKeyOf(given: NodeJS.ProcessEnv, folder: SandboxFolder): string {
  if (given.SECRET_KEY) return given.SECRET_KEY;
  const known = readFileIfAny(folder.secretKeyFile);
  if (known !== undefined) return known;
  const fresh = randomBytes(32).toString('base64');
  writePrivateFile(folder.secretKeyFile, fresh);
  return fresh;
}
