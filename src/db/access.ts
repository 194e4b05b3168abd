import { X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { ConfigurationError } from '../shared/configuration.ts';
import { readNamedFile } from '../shared/configuration-file.ts';
import { SYSTEM_AUTHORITIES, urlTls, withoutTls } from '../shared/postgres-url.ts';

/** How Postgres is reached; the fields are those of the configuration. */
export interface DatabaseAccess {
  databaseUrl: string;
  /** Path of a PEM file; `sslrootcert` in the URL says the same. */
  databaseCa?: string | undefined;
}

export interface DriverAccess {
  url: string;
  ssl: false | ConnectionOptions;
}

/** What the driver is given. Throws ConfigurationError when the authority cannot be read. */
export function driverAccess(access: DatabaseAccess | string): DriverAccess {
  const { databaseUrl, databaseCa } = typeof access === 'string' ? { databaseUrl: access } : access;
  const { mode, authority = databaseCa } = urlTls(databaseUrl);
  const variable = databaseCa === undefined ? 'sslrootcert of DATABASE_URL' : 'DATABASE_CA';
  const chosen = mode ?? (authority === undefined ? 'disable' : 'verify-full');
  const url = withoutTls(databaseUrl);
  if (chosen === 'disable') return { url, ssl: false };
  if (chosen === 'require' && authority === undefined) return { url, ssl: { rejectUnauthorized: false } };
  const ca =
    authority === undefined || authority === SYSTEM_AUTHORITIES
      ? {}
      : { ca: readAuthority(authority, variable) };
  // As libpq does: `require` with an authority is `verify-ca`.
  const anyName = chosen === 'verify-full' ? {} : { checkServerIdentity: () => undefined };
  return { url, ssl: { ...ca, ...anyName, host: new URL(databaseUrl).hostname } };
}

/** Read now, so that a missing file ends the start and not a later reconnect. */
function readAuthority(path: string, variable: string): string {
  const pem = readNamedFile(variable, path);
  try {
    // The first of them; another that is broken fails the handshake.
    new X509Certificate(pem);
  } catch {
    throw new ConfigurationError([`${variable} names a file that holds no certificate (PEM)`]);
  }
  return pem;
}
