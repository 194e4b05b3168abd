import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { readNamedFile } from '../configuration-file.ts';

/** How a process reaches the broker and proves who it is; the fields are those of the configuration. */
export interface BusAccess {
  /** `nats:`, or `tls:` for a connection that is encrypted or not made; with `user:password@` or `token@` if wanted. */
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

/** The client's options for an access. The client ignores all of a URL but host and port. Throws ConfigurationError when a file cannot be read. */
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
  // With options the client refuses a server that offers no TLS; without, it would go on in clear text.
  if (protocol === 'tls:') options.tls = tlsFiles(access);
  return options;
}

/** Read now, so that a missing file ends the start and not a later reconnect. */
function fileAuthenticator({ natsCredentialsFile, natsNkeySeedFile }: BusAccess): Authenticator | null {
  if (natsCredentialsFile !== undefined) {
    const credentials = readNamedFile('NATS_CREDENTIALS_FILE', natsCredentialsFile);
    return credsAuthenticator(new TextEncoder().encode(credentials));
  }
  if (natsNkeySeedFile === undefined) return null;
  const seed = readNamedFile('NATS_NKEY_SEED_FILE', natsNkeySeedFile).trim();
  return nkeyAuthenticator(new TextEncoder().encode(seed));
}

/** The client reads them at every connection, so that a certificate that is renewed is used; one that is missing is named now. */
function tlsFiles({ natsCaFile, natsCertFile, natsKeyFile }: BusAccess): NonNullable<AccessOptions['tls']> {
  const named = { NATS_CA_FILE: natsCaFile, NATS_CERT_FILE: natsCertFile, NATS_KEY_FILE: natsKeyFile };
  for (const [variable, path] of Object.entries(named)) if (path !== undefined) readNamedFile(variable, path);
  return {
    ...(natsCaFile === undefined ? {} : { caFile: natsCaFile }),
    ...(natsCertFile === undefined ? {} : { certFile: natsCertFile }),
    ...(natsKeyFile === undefined ? {} : { keyFile: natsKeyFile }),
  };
}
