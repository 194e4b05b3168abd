import { X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { ConfigurationError, readNamedFile } from '../shared/configuration-error.ts';
import type { DatabasePooler } from '../shared/database-poolers.ts';
import { postgresHosts, SYSTEM_AUTHORITIES, TARGETED, urlTls, withoutTls } from '../shared/postgres-url.ts';

/** Address and TLS files of Postgres; the fields are those of the configuration. */
export interface DatabaseAccess {
  databaseUrl: string;
  /** Path of a PEM file; an alternative to `sslrootcert` in the URL. */
  databaseCa?: string | undefined;
  /** Absent: none. */
  databasePooler?: DatabasePooler;
}

export interface DriverAccess {
  url: string;
  ssl: false | ConnectionOptions;
  /** Several hosts, tried in turn until one accepts writes; absent for one. */
  hosts?: { host: string[]; port: number[]; target_session_attrs: typeof TARGETED };
}

/** Builds the driver's options. Throws ConfigurationError when the authority cannot be read. */
export function driverAccess(access: DatabaseAccess | string): DriverAccess {
  const { databaseUrl, databaseCa } = typeof access === 'string' ? { databaseUrl: access } : access;
  const { mode, authority = databaseCa } = urlTls(databaseUrl);
  const variable = databaseCa === undefined ? 'sslrootcert of DATABASE_URL' : 'DATABASE_CA';
  const chosen = mode ?? (authority === undefined ? 'disable' : 'verify-full');
  const where = { url: withoutTls(databaseUrl), ...severalHosts(databaseUrl) };
  if (chosen === 'disable') return { ...where, ssl: false };
  if (chosen === 'require' && authority === undefined)
    return { ...where, ssl: { rejectUnauthorized: false } };
  const ca =
    authority === undefined || authority === SYSTEM_AUTHORITIES
      ? {}
      : { ca: readAuthority(authority, variable) };
  // As in libpq, `require` with an authority means `verify-ca`.
  const anyName = chosen === 'verify-full' ? {} : { checkServerIdentity: () => undefined };
  return { ...where, ssl: { ...ca, ...anyName } };
}

function severalHosts(databaseUrl: string): Pick<DriverAccess, 'hosts'> {
  const { hosts } = postgresHosts(databaseUrl);
  if (hosts.length === 1) return {};
  const [host, port] = [hosts.map((one) => one.host), hosts.map((one) => one.port)];
  return { hosts: { host, port, target_session_attrs: TARGETED } };
}

/** Reads the file now: a missing one fails at the start and not at a later reconnect. */
function readAuthority(path: string, variable: string): string {
  const pem = readNamedFile(variable, path);
  try {
    // Checks only the first certificate; another one that is broken fails the handshake.
    new X509Certificate(pem);
  } catch {
    throw new ConfigurationError([`${variable} names a file that holds no certificate (PEM)`]);
  }
  return pem;
}
