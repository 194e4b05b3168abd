import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  SolanaError,
} from '@solana/kit';
import { OversizedResponse } from './response-limits.ts';

/**
 * Why a call failed:
 * - `refused`: the node returned a JSON-RPC error. The request did nothing.
 * - `already_processed`: the sent transaction landed before.
 * - `unavailable`: the request certainly reached no node, because no connection came about. No HTTP status
 *   proves this, not even 429 or 503: the server that answers may have passed the request on.
 * - `oversized`: the response was larger than a response to this method can be. The request may have been
 *   executed.
 * - `unknown`: no usable response (timeout, broken connection, HTTP error, no JSON-RPC). The request may have
 *   been executed.
 */
export interface RpcFailure {
  kind: 'refused' | 'already_processed' | 'unavailable' | 'oversized' | 'unknown';
  /** For logs, never for clients. */
  message: string;
  /** The class of the failure, for clients; absent where there is none. */
  reason?: FailureReason;
  /** The node refused because it has not reached the slot that the request requires. */
  isBehind?: true;
}

/**
 * Classes of failures:
 * - `no_response`: nothing came in time.
 * - `rate_limited`, `unauthorized`, `http_error`: an HTTP status (429; 401 or 403; any other).
 * - `blockhash_not_found`, `invalid_signature`, `preflight_failed`, `node_unhealthy`: errors of JSON-RPC that
 *   nodes return to a transaction.
 * - `other`: any other error of JSON-RPC.
 */
export const failureReasons = [
  'no_response',
  'rate_limited',
  'unauthorized',
  'http_error',
  'blockhash_not_found',
  'invalid_signature',
  'preflight_failed',
  'node_unhealthy',
  'other',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The result of a call. A failure is returned, never thrown, so that every caller checks for it. */
export type RpcOutcome<Value> = { ok: true; value: Value } | { ok: false; failure: RpcFailure };

/**
 * Error codes of the fetch of Bun and Node when no connection came about. The code of an unreachable host is
 * left out, because an open connection can end with it too.
 */
const NOT_CONNECTED_CODES: readonly string[] = [
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
];

/** The error of a response without a success status, as transports of @solana/kit throw it. */
export function httpError({ headers, statusText: message, status: statusCode }: Response): SolanaError {
  return new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, { headers, message, statusCode });
}

/** A node answered as of a slot before the one that was asked for. */
export class BehindContextSlot extends TypeError {}

export function describeRpcFailure(error: unknown): RpcFailure {
  const isBehind =
    error instanceof BehindContextSlot ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED);
  const message = error instanceof Error ? error.message : String(error);
  const kind = kindOf(error);
  const reason = reasonOf(error, kind);
  return { kind, message, ...(reason !== null && { reason }), ...(isBehind && { isBehind }) };
}

function reasonOf(error: unknown, kind: RpcFailure['kind']): FailureReason | null {
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { statusCode } = error.context;
    if (statusCode === 429) return 'rate_limited';
    return statusCode === 401 || statusCode === 403 ? 'unauthorized' : 'http_error';
  }
  if (kind !== 'refused') return null;
  if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
    return isBlockhashUnknown(error.cause) ? 'blockhash_not_found' : 'preflight_failed';
  if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE))
    return 'invalid_signature';
  if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY)) return 'node_unhealthy';
  return isBlockhashUnknown(error) ? 'blockhash_not_found' : 'other';
}

function isBlockhashUnknown(error: unknown): boolean {
  return isSolanaError(error, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND);
}

function kindOf(error: unknown): RpcFailure['kind'] {
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return 'unknown';
  if (error instanceof OversizedResponse) return 'oversized';
  if (isAlreadyProcessed(error)) return 'already_processed';
  if (isSolanaError(error, SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR)) return 'unknown';
  if (isSolanaError(error)) return 'refused';
  return NOT_CONNECTED_CODES.includes(codeOf(error)) ? 'unavailable' : 'unknown';
}

function isAlreadyProcessed(error: unknown): boolean {
  if (isSolanaError(error, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) return true;
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE) &&
    isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
