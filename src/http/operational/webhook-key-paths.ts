import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/field-schemas.ts';
import {
  type PublicSigningKey,
  publicSigningKey,
  type WebhookSigningKeys,
} from '../../shared/webhooks/signing-keys.ts';
import type { OperationalResponder } from './outside-pipeline.ts';

const KEYS_PATH = '/.well-known/webhook-public-keys';
/** Anybody may read the keys and cache them for five minutes. */
const headers = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };
/** The release that introduced signing keys per endpoint deprecated the shared ones. */
const SHARED_DEPRECATED_AT = Date.UTC(2026, 10, 24) / 1000;

export interface WebhookKeyDependencies {
  signingKeys: WebhookSigningKeys;
  clock: Clock;
}

/**
 * The public halves of the keys that sign webhooks as `v1a` (contract/webhooks#public-keys). A set holds the
 * keys of one endpoint, which derive from its id without a look-up: no set grows with the number of
 * endpoints, and none shows which exist.
 */
export function webhookKeyResponders({ signingKeys, clock }: WebhookKeyDependencies): OperationalResponder[] {
  const ofEndpoint = ({ endpointId = '' }: Record<string, string>) =>
    isUuid(endpointId) ? signingKeys.ofEndpoint(endpointId) : null;
  const shared = () => signingKeys.shared(clock.now().getTime());
  const sharedHeaders = {
    ...headers,
    Deprecation: `@${SHARED_DEPRECATED_AT}`,
    Sunset: signingKeys.sharedUntil.toUTCString(),
  };
  return [
    { path: KEYS_PATH, respond: () => keyList(shared(), sharedHeaders) },
    { path: '/.well-known/jwks.json', respond: () => keySet(shared(), sharedHeaders) },
    {
      path: `${KEYS_PATH}/:endpointId`,
      respond: (_request, _peer, params) => keyList(ofEndpoint(params), headers),
    },
    {
      path: `${KEYS_PATH}/:endpointId/jwks.json`,
      respond: (_request, _peer, params) => keySet(ofEndpoint(params), headers),
    },
  ];
}

type Keys = ReturnType<WebhookSigningKeys['ofEndpoint']>;

function keyList(keys: Keys | null, responseHeaders: Record<string, string>): Response | null {
  if (keys === null) return null;
  const list = keys.map(publicSigningKey).map((key) => ({ algorithm: 'ed25519', ...key }));
  return Response.json({ keys: list }, { headers: responseHeaders });
}

function keySet(keys: Keys | null, responseHeaders: Record<string, string>): Response | null {
  if (keys === null) return null;
  return Response.json(webhookKeySet(keys.map(publicSigningKey)), {
    headers: { ...responseHeaders, 'Content-Type': 'application/jwk-set+json' },
  });
}

/** An Ed25519 key (RFC 8037). */
interface JsonWebKey {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  use: 'sig';
  alg: 'EdDSA';
  kid: string;
}

/** Converts keys of webhooks to a JSON Web Key Set, in the same order (contract/webhooks#jwks). */
export function webhookKeySet(keys: readonly PublicSigningKey[]): { keys: JsonWebKey[] } {
  return { keys: keys.map(jsonWebKey) };
}

function jsonWebKey({ key, kid }: PublicSigningKey): JsonWebKey {
  const x = Buffer.from(key.slice('whpk_'.length), 'base64').toString('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, use: 'sig', alg: 'EdDSA', kid };
}
