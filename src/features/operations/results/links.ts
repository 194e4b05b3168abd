import { createHmac } from 'node:crypto';
import { equalConstantTime } from '../../../shared/bytes.ts';

/** Below `PUBLIC_URL`, outside the contract (contract/operations#result-links). */
export const RESULTS_PATH = '/operation-results';

/** A link is valid this long; every read of the operation makes a new one. */
const LINK_SECONDS = 60 * 60;
const UNIX_SECONDS = /^[1-9]\d{0,11}$/;
const SIGNATURE_BYTES = 32;

/** Makes and checks links to result files. Whoever has a link may fetch the file until it expires. */
export interface ResultLinks {
  /** A link that is valid for an hour, and never longer than the file is kept. */
  resultUrl(operationId: string, resultExpiresAt: Date, now: Date): string;
  /** True when this deployment made the link for this operation and it has not expired. */
  isValid(operationId: string, query: URLSearchParams, now: Date): boolean;
}

/**
 * @param key 32 bytes for this purpose alone, from `RESULT_LINK_KEYS` or derived from `SECRET_KEY`. It signs.
 * @param previousKeys their links are still valid.
 */
export function createResultLinks(
  publicUrl: string,
  key: Uint8Array,
  ...previousKeys: readonly Uint8Array[]
): ResultLinks {
  const signUnder = (signingKey: Uint8Array, operationId: string, expires: string) =>
    createHmac('sha256', signingKey).update(`${operationId}\n${expires}`).digest();

  return {
    resultUrl(operationId, resultExpiresAt, now) {
      const linkEnd = Math.floor(now.getTime() / 1000) + LINK_SECONDS;
      const expires = String(Math.min(linkEnd, Math.floor(resultExpiresAt.getTime() / 1000)));
      const signature = signUnder(key, operationId, expires).toString('base64url');
      return `${publicUrl}${RESULTS_PATH}/${operationId}?expires=${expires}&signature=${signature}`;
    },
    isValid(operationId, query, now) {
      const expires = query.get('expires') ?? '';
      const text = query.get('signature') ?? '';
      const signature = Buffer.from(text, 'base64url');
      // Only one spelling is accepted: with the unused low bits of the last character several texts would
      // encode one signature.
      if (!UNIX_SECONDS.test(expires) || signature.length !== SIGNATURE_BYTES) return false;
      if (signature.toString('base64url') !== text) return false;
      const isGenuine = [key, ...previousKeys].some((one) =>
        equalConstantTime(signature, signUnder(one, operationId, expires)),
      );
      return isGenuine && Number(expires) * 1000 > now.getTime();
    },
  };
}
