/**
 * Accepted values of `sslmode` in a Postgres URL; "TLS to Postgres" in docs/operations/database.md
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

export interface PostgresHosts {
  /** The URL with its first host alone, which every parser of URLs accepts. */
  url: URL;
  /** All hosts with their ports, in the order of the URL. */
  hosts: readonly { host: string; port: number }[];
}

const DEFAULT_PORT = 5432;
const AUTHORITY = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is;

/** Reads a URL with one host or several, separated by commas as in libpq. Throws TypeError for any other text. */
export function postgresHosts(databaseUrl: string): PostgresHosts {
  const [, scheme = '', authority = '', rest = ''] = AUTHORITY.exec(databaseUrl) ?? [];
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  const urls = authority
    .slice(login.length)
    .split(',')
    .map((host) => new URL(`${scheme}${login}${host}${rest}`));
  const [url] = urls;
  if (url === undefined || urls.some(({ hostname }) => hostname === '')) throw new TypeError('no host');
  return {
    url,
    hosts: urls.map(({ hostname, port }) => ({ host: hostname, port: Number(port || DEFAULT_PORT) })),
  };
}

/**
 * Security parameters of libpq that the driver ignores: a URL with one is refused, because it would silently
 * protect nothing.
 */
const PROTECTING = /^(?:ssl.*|channel_binding|gss.*|krbsrvname|require_auth|requirepeer|requiressl)$/;
const UNDERSTOOD = new Set(['sslmode', 'sslrootcert']);
/** With several hosts, sessions use the one that accepts writes. The URL may ask for exactly that itself. */
const TARGET = 'target_session_attrs';
export const TARGETED = 'read-write';

/** Reads the encryption that a URL requires. Throws Error with the expectation when it is not understood. */
export function urlTls(databaseUrl: string): UrlTls {
  const { searchParams } = postgresHosts(databaseUrl).url;
  const other = [...searchParams.keys()].find((name) => PROTECTING.test(name) && !UNDERSTOOD.has(name));
  if (other !== undefined)
    throw new Error(`must set the encryption with sslmode and sslrootcert, not with ${other}`);
  for (const name of UNDERSTOOD)
    if (searchParams.getAll(name).length > 1) throw new Error(`must name ${name} once`);
  if (searchParams.getAll(TARGET).some((value) => value !== TARGETED))
    throw new Error(`must have no ${TARGET} but ${TARGETED}, which it has with several hosts anyway`);
  const given = searchParams.get('sslmode');
  const mode = tlsModes.find((one) => one === given);
  if (given !== null && mode === undefined)
    throw new Error(`must have one of ${tlsModes.join(', ')} as sslmode`);
  return { mode, authority: searchParams.get('sslrootcert') || undefined };
}

/**
 * The URL of the first host, without the parameters that `urlTls` and the pool read: the driver would send
 * them to the server.
 */
export function withoutTls(databaseUrl: string): string {
  const { url, hosts } = postgresHosts(databaseUrl);
  const removed = [...UNDERSTOOD, TARGET].filter((name) => url.searchParams.has(name));
  if (removed.length === 0 && hosts.length === 1) return databaseUrl;
  for (const name of removed) url.searchParams.delete(name);
  return url.href;
}
