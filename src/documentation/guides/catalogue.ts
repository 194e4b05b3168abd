/** A guide: a Markdown file of `docs/guides`, whose first heading is its title. */
export interface Guide {
  /** Name of the file without `.md`, and last part of the address. */
  slug: string;
  title: string;
  /** The skill that the reader gains; one sentence, for lists of guides. */
  summary: string;
}

/** Every guide, by subject. */
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

/** Guides in the order in which a newcomer with one purpose reads them. */
export interface Path {
  title: string;
  guides: readonly Guide[];
}

const path = (title: string, slugs: readonly string[]): Path => ({
  title,
  guides: slugs.flatMap((slug) => guides.filter((guide) => guide.slug === slug)),
});

/** The ways in. Each begins with a running sandbox and ends before real money or a real receiver. */
export const paths: readonly Path[] = [
  path('I trade', ['quick-start', 'swaps', 'landing', 'idempotency-and-retries', 'going-live']),
  path('I receive webhooks', ['quick-start', 'webhooks', 'local-webhooks', 'reconciliation', 'going-live']),
];

export interface Neighbours {
  /** The path that they are on; undefined for those of the same subject. */
  path: string | undefined;
  before: Guide | undefined;
  after: Guide | undefined;
}

/** The guides beside one: on each of its paths, or else in its group. */
export function neighboursOf(guide: Guide): Neighbours[] {
  const own = paths.filter((path) => path.guides.includes(guide));
  if (own.length > 0) return own.map(({ title, guides: steps }) => around(guide, title, steps));
  return guideGroups
    .filter((group) => group.guides.includes(guide))
    .map((group) => around(guide, undefined, group.guides));
}

function around(guide: Guide, path: string | undefined, all: readonly Guide[]): Neighbours {
  const at = all.indexOf(guide);
  return { path, before: all[at - 1], after: all[at + 1] };
}
