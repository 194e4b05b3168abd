import type { AreaExplanations } from './explanation.ts';

/** Chain, tokens, market data, staking, presales. */
export const marketExplanations = {
  token_not_found: {
    meaning: 'No visible token has this mint address.',
    when: [
      'The address is a wallet, a pool, or the mint of a token that was launched elsewhere.',
      'The operator has hidden the token: it is then missing everywhere, also in lists and holdings.',
      'The launch happened seconds ago and is not indexed yet.',
    ],
    action:
      'Take mint addresses from `listTokens` or from `launch.created` events. Right after a launch, a second try some seconds later may succeed.',
  },
  holder_stats_not_found: {
    meaning: 'The token is known, but its holders were not counted yet.',
    when: ['The token is new, has no mint on chain yet, or no node lists its accounts right now.'],
    action: 'Ask again some seconds later. Never take it for zero holders.',
  },
  fee_claims_empty: {
    meaning: 'The wallet of the key has nothing to claim that the request asks for.',
    when: [
      'No token pays the wallet anything now, or everything was claimed a moment ago.',
      '`mints`, `kinds` and `minimumLamports` leave nothing.',
    ],
    action:
      'Look at `listClaimableFees`. Go on with `afterMint` where `nextMint` is not null, and try later what is in `unread`.',
    context: {
      unread: {
        meaning: 'tokens of which a part could not be read: nothing is known of what it would pay',
        example: [{ mintAddress: 'So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo', parts: ['positions'] }],
      },
      nextMint: {
        meaning: 'the last token that was looked at; null when there are no more',
        example: null,
      },
    },
  },
  fee_claims_refused: {
    meaning: 'The simulation of the claims fails: the chain would refuse them now.',
    when: [
      'The wallet has too little SOL for the fee and the rent of accounts to open (`reason` `insufficient_funds`).',
      'Each of the claims would be refused by its program (`claims_refused`); `leftOut` has the reason for each.',
      'Another instruction ends with an error (`program_error`), or the runtime refuses the transaction (`refused`).',
    ],
    action:
      'Send SOL to the wallet of the key, or read again what can be claimed: somebody may have claimed it.',
    context: {
      reason: {
        meaning: '`insufficient_funds`, `claims_refused`, `program_error` or `refused`',
        example: 'insufficient_funds',
      },
      programError: {
        meaning: 'the program, the number of its error, and the name that the program gives it, where known',
        example: {
          program: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
          number: 1,
          name: 'InsufficientFunds',
        },
      },
      leftOut: { meaning: 'with `claims_refused`: each claim with its reason', example: [] },
      mintAddress: {
        meaning: 'with `insufficient_funds`, where the balance says so: the mint of wrapped SOL, for SOL',
        example: 'So11111111111111111111111111111111111111112',
      },
      haveRaw: { meaning: 'lamports that the wallet has', example: '5000' },
      needRaw: {
        meaning:
          'lamports that the first refused transaction needs: fees, tip, and the rent of accounts to open',
        example: '2064280',
      },
    },
  },
  fee_state_not_found: {
    meaning: 'The token is known, but its fees are not.',
    when: [
      'The token is new: its pool was not read yet.',
      'The token trades against another token than SOL, or its pool cannot be read.',
      'The token has no pool, and no feed has reported its fees.',
    ],
    action: 'Ask again later. An unknown fee state is never reported as zeros.',
  },
  market_time_range_invalid: {
    meaning: 'The window of candles is empty, reversed, or too long.',
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
    meaning: 'The index of tokens cannot be read right now.',
    when: ['The database is down or restarting.'],
    action:
      'Retry with growing, jittered pauses. What you read before may still be used if its age does not matter.',
  },
  market_data_unavailable: {
    meaning: 'Market data cannot be read right now. Data of unknown age is not returned instead.',
    when: [
      'The database is down or restarting.',
      'For the overview of the platform: no worker has computed it yet, which takes seconds after the first start.',
      'For holdings: no RPC node of the chain responds, or the wallet has more token accounts than can be listed. The latter has a `reason` and a long `Retry-After`.',
    ],
    context: {
      reason: {
        meaning: '`too_many_accounts`; absent for temporary failures',
        example: 'too_many_accounts',
      },
    },
    action:
      'Retry with growing, jittered pauses, never sooner than `Retry-After` says. Do not trade on the last known price without judging its age by `asOf`.',
  },
  manifest_unavailable: {
    meaning:
      'The service has not reached the chain since it started, so it does not know which chain it serves.',
    when: ['No RPC node has responded since the process started.'],
    action: 'Retry with growing, jittered pauses. Do not sign transactions for a chain you could not verify.',
  },
  staking_pool_not_found: {
    meaning: 'The token has no staking pool that the service knows.',
    when: [
      'No visible token has this mint, or staking is not enabled for it.',
      'The pool was created a moment ago and is not indexed yet.',
    ],
    action: 'Treat the token as one without staking. Ask again later if you know that a pool was created.',
  },
  presale_not_found: {
    meaning: 'No public presale has this id.',
    when: ['The id is unknown, or the presale is still a draft.'],
    action: 'Take ids from `listPresales` or from `presale.opened` events.',
  },
  presale_participation_not_found: {
    meaning: "The key's pinned wallet has not deposited into this presale.",
    when: [
      'The deposit was made from another wallet.',
      'The deposit is too recent to be indexed.',
      'No public presale has this id.',
    ],
    action:
      'Compare `walletAddress` of `getApiIdentity` with the wallet that deposited. After a fresh deposit, ask again in some seconds.',
  },
} as const satisfies AreaExplanations;
