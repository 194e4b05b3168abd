import { eventCatalogue, eventName, eventScopes } from '../../shared/events/catalogue.ts';
import type { Channel } from './channel.ts';
import type { LogEntry } from './log/read-log.ts';
import { filterChannels } from './messages/filter-index.ts';
import { mintOf, type Topic } from './topics.ts';

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
    case 'orders':
    case 'operations':
    case 'deliveries':
      return owner === null ? [] : [`${topic.kind}/${owner.accountId}`];
    case 'token-rounds':
      return [topic.text, ROUND_OF_A_TOKEN];
    case 'trades':
    case 'token-trades':
      return topic.filter === undefined ? [topic.text] : filterChannels(mintOf(topic), topic.filter);
    default:
      return [topic.text];
  }
}

/**
 * The channels of an event. Public events go to every stream, account events to streams whose key has the
 * scope of the type, and events of followed trades to none: the trades have topics of their own.
 */
export function eventChannels(type: string, accountId: string | null): Channel[] {
  const name = eventName(type);
  if (accountId !== null) return [`events/${accountId}/${eventScopes.get(type) ?? WEBHOOK_EVENTS}`];
  if (name !== null && eventCatalogue[name].audience === 'followers') return [];
  if (name === 'launch.created') return ['events', 'launches'];
  return name === 'launch.graduated' ? ['events', 'graduations'] : ['events'];
}

/**
 * Channels that an entry may be sent to, as far as the entry itself says; candles are left out, and filters,
 * which `FilterIndex` finds.
 */
export function entryChannels({ kind, mintAddress, accountId, ref, traderWallet }: LogEntry): Channel[] {
  switch (kind) {
    case 'trade':
    case 'trade_reverted':
      return ['trades', `trades:${mintAddress}`, `wallet:${traderWallet}`];
    case 'token':
      return ['tokens', `token:${mintAddress}`];
    case 'market':
      return [`token:${mintAddress}`];
    case 'event':
      if (accountId === null) return ['events', 'launches', 'graduations'];
      return [...new Set([...eventScopes.values(), WEBHOOK_EVENTS])].map(
        (scope) => `events/${accountId}/${scope}`,
      );
    case 'intent':
      return [`intents/${accountId}`];
    case 'order':
      return [`orders/${accountId}`];
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
