import fc from 'fast-check';
import {
  eventCatalogue,
  eventNames,
  eventType,
  followedTypes,
} from '../../../src/shared/events/catalogue.ts';
import type { MatchedEndpoint, MatchedEvent } from '../../../src/shared/webhooks/receives-event.ts';
import { newAddress } from '../market/ingest-stream.ts';

const SECOND_MS = 1_000;
const scopes = ['operations:read', 'predictions:read'];

/** Wallets and mints are drawn from the same addresses: one may be both. */
const addresses = [newAddress(), newAddress(), newAddress()];
const uuids = [crypto.randomUUID(), crypto.randomUUID()];
export const subjects = [...addresses, ...uuids];

export type ReceiverEndpoint = MatchedEndpoint & { state: 'enabled' | 'disabled' | 'deleted' };
export type ReceiverEvent = MatchedEvent & { id: string };

export interface Receivers {
  accountIds: readonly string[];
  endpoints: ReceiverEndpoint[];
  events: ReceiverEvent[];
}

/** Older than every event and endpoint. */
export const LONG_AGO = new Date(Date.now() - 600 * SECOND_MS);
const instant = fc.constantFrom(1, 2, 3).map((second) => new Date(LONG_AGO.getTime() + second * SECOND_MS));

/** UUIDv7, because lists of trades read the time of an id. */
const newId = fc.constant(null).map(() => Bun.randomUUIDv7());
const types = eventNames.map(eventType);
const filter = fc.oneof(
  fc.constantFrom('*', 'build.*', 'build.service.*', ...followedTypes),
  fc.constantFrom(...types),
  fc.constantFrom(...types).map((type) => `${type.slice(0, type.lastIndexOf('.'))}.*`),
  fc.constantFrom(...types).map((type) => `${type.split('.').slice(0, 3).join('.')}.*`),
  // Never matches: a type ends at its version.
  fc.constantFrom(...types).map((type) => `${type}.*`),
);

const endpoint = (accountIds: readonly string[]): fc.Arbitrary<ReceiverEndpoint> =>
  fc
    .record({
      id: newId,
      accountId: fc.constantFrom(...accountIds),
      eventTypes: fc.uniqueArray(filter, { minLength: 1, maxLength: 3 }),
      subjects: fc.option(fc.subarray(subjects, { minLength: 1, maxLength: 3 })),
      eventScopes: fc.option(fc.subarray(scopes), { freq: 3 }),
      createdAt: instant,
      state: fc.constantFrom('enabled', 'enabled', 'enabled', 'disabled', 'deleted'),
    })
    // Trades are never sent for all subjects, so a request for them names some.
    .filter((one) => one.subjects !== null || !one.eventTypes.some((type) => followedTypes.includes(type)));

const event = (accountIds: readonly string[]): fc.Arbitrary<ReceiverEvent> =>
  fc
    .record({
      id: newId,
      name: fc.oneof(fc.constantFrom(...eventNames), fc.constantFrom('wallet.traded', 'token.traded')),
      subject: fc.constantFrom(...subjects),
      owner: fc.constantFrom(...accountIds),
      createdAt: instant,
    })
    .map(({ id, name, subject, owner, createdAt }) => ({
      id,
      type: eventType(name),
      subject,
      accountId: eventCatalogue[name].audience === 'account' ? owner : null,
      onlyEndpointId: null,
      createdAt,
    }));

/** A ping of each endpoint, beside the other events. */
const pingOf = ({ id, accountId }: ReceiverEndpoint): ReceiverEvent => ({
  id: Bun.randomUUIDv7(),
  type: eventType('webhook.ping'),
  subject: id,
  accountId,
  onlyEndpointId: id,
  createdAt: LONG_AGO,
});

/** Endpoints of two accounts in every state, and events of every type. */
export const receivers: fc.Arbitrary<Receivers> = fc
  .constant([crypto.randomUUID(), crypto.randomUUID()])
  .chain((accountIds) =>
    fc.record({
      accountIds: fc.constant(accountIds),
      endpoints: fc.array(endpoint(accountIds), { minLength: 1, maxLength: 12, size: 'max' }),
      events: fc.array(event(accountIds), { maxLength: 60, size: 'max' }),
    }),
  )
  .map(({ accountIds, endpoints, events }) => ({
    accountIds,
    endpoints,
    events: [...events, ...endpoints.map(pingOf)],
  }));
