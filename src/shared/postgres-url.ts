/** What `sslmode` of a Postgres URL may be; "TLS to Postgres" in docs/operations/configuration.md says what each does. */
export const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

/** Instead of a path: the authorities that the runtime knows. */
export const SYSTEM_AUTHORITIES = 'system';

export interface UrlTls {
  /** Absent when the URL does not say. */
  mode?: TlsMode | undefined;
  /** Path of a PEM file, or `system`. */
  authority?: string | undefined;
}

/** Parameters of libpq that are about the security of a connection: ignored, one of them would protect nothing in silence. */
const PROTECTING = /^(?:ssl.*|channel_binding|gss.*|krbsrvname|require_auth|requirepeer|requiressl)$/;
const UNDERSTOOD = new Set(['sslmode', 'sslrootcert']);

/** How a URL wants its connections encrypted. Throws Error with the expectation when that is not understood. */
export function urlTls(databaseUrl: string): UrlTls {
  const { searchParams } = new URL(databaseUrl);
  const other = [...searchParams.keys()].find((name) => PROTECTING.test(name) && !UNDERSTOOD.has(name));
  if (other !== undefined)
    throw new Error(`must say by sslmode and sslrootcert how it is encrypted, not by ${other}`);
  for (const name of UNDERSTOOD)
    if (searchParams.getAll(name).length > 1) throw new Error(`must name ${name} once`);
  const given = searchParams.get('sslmode');
  const mode = tlsModes.find((one) => one === given);
  if (given !== null && mode === undefined)
    throw new Error(`must have one of ${tlsModes.join(', ')} as sslmode`);
  return { mode, authority: searchParams.get('sslrootcert') || undefined };
}

/** The URL without what `urlTls` reads: the driver would send it on to the server. */
export function withoutTls(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (![...UNDERSTOOD].some((name) => url.searchParams.has(name))) return databaseUrl;
  for (const name of UNDERSTOOD) url.searchParams.delete(name);
  return url.href;
}
