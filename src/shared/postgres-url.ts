/**
 * Accepted values of `sslmode` in a Postgres URL; "TLS to Postgres" in docs/operations/configuration.md
 * explains them.
 */
export const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

/** In place of a path: the authorities that the runtime trusts. */
export const SYSTEM_AUTHORITIES = 'system';

export interface UrlTls {
  /** Absent when the URL names none. */
  mode?: TlsMode | undefined;
  /** Path of a PEM file, or `system`. */
  authority?: string | undefined;
}

/**
 * Security parameters of libpq that the driver ignores: a URL with one is refused, because it would silently
 * protect nothing.
 */
const PROTECTING = /^(?:ssl.*|channel_binding|gss.*|krbsrvname|require_auth|requirepeer|requiressl)$/;
const UNDERSTOOD = new Set(['sslmode', 'sslrootcert']);

/** Reads the encryption that a URL requires. Throws Error with the expectation when it is not understood. */
export function urlTls(databaseUrl: string): UrlTls {
  const { searchParams } = new URL(databaseUrl);
  const other = [...searchParams.keys()].find((name) => PROTECTING.test(name) && !UNDERSTOOD.has(name));
  if (other !== undefined)
    throw new Error(`must set the encryption with sslmode and sslrootcert, not with ${other}`);
  for (const name of UNDERSTOOD)
    if (searchParams.getAll(name).length > 1) throw new Error(`must name ${name} once`);
  const given = searchParams.get('sslmode');
  const mode = tlsModes.find((one) => one === given);
  if (given !== null && mode === undefined)
    throw new Error(`must have one of ${tlsModes.join(', ')} as sslmode`);
  return { mode, authority: searchParams.get('sslrootcert') || undefined };
}

/** Removes the parameters that `urlTls` reads: the driver would send them to the server. */
export function withoutTls(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (![...UNDERSTOOD].some((name) => url.searchParams.has(name))) return databaseUrl;
  for (const name of UNDERSTOOD) url.searchParams.delete(name);
  return url.href;
}
