import { problemArea } from './problem-area.ts';

export const marketProblems = problemArea('market', 'Tokens and market data', {
  token_not_found: {
    status: 404,
    title: 'Token not found',
    detail: 'No visible token has this mint address.',
    when: [
      'The address is a wallet, a pool, or the mint of a token that was launched elsewhere.',
      'The operator has hidden the token: it is then missing everywhere, also in lists and holdings.',
      'The launch happened seconds ago and is not indexed yet.',
    ],
    action:
      'Take mint addresses from `listTokens` or from `launch.created` events. Right after a launch, a second try some seconds later may succeed.',
  },
  holder_stats_not_found: {
    status: 404,
    title: 'Holder statistics not found',
    detail: 'No holder snapshot is indexed yet.',
    meaning: 'The token is known, but its holders were not counted yet.',
    when: ['The token is new, has no mint on chain yet, or no node lists its accounts right now.'],
    action: 'Ask again some seconds later. Never take it for zero holders.',
  },
  market_time_range_invalid: {
    status: 422,
    title: 'Invalid time range',
    detail: 'The window is empty, reversed, or holds more than 1,000 points.',
    when: [
      '`from` is the same as `to`, or after it.',
      'The window holds more than 1,000 buckets of the interval, e.g. more than 16 hours and 40 minutes of `1m`.',
    ],
    action: 'Split long windows: begin each at the `to` of the one before, or use a longer interval.',
    context: {
      reason: {
        meaning: '`empty`, `too_long`, or `out_of_range` (years outside 0 to 9999)',
        example: 'too_long',
      },
    },
  },
  token_index_unavailable: {
    status: 503,
    title: 'Token index unavailable',
    detail: 'The token index cannot be reached.',
    when: ['The database is down or restarting.'],
    action:
      'Retry with growing, jittered pauses. What you read before may still be used if its age does not matter.',
  },
  market_data_unavailable: {
    status: 503,
    title: 'Market data unavailable',
    detail: 'Market data cannot be read.',
    meaning: 'Market data cannot be read right now. Data of unknown age is not returned instead.',
    when: [
      'The database is down or restarting.',
      'For the overview of the platform: no worker has computed it yet, which takes seconds after the first start.',
      'For holdings: no RPC node of the chain responds, or the wallet has more token accounts than can be listed. The latter has a `reason` and a long `Retry-After`.',
    ],
    action:
      'Retry with growing, jittered pauses, never sooner than `Retry-After` says. Do not trade on the last known price without judging its age by `asOf`.',
    context: {
      reason: { meaning: '`too_many_accounts`; absent for temporary failures', example: 'too_many_accounts' },
    },
  },
});
