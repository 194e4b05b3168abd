import { createHash } from 'node:crypto';
import { eventScopesOf } from '../../shared/events/catalogue.ts';
import type { Principal } from '../access/authentication.ts';
import type { Exchange } from '../exchange.ts';
import type { KeyPart } from '../route.ts';
import type { Attempt } from './idempotency.ts';

/** @param key value of the request's `Idempotency-Key` */
export function attemptOf(
  { definition, context }: Exchange,
  principal: Principal,
  { key, ifMatch, body }: { key: string; ifMatch: string | null; body: Uint8Array },
): Attempt {
  const request = `${context.request.method}\n${context.path}\n${ifMatch ?? ''}\n`;
  const { dependsOnKey } = definition;
  const ofApiKey = dependsOnKey === undefined ? null : partOfKey[dependsOnKey](principal);
  return {
    accountId: principal.accountId,
    key,
    fingerprint: fingerprint(ofApiKey === null ? request : `${request}${ofApiKey}\n`, body),
    sealed: definition.secretResponse === true,
  };
}

/**
 * SHA-256 over method, path, `If-Match`, the part of the API key that the outcome depends on, and body bytes
 * (contract/idempotency#scope). A JSON body never begins like such a part.
 */
function fingerprint(request: string, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(request).update(body).digest();
}

/** Two API keys of an account with equal parts make the same request. */
const partOfKey: Readonly<Record<KeyPart, (principal: Principal) => string>> = {
  wallet: ({ walletAddress }) => `wallet ${walletAddress}`,
  'event-scopes': ({ scopes }) => `scopes ${eventScopesOf(scopes).join(' ')}`,
  scopes: ({ scopes }) => `all-scopes ${scopes.toSorted().join(' ')}`,
  key: ({ id }) => `key ${id}`,
};
