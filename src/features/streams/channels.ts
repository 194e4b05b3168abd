import { eventScopes } from '../../shared/events/catalogue.ts';
import type { LogEntry } from './log/read-log.ts';
import type { Topic } from './topics.ts';

/**
 * A channel: messages are sent to it, streams listen to it. It is a topic, for private topics together with
 * the account. One message may go to several channels.
 */
export type Channel = string;

/** The account and scopes of the key of a stream. */
export interface StreamOwner {
  accountId: string;
  scopes: readonly string[];
}

const WEBHOOK_EVENTS = 'webhooks:read';

/**
 * An entry of a round does not say its token. Whoever follows the rounds of one listens here as well, so that the record is
 * read, which says it.
 */
const ROUND_OF_A_TOKEN: Channel = 'rounds/of-a-token';

/** The channels of a topic for an owner; null for a stream without a key. */
export function channelsOf(topic: Topic, owner: StreamOwner | null): Channel[] {
  switch (topic.kind) {
    case 'events':
      if (owner === null) return ['events'];
      return ['events', ...owner.scopes.map((scope) => `events/${owner.accountId}/${scope}`)];
    case 'intents':
    case 'operations':
    case 'deliveries':
      return owner === null ? [] : [`${topic.kind}/${owner.accountId}`];
    case 'token-rounds':
      return [topic.text, ROUND_OF_A_TOKEN];
    default:
      return [topic.text];
  }
}

/**
 * The channel of an event. Public events go to every stream, account events to streams whose key has the
 * scope of the type.
 */
export function eventChannel(type: string, accountId: string | null): Channel {
  if (accountId === null) return 'events';
  return `events/${accountId}/${eventScopes.get(type) ?? WEBHOOK_EVENTS}`;
}

/** Channels that an entry may be sent to, as far as the entry itself says; candles are left out. */
export function entryChannels({ kind, mintAddress, accountId, ref }: LogEntry): Channel[] {
  switch (kind) {
    case 'trade':
    case 'trade_reverted':
      return ['trades', `trades:${mintAddress}`];
    case 'token':
      return ['tokens', `token:${mintAddress}`];
    case 'market':
      return [`token:${mintAddress}`];
    case 'event':
      if (accountId === null) return ['events'];
      return [...new Set([...eventScopes.values(), WEBHOOK_EVENTS])].map(
        (scope) => `events/${accountId}/${scope}`,
      );
    case 'intent':
      return [`intents/${accountId}`];
    case 'operation':
      return [`operations/${accountId}`];
    case 'delivery':
      return [`deliveries/${accountId}`];
    case 'presale':
      return ['presales', `presale:${ref}`];
    case 'round':
      return ['rounds', ROUND_OF_A_TOKEN];
    case 'proven':
      return [];
  }
}
