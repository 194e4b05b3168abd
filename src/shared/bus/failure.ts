import {
  AuthorizationError,
  ConnectionError,
  PermissionViolationError,
  TimeoutError,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { systemFailures } from '../system-failures.ts';

/**
 * Reasons why NATS cannot be used, for `/readyz` and doctor. A closed list: it keeps messages of the server
 * private.
 */
export const busFailures = {
  login_refused: 'it refuses user, password or key',
  right_missing: 'it refuses this user a subject that the process needs (bus.refused in the log names it)',
  host_unknown: 'its host cannot be found',
  connection_refused: 'it refuses connections',
  connection_lost: 'the connection broke off',
  tls_missing: 'it offers no TLS',
  certificate_refused: 'its certificate is not accepted',
  silent: 'it does not answer in time',
} as const;
export type BusFailure = keyof typeof busFailures;

const CODES: Readonly<Record<string, BusFailure>> = systemFailures;
const OF_CERTIFICATE = /CERT|SIGNED|ISSUER|VERIFY|ALTNAME/;

/** Classifies an error of NATS; null for any other error. Errors of requests have the real one as `cause`. */
export function busFailure(error: unknown): BusFailure | null {
  if (!(error instanceof Error)) return null;
  // The client has one class for both; a server that was too slow to check the login has not refused it.
  if (error instanceof AuthorizationError) return /timeout/i.test(error.message) ? 'silent' : 'login_refused';
  if (error instanceof UserAuthenticationExpiredError) return 'login_refused';
  if (error instanceof PermissionViolationError) return 'right_missing';
  if (error instanceof TimeoutError) return 'silent';
  if (error instanceof ConnectionError && error.message.includes("does not support 'tls'"))
    return 'tls_missing';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return CODES[code] ?? (OF_CERTIFICATE.test(code) ? 'certificate_refused' : busFailure(error.cause));
}

/** Names the refused action, for example `publish to ingest.trade`; null for other errors. */
export function refusedSubject(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (!(error instanceof PermissionViolationError)) return refusedSubject(error.cause);
  const verb = error.operation === 'publish' ? 'publish to' : 'subscribe to';
  // The last part of an inbox is random.
  return `${verb} ${error.subject.replace(/^(_INBOX\.[^.]+)\..*$/, '$1.>')}`;
}
