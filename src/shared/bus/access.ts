import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { readNamedFile } from '../configuration-file.ts';

/** Address and credentials of the broker; the fields are those of the configuration. */
export interface BusAccess {
  /** `nats:`, or `tls:` to require an encrypted connection; may hold `user:password@` or `token@`. */
  natsUrl: string;
  natsCredentialsFile?: string | undefined;
  natsNkeySeedFile?: string | undefined;
  natsCaFile?: string | undefined;
  natsCertFile?: string | undefined;
  natsKeyFile?: string | undefined;
}

type AccessOptions = Pick<
  NodeConnectionOptions,
  'servers' | 'tls' | 'user' | 'pass' | 'token' | 'authenticator'
>;

const DEFAULT_PORT = '4222';

/**
 * Builds the client's options. The client ignores all of a URL but host and port. Throws ConfigurationError
 * when a file cannot be read.
 */
export function accessOptions(access: BusAccess): AccessOptions {
  const { protocol, hostname, port, username, password } = new URL(access.natsUrl);
  const options: AccessOptions = { servers: `${hostname}:${port || DEFAULT_PORT}` };
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
