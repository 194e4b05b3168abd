import type { topicForms } from '../../features/streams/topics.ts';
import type { Scope } from '../../shared/scopes.ts';
import type { topicMessages } from './stream-messages.ts';

/** A kind of topic in the documents (contract/streams#topics). */
export interface StreamTopic {
  /** Describes its messages, and its first ones. */
  description: string;
  /** Kinds of its messages. */
  messages: readonly (keyof typeof topicMessages)[];
  /** The scope that its key needs; null where it needs no key. */
  scope: Scope | null;
}

/** Every form of a topic. */
export const streamTopics: Readonly<Record<(typeof topicForms)[number], StreamTopic>> = {
  tokens: {
    description:
      'A token is new, or its record has changed in anything but its market. It begins without messages.',
    messages: ['token'],
    scope: null,
  },
  'token:{mint}': {
    description: 'The record of a token, or its market, has changed. Begins with the token.',
    messages: ['token'],
    scope: null,
  },
  trades: {
    description:
      'Trades of all tokens, and those that were rolled back. It begins without messages. Both topics of trades take a filter after a semicolon, such as `trades;minSol=5;side=buy;wallet={address}`; with one they begin without messages.',
    messages: ['trade', 'trade_reverted'],
    scope: null,
  },
  'trades:{mint}': {
    description: 'Trades of a token, and those that were rolled back. Begins with its newest 20.',
    messages: ['trade', 'trade_reverted'],
    scope: null,
  },
  'wallet:{address}': {
    description:
      'Trades of a wallet in all tokens, and those that were rolled back. It begins without messages.',
    messages: ['trade', 'trade_reverted'],
    scope: null,
  },
  launches: {
    description: 'The event `launch.created` of every token. It begins without messages.',
    messages: ['event'],
    scope: null,
  },
  graduations: {
    description: 'The event `launch.graduated` of every token. It begins without messages.',
    messages: ['event'],
    scope: null,
  },
  'candles:{mint}:{interval}': {
    description: 'The bar after each trade, and each bar when it has closed. Begins with the newest two.',
    messages: ['candle'],
    scope: null,
  },
  'stats:{mint}': {
    description:
      'The statistics of a token have changed: at most once a second, and at each minute, which moves the windows. Begins with them.',
    messages: ['stats'],
    scope: null,
  },
  presales: {
    description:
      'A presale is public now, or its status or its deposits have changed. It begins without messages.',
    messages: ['presale'],
    scope: null,
  },
  'presale:{id}': {
    description: 'The same of one presale. Begins with the presale.',
    messages: ['presale'],
    scope: null,
  },
  rounds: {
    description: 'A prediction round is new, or its status has changed. It begins without messages.',
    messages: ['round'],
    scope: null,
  },
  'rounds:{mint}': {
    description: 'The same of the rounds of a token. Begins with those that have not ended, at most 100.',
    messages: ['round'],
    scope: null,
  },
  events: {
    description:
      'Public events of the catalogue; with a key also those of its account, within its read scopes. It begins without messages.',
    messages: ['event'],
    scope: null,
  },
  intents: {
    description: 'Each change of a transaction intent of the account. It begins without messages.',
    messages: ['intent'],
    scope: 'operations:read',
  },
  orders: {
    description:
      'An order of the account was made, or its status has changed. Begins with those that have not ended, at most 100.',
    messages: ['order'],
    scope: 'operations:read',
  },
  operations: {
    description:
      'Status and progress of operations of the account. Begins with those that have not ended, at most 100.',
    messages: ['operation'],
    scope: 'operations:read',
  },
  deliveries: {
    description:
      'A delivery to an endpoint of the account was made, or one of its attempts ended. It begins without messages.',
    messages: ['delivery'],
    scope: 'webhooks:read',
  },
};
