import { expect, test } from 'bun:test';
import { boundTypesOf } from '../../src/features/webhooks/events/cursor-binding.ts';
import { visibleTypes } from '../../src/features/webhooks/events/visible-types.ts';
import { eventNames, eventType } from '../../src/shared/events/catalogue.ts';

const scopes = ['operations:read', 'predictions:read'];
const boundOf = (filter: string, keyScopes: readonly string[]) =>
  boundTypesOf(visibleTypes(filter, keyScopes), filter);

test('cursors of the list of events are bound as in the release before, whatever types were added', () => {
  // The digest that the release before computes of the types in its bindings.
  const digest = (bound: unknown) => Bun.hash(JSON.stringify(bound)).toString(16);
  expect(digest(boundOf('*', scopes))).toBe('ed85d581424f3447');
  expect(digest(boundOf('*', []))).toBe('d64f0cc55ea7230a');
  expect(digest(boundOf('build.service.transaction_intent.*', scopes))).toBe('20d68ca1d5750c2');
});

test('they differ where a key may read other types, and for a filter of types that came later', () => {
  const later = eventType('transaction_intent.finalized');
  expect(boundOf(later, scopes)).toBe(later);
  const bindings = [boundOf('*', scopes), boundOf('*', []), boundOf('*', ['operations:read']), later];
  for (const name of eventNames) bindings.push(boundOf(eventType(name), scopes));
  const texts = bindings.map((one) => JSON.stringify(one));
  expect(new Set(texts).size).toBe(texts.length - 1);
});
