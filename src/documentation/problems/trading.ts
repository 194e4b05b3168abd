import type { AreaExplanations } from './explanation.ts';

const programError = {
  meaning:
    'the error of the program, by number; `name` is the one that the program publishes, null for one that this service does not know. Numbers below 100 of a pool come from the token program that it calls',
  example: { program: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN', number: 6002, name: 'ExceededSlippage' },
};

/** Quotes and swaps. Nothing is stored for a refused swap. */
export const tradingExplanations = {
  token_not_tradable: {
    meaning: 'The token is known, but no pool takes swaps of it now.',
    when: [
      'It is not launched yet, or its launch failed.',
      'Its bonding curve is complete and has not been migrated yet: the seconds or minutes in between have no market.',
      'It was migrated to an AMM, or is paid for with a token, that this service does not trade.',
    ],
    action:
      'Read `context.reason`. While `migrating`, wait for `token.graduated` and quote again; the other reasons do not pass by themselves.',
    context: {
      status: { meaning: 'status of the token', example: 'graduating_migration_pending' },
      reason: {
        meaning:
          '`not_launched`, `migrating`, `amm_unsupported`, `quote_token_unsupported`, `pool_disabled`, or `pool_refuses`',
        example: 'migrating',
      },
    },
  },
  swap_amount_out_of_range: {
    meaning: 'No swap of this amount is possible on this pool.',
    when: [
      'The amount is zero, or so small that nothing comes out.',
      'The curve has less left to sell, or the pool less to pay, than the swap asks for.',
      'The amount does not fit an instruction (64 bits).',
    ],
    action:
      'Choose another amount. On a curve, `context` tells what is left: to buy all of it, ask for `remainingBaseRaw` with `exact-out`.',
    context: {
      reason: { meaning: '`too_small`, `exceeds_liquidity`, or `above_u64`', example: 'exceeds_liquidity' },
      programError,
      remainingQuoteRaw: {
        meaning: 'lamports that the curve still takes, fees apart',
        example: '1200000000',
      },
      remainingBaseRaw: { meaning: 'base units that the curve still sells', example: '51000000000000' },
    },
  },
  swap_refused: {
    meaning: 'The swap was run against the chain as it is now, and would fail. No intent was stored.',
    when: [
      'The wallet lacks SOL for the amount, the fees and the rent of new accounts, or has fewer tokens than it sells.',
      'A token account of the wallet is frozen, or belongs to somebody else.',
      'The pool keeps moving beyond the limit, although it was read again.',
    ],
    action:
      'Read `context.retry`. With `insufficient_funds`, fund the wallet or lower the amount: `haveRaw` and `needRaw` say by how much.',
    context: {
      reason: {
        meaning: '`insufficient_funds`, `program_error`, or `refused`',
        example: 'insufficient_funds',
      },
      retry: {
        meaning:
          '`no`; `repeat`: send the same request again; `quote_again`: the pool has moved, so take a new quote first',
        example: 'no',
      },
      mintAddress: {
        meaning: 'what the wallet has too little of; the mint of wrapped SOL means SOL',
        example: 'So11111111111111111111111111111111111111112',
      },
      haveRaw: { meaning: 'what the wallet has of it, in raw units', example: '5000000' },
      needRaw: {
        meaning:
          'what the swap needs of it; of SOL the amount, the fees of network and priority, the tip and the rent of accounts to open',
        example: '104083560',
      },
      program: { meaning: 'the program, when it ended without a number of its own', example: null },
      error: { meaning: 'the name of the error of the runtime in that case', example: null },
      programError,
    },
  },
  swap_quote_outdated: {
    meaning:
      'The pool has moved since the quote whose limit you sent: a swap would now fail. No intent was stored.',
    when: ['Others traded between the quote and the swap.', 'The fee changed by the schedule of the pool.'],
    action: 'Quote again, decide, and send the new limit, or send `slippageBps` instead of `limitRaw`.',
    context: {
      limitRaw: { meaning: 'the limit that was sent', example: '990000' },
      outputRaw: { meaning: 'what would come out now (exact-in)', example: '985000' },
      inputRaw: { meaning: 'what would go in now (exact-out)', example: '1010000' },
      slot: { meaning: 'slot of the accounts it was computed from', example: '351204117' },
    },
  },
  chain_unavailable: {
    meaning: 'No node of the chain gave a response that can be used. No price is guessed instead.',
    when: [
      'All nodes are down, slow, or limit this service.',
      'What a node says of blockhashes contradicts what is known of the chain.',
    ],
    action: 'Retry with growing, jittered pauses; swaps with the same `Idempotency-Key`.',
  },
} as const satisfies AreaExplanations;
