import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Principal } from '../../src/http/access/authentication.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { attemptOf } from '../../src/http/mutations/request-fingerprint.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { eventScopesOf } from '../../src/shared/events/catalogue.ts';
import { scopes as allScopes } from '../../src/shared/scopes.ts';

const request = fc.record({
  dependsOnKey: fc.constantFrom<RouteDefinition['dependsOnKey']>(
    undefined,
    'wallet',
    'event-scopes',
    'scopes',
    'key',
  ),
  method: fc.constantFrom('POST', 'PATCH', 'DELETE'),
  path: fc.constantFrom('/api/v2/swaps', '/api/v2/swaps/1'),
  ifMatch: fc.constantFrom(null, '"1"', '"2"'),
  body: fc.constantFrom('', '{}', '{ }', '{"amount":"1"}'),
  key: fc.constantFrom('key-0001', 'key-0002'),
  accountId: fc.constantFrom('account 1', 'account 2'),
  id: fc.constantFrom('key id 1', 'key id 2'),
  walletAddress: fc.constantFrom('wallet 1', 'wallet 2'),
  scopes: fc.shuffledSubarray([...allScopes]),
});
type DrawnRequest = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

function attempt({ dependsOnKey, method, path, ifMatch, body, key, ...principal }: DrawnRequest) {
  const exchange = { definition: { dependsOnKey }, context: { request: { method }, path } };
  return attemptOf(exchange as unknown as Exchange, principal as unknown as Principal, {
    key,
    ifMatch,
    body: Buffer.from(body),
  });
}

/** What a key stands for (contract/idempotency#scope). */
function standsFor({
  dependsOnKey,
  method,
  path,
  ifMatch,
  body,
  id,
  walletAddress,
  scopes,
}: DrawnRequest): string {
  const ofKey = {
    wallet: walletAddress,
    'event-scopes': eventScopesOf(scopes).toSorted().join(),
    scopes: scopes.toSorted().join(),
    key: id,
  };
  return JSON.stringify([method, path, ifMatch, body, dependsOnKey, dependsOnKey && ofKey[dependsOnKey]]);
}

test('two requests are the same under a key exactly when method, path, body, If-Match and the relevant parts of the API key are', () => {
  fc.assert(
    fc.property(request, request, (one, changed) => {
      for (const name of Object.keys(one) as (keyof DrawnRequest)[]) {
        // Differs in one thing at most.
        const other = { ...one, [name]: changed[name] };
        const isSame = standsFor(one) === standsFor(other);
        const [left, right] = [attempt(one), attempt(other)];
        expect(Buffer.compare(left.fingerprint, right.fingerprint) === 0).toBe(isSame);
        // Account and key are not part of the fingerprint: they are its storage key.
        expect([right.accountId, right.key]).toEqual([other.accountId, other.key]);
      }
    }),
    { numRuns: 500 },
  );
});
