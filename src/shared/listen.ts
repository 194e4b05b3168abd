import { ConfigurationError } from './configuration-error.ts';

/** Advice to the operator, by the system's error code. */
const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop what listens there, or choose another port',
  EACCES: 'needs rights that this user does not have: choose a port from 1024 on',
  EADDRNOTAVAIL: 'uses an address that this machine does not have: correct the host',
};

/**
 * Starts to listen. Throws ConfigurationError when waiting does not help.
 * @param variable name of the variable with the port
 */
export function listening<Server>(
  variable: string,
  { host, port }: { host: string; port: number },
  listen: () => Server,
): Server {
  try {
    return listen();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const refusal = REFUSALS[code];
    throw refusal === undefined
      ? error
      : new ConfigurationError([`${variable}=${port} on ${host} ${refusal}`]);
  }
}
