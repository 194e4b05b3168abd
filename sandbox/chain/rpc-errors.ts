/** An error a JSON-RPC client sees: numeric code, message and optional data, as a cluster node would send it. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Codes of JSON-RPC 2.0 and of Agave's custom error table. */
export const RPC_CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  blockCleanedUp: -32001,
  preflightFailure: -32002,
  signatureVerificationFailure: -32003,
  blockNotAvailable: -32004,
  slotSkipped: -32007,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

/** -32602 with the given message. */
export function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, message);
}

/** -32003: a required signature is missing or does not verify. */
export function signatureVerificationFailure(): RpcError {
  return new RpcError(RPC_CODE.signatureVerificationFailure, 'Transaction signature verification failure');
}
