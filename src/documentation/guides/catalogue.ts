/** A guide: a Markdown file of `docs/guides`, whose first heading is its title. */
export interface Guide {
  /** Name of the file without `.md`, and last part of the address. */
  slug: string;
  title: string;
  /** The skill that the reader gains; one sentence, for lists of guides. */
  summary: string;
}

/** Every guide, in reading order. */
export const guideGroups: readonly { title: string; guides: readonly Guide[] }[] = [
  {
    title: 'Begin',
    guides: [
      {
        slug: 'quick-start',
        title: 'Quick start',
        summary: 'From nothing to a confirmed swap on your own machine.',
      },
      {
        slug: 'keys-and-scopes',
        title: 'Keys and scopes',
        summary: 'Keys, scopes, and the wallet of a key.',
      },
      {
        slug: 'npm-package',
        title: 'The npm package',
        summary: 'A typed client, a verifier of webhooks and a command line.',
      },
      {
        slug: 'testing-offline',
        title: 'Testing offline',
        summary: 'The whole platform and a Solana chain on one machine, without a network.',
      },
      { slug: 'going-live', title: 'Going live', summary: 'The checks before real money moves.' },
      { slug: 'glossary', title: 'Glossary', summary: 'The terms of this documentation.' },
    ],
  },
  {
    title: 'Trade',
    guides: [
      {
        slug: 'finding-tokens',
        title: 'Find tokens',
        summary: 'Sorted lists, searches with a mistake in them, and a hundred tokens at once.',
      },
      {
        slug: 'swaps',
        title: 'Quote, swap, sign, submit',
        summary: 'The main job of a bot, step by step, with a complete program.',
      },
      {
        slug: 'orders',
        title: 'Orders that wait for a price',
        summary: 'Limit, stop loss, take profit and one-cancels-other, without a deposit.',
      },
      {
        slug: 'launch-terms',
        title: 'Choose the terms of a launch',
        summary: 'Compare launch configs, see what a first buy gives, and launch under one.',
      },
      {
        slug: 'launching-a-token',
        title: 'Launch a token',
        summary: 'From a folder with a picture to a token that trades, in one command or in a program.',
      },
      {
        slug: 'landing',
        title: 'Getting transactions landed',
        summary: 'What to pay for priority and tips, and who may see a transaction before it lands.',
      },
      {
        slug: 'intents',
        title: 'Transaction intents',
        summary: 'The states of a transaction from its preparation to its end.',
      },
      {
        slug: 'claiming-fees',
        title: 'Claim your fees',
        summary: 'Creators and partners get paid, over all their tokens, in as few signatures as possible.',
      },
      {
        slug: 'landing-report',
        title: 'How your transactions land',
        summary: 'Where they were sent, how fast they landed, and what that says about an address.',
      },
      {
        slug: 'idempotency-and-retries',
        title: 'Idempotency and retries',
        summary: 'How to repeat a request without doing it twice.',
      },
      {
        slug: 'errors',
        title: 'Handling errors',
        summary: 'The fields to branch on, and the errors to retry.',
      },
    ],
  },
  {
    title: 'Follow',
    guides: [
      {
        slug: 'webhooks',
        title: 'Webhooks',
        summary: 'Receive signed events, handle each once, and respond in time.',
      },
      {
        slug: 'local-webhooks',
        title: 'Webhooks on your machine',
        summary: 'Receive events where there is no public address.',
      },
      { slug: 'streams', title: 'Streams', summary: 'Prices, trades, candles and intents, as they happen.' },
      {
        slug: 'statistics',
        title: 'Statistics',
        summary: 'Volume, traders and price changes of tokens and of the whole platform.',
      },
      {
        slug: 'reconciliation',
        title: 'After an outage',
        summary: 'Find and read everything that you missed in a gap.',
      },
    ],
  },
  {
    title: 'Limits and changes',
    guides: [
      {
        slug: 'pagination-and-caching',
        title: 'Pagination and caching',
        summary: 'Read long lists completely, and unchanged data cheaply.',
      },
      { slug: 'rate-limits', title: 'Rate limits', summary: 'The limits, and how to stay within them.' },
      {
        slug: 'versioning',
        title: 'Versioning and deprecation',
        summary: 'The stable parts of the API, the possible changes, and how to prepare for them.',
      },
    ],
  },
  {
    title: 'Run the platform',
    guides: [
      {
        slug: 'presales-and-staking',
        title: 'Presales and staking',
        summary:
          'A deposit and a stake from the backend of the platform: prepared, signed, landed, reported.',
      },
      {
        slug: 'operating',
        title: 'Operating a deployment',
        summary: 'For operators of Launchwire: processes, health, upgrades.',
      },
    ],
  },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);
