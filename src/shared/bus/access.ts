import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { ConfigurationError, readNamedFile } from '../configuration-error.ts';

/** Addresses and credentials of the broker; the fields are those of the configuration. */
export interface BusAccess {
  /**
   * One address, or several nodes of one cluster: `nats:`, or `tls:` to require an encrypted connection. All
   * have the same scheme and the same `user:password@` or `token@`, or none.
   */
  natsUrls: readonly string[];
  natsCredentialsFile?: string | undefined;
  natsNkeySeedFile?: string | undefined;
  natsCaFile?: string | undefined;
  natsCertFile?: string | undefined;
  natsKeyFile?: string | undefined;
  /** With how many replicas this process makes streams; absent: 1. */
  natsStreamReplicas?: number;
}

interface AccessOptions
  extends Pick<NodeConnectionOptions, 'tls' | 'user' | 'pass' | 'token' | 'authenticator'> {
  servers: string[];
}

const DEFAULT_PORT = '4222';

/**
 * Builds the client's options. The client ignores all of a URL but host and port, and has one login and one
 * set of TLS options for all servers. Throws ConfigurationError when a file cannot be read.
 */
export function accessOptions(access: BusAccess): AccessOptions {
  const addresses = access.natsUrls.map((address) => new URL(address));
  const [first] = addresses;
  if (first === undefined) throw new ConfigurationError(['NATS_URL must name a server']);
  const { protocol, username, password } = first;
  const servers = addresses.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`);
  const options: AccessOptions = { servers };
  if (password !== '') {
    options.user = decodeURIComponent(username);
    options.pass = decodeURIComponent(password);
  } else if (username !== '') {
    options.token = decodeURIComponent(username);
  }
  const authenticator = fileAuthenticator(access);
  if (authenticator !== null) options.authenticator = authenticator;
  // With these options the client refuses a server without TLS; otherwise it would continue in clear text.
  if (protocol === 'tls:') options.tls = tlsFiles(access);
  return options;
}

/** Reads the file now: a missing one fails at the start and not at a later reconnect. */
function fileAuthenticator({ natsCredentialsFile, natsNkeySeedFile }: BusAccess): Authenticator | null {
  if (natsCredentialsFile !== undefined) {
    const credentials = readNamedFile('NATS_CREDENTIALS_FILE', natsCredentialsFile);
    return credsAuthenticator(new TextEncoder().encode(credentials));
  }
  if (natsNkeySeedFile === undefined) return null;
  const seed = readNamedFile('NATS_NKEY_SEED_FILE', natsNkeySeedFile).trim();
  return nkeyAuthenticator(new TextEncoder().encode(seed));
}

/**
 * The client reads the files at every connection and so uses renewed certificates; a missing file fails here
 * already.
 */
function tlsFiles({ natsCaFile, natsCertFile, natsKeyFile }: BusAccess): NonNullable<AccessOptions['tls']> {
  const named = { NATS_CA_FILE: natsCaFile, NATS_CERT_FILE: natsCertFile, NATS_KEY_FILE: natsKeyFile };
  for (const [variable, path] of Object.entries(named)) if (path !== undefined) readNamedFile(variable, path);
  return {
    ...(natsCaFile === undefined ? {} : { caFile: natsCaFile }),
    ...(natsCertFile === undefined ? {} : { certFile: natsCertFile }),
    ...(natsKeyFile === undefined ? {} : { keyFile: natsKeyFile }),
  };
}
