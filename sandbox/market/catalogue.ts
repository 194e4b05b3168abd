import type { CurveKind } from './curve-kinds.ts';

/** A token of the demo market as its creator describes it. */
export interface Listing {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly links: { readonly website?: string; readonly twitter?: string; readonly telegram?: string };
  /** Set where users may predict the price. */
  readonly predictionsEnabled?: true;
}

/** A token to launch, and its curve. */
export interface LaunchedListing extends Listing {
  readonly curve: CurveKind;
}

/** Tokens that are sold in presales and never launched. */
export const upcomingListings: readonly Listing[] = [
  {
    name: 'Lighthouse',
    symbol: 'BEAM',
    description: 'One turn every ten seconds. Sold in rounds before anybody lights it.',
    links: { website: 'https://example.com/lighthouse' },
  },
  {
    name: 'Moon Elevator',
    symbol: 'LIFT',
    description: 'Needs more than it ever gets, and pays everybody back each time.',
    links: { twitter: '@lift_demo' },
  },
];

/** Launched in this order: the first few at once, the others one after another while the market runs. */
export const catalogue: readonly LaunchedListing[] = [
  {
    name: 'Paper Lantern',
    symbol: 'LANTERN',
    curve: 'steady',
    description: 'Light one, pass it on. A token for night markets and the people who stay until the end.',
    links: { website: 'https://example.com/paper-lantern', twitter: '@lantern_demo' },
    predictionsEnabled: true,
  },
  {
    name: 'Slow Train',
    symbol: 'SLOW',
    curve: 'quick',
    description: 'Arrives when it arrives. Every block is a station, and there is always a window seat.',
    links: { website: 'https://example.com/slow-train', telegram: 'slow_train_demo' },
  },
  {
    name: 'Moss',
    symbol: 'MOSS',
    curve: 'scheduled',
    description: 'Grows on everything, quietly. No roadmap, only patience.',
    links: { website: 'https://example.com/moss' },
  },
  {
    name: 'Copper Kettle',
    symbol: 'KETTLE',
    curve: 'steady',
    description: 'Put it on. Half the fees buy tea for the maintainers, the other half more kettles.',
    links: { twitter: '@kettle_demo', telegram: 'copper_kettle_demo' },
  },
  {
    name: 'Tidepool',
    symbol: 'TIDE',
    curve: 'quick',
    description: 'Comes in, goes out. A small pool with a surprising amount of life in it.',
    links: { website: 'https://example.com/tidepool', twitter: '@tidepool_demo' },
  },
  {
    name: 'Night Bus',
    symbol: 'N9',
    curve: 'scheduled',
    description: 'Runs every twenty minutes until dawn. Hold on to the rail.',
    links: { website: 'https://example.com/night-bus', twitter: '@nightbus_demo' },
  },
  {
    name: 'Second Breakfast',
    symbol: 'BRUNCH',
    curve: 'quick',
    description: 'Because the first one was at block zero and that was ages ago.',
    links: { website: 'https://example.com/second-breakfast' },
  },
  {
    name: 'Radio Silence',
    symbol: 'HUSH',
    curve: 'steady',
    description: 'A token that says nothing. Its community says even less.',
    links: {},
  },
  {
    name: 'Corner Shop',
    symbol: 'CORNER',
    curve: 'quick',
    description: 'Open late, knows your name, takes cash. The whole neighbourhood in one mint.',
    links: { website: 'https://example.com/corner-shop', telegram: 'corner_shop_demo' },
  },
  {
    name: 'Kite Weather',
    symbol: 'KITE',
    curve: 'scheduled',
    description: 'Wind from the west, string long enough. Best held with both hands.',
    links: { website: 'https://example.com/kite-weather', twitter: '@kite_demo' },
  },
];
