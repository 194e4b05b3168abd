import { jetstreamManager } from '@nats-io/jetstream';
import { ConfigurationError } from '../configuration-error.ts';
import type { Logger } from '../log.ts';
import { untilReachable } from '../process.ts';
import type { BusAccess } from './access.ts';
import { connectBus, type NatsConnection } from './connect.ts';
import { busFailure, refusedSubject } from './failure.ts';

/**
 * Returns the action that an operator must take when a broker refuses this process and waiting does not help;
 * null for other failures.
 */
export function busRefusal(error: unknown): ConfigurationError | null {
  // A file that a variable names cannot be read.
  if (error instanceof ConfigurationError) return error;
  const failure = busFailure(error);
  const docs = 'see "Credentials" in docs/operations/configuration.md';
  if (failure === 'login_refused')
    return new ConfigurationError([
      `NATS refuses the user, password or token in NATS_URL, or the key in NATS_CREDENTIALS_FILE or NATS_NKEY_SEED_FILE: correct it, ${docs}`,
    ]);
  if (failure === 'right_missing')
    return new ConfigurationError([
      `NATS_URL logs in a user who may not ${refusedSubject(error)}: use the user of this process in ops/nats/users.conf, ${docs}`,
    ]);
  if (failure === 'certificate_refused')
    return new ConfigurationError([
      'NATS_URL names a server whose certificate is not accepted: set NATS_CA_FILE to the file of its authority, and use a host name and a certificate that fit',
    ]);
  if (failure === 'tls_missing')
    return new ConfigurationError([
      'NATS_URL wants TLS from a server that offers none: switch it on there, or begin the URL with nats://',
    ]);
  return null;
}

interface Patience {
  log: Logger;
  signal: AbortSignal;
}

/**
 * Connects as soon as there is a broker. Throws ConfigurationError when only a change of the configuration
 * helps, or the reason of the signal.
 */
export function untilBusReachable(access: BusAccess, name: string, how: Patience): Promise<NatsConnection> {
  return untilAllowed('nats', () => connectBus(access, name), how);
}

/**
 * Repeats a request until it succeeds. Throws ConfigurationError when its user may not make it, or the reason
 * of the signal.
 */
export async function untilAllowed<Value>(
  dependency: string,
  attempt: () => Promise<Value>,
  how: Patience,
): Promise<Value> {
  const outcome = await untilReachable(
    dependency,
    async () => {
      try {
        return { value: await attempt() };
      } catch (error) {
        const refusal = busRefusal(error);
        if (refusal === null) throw error;
        return { refusal };
      }
    },
    how,
  );
  if (outcome.refusal !== undefined) throw outcome.refusal;
  return outcome.value;
}

/**
 * Makes the first JetStream request of a process, once. Throws ConfigurationError when the user may not: it
 * is the user of another process. Passes without JetStream; the consumers wait for it.
 */
export async function requireJetStream(connection: NatsConnection): Promise<void> {
  const refusal = await jetstreamManager(connection).then(() => null, busRefusal);
  if (refusal !== null) throw refusal;
}
