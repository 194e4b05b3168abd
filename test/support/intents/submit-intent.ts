import type { TestKey } from '../api/api-keys.ts';

export interface IntentSubmission {
  key: TestKey;
  /** The signed bytes, or another value for their field. */
  signed: Uint8Array | string;
  /** A new key by default. */
  idempotencyKey?: string | undefined;
  ifMatch?: string;
  headers?: Readonly<Record<string, string>>;
  /** More fields of the body. */
  body?: Readonly<Record<string, unknown>>;
}

/** Calls `submitTransactionIntent`. */
export function submitIntent(
  baseUrl: string,
  intentId: string,
  { key, signed, idempotencyKey = crypto.randomUUID(), ifMatch = '"1"', headers, body }: IntentSubmission,
): Promise<Response> {
  const signedTransaction = typeof signed === 'string' ? signed : Buffer.from(signed).toString('base64');
  return fetch(`${baseUrl}/transaction-intents/${intentId}/submissions`, {
    method: 'POST',
    headers: {
      ...key.header,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      'if-match': ifMatch,
      ...headers,
    },
    body: JSON.stringify({ signedTransaction, ...body }),
  });
}
