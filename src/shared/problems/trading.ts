import { problemArea } from './problem-area.ts';

/** A pool may end with an error of the token program. */
const poolError = {
  meaning:
    'the error of the program. `name` is the name that the program publishes for the number; null if this service does not know it. Numbers below 100 of a pool come from the token program that the pool calls',
  example: {
    program: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
    number: 6002,
    name: 'ExceededSlippage',
  },
};

export const tradingProblems = problemArea('trading', 'Trading', {
  send_route_unavailable: {
    status: 409,
    title: 'Send route unavailable',
    detail: 'This deployment has no address for transactions of this route.',
    meaning: 'No address of the deployment takes transactions of the requested route. Nothing was stored.',
    when: ['`route` is `protected`, and the operator has marked no landing service as protected.'],
    action:
      'Send the request without `route`, or with `fast`, if others may see the transaction before it lands. Ask the operator for a protected address.',
    context: { route: { meaning: 'the requested route', example: 'protected' } },
  },
  token_not_tradable: {
    status: 409,
    title: 'Token not tradable',
    detail: 'The token has no pool that takes swaps now.',
    when: [
      'It is not launched yet, or its launch failed.',
      'Its bonding curve is complete and has not been migrated yet: for some seconds or minutes there is no market.',
      'This service does not trade on the AMM that it was migrated to, or against its quote token.',
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
    status: 422,
    title: 'Swap amount out of range',
    detail: 'The amount is zero, too small to produce any output, or more than the pool can fill.',
    when: [
      'The amount is zero, or too small to produce any output.',
      'The curve has less left to sell, or the pool less to pay, than the swap asks for.',
      'The amount does not fit an instruction (64 bits).',
      'The wallet holds none of the token, or so few that the share `amountBps` rounds down to zero.',
    ],
    action:
      'Choose another amount. On a curve, `context` has the remaining amounts: to buy everything, request `remainingBaseRaw` with `exact-out`.',
    context: {
      reason: {
        meaning: '`too_small`, `exceeds_liquidity`, `above_u64`, `balance_empty`, or `rounds_to_zero`',
        example: 'exceeds_liquidity',
      },
      balanceRaw: { meaning: 'with `amountBps`, the tokens that the wallet holds', example: '9' },
      amountBps: { meaning: 'the requested share of them', example: '1000' },
      programError: poolError,
      remainingQuoteRaw: {
        meaning: 'lamports that the curve still takes, without fees',
        example: '1200000000',
      },
      remainingBaseRaw: { meaning: 'base units that the curve still sells', example: '51000000000000' },
    },
  },
  swap_refused: {
    status: 409,
    title: 'Swap refused',
    detail: 'The chain would refuse this swap now.',
    meaning: 'The swap was simulated on the current state of the chain and would fail. No intent was stored.',
    when: [
      'The wallet lacks SOL for the amount, the fees and the rent of new accounts, or has fewer tokens than it sells.',
      'A token account of the wallet is frozen, or belongs to another owner.',
      'The pool keeps moving beyond the limit, although it was read again.',
    ],
    action:
      'Read `context.retry`. With `insufficient_funds`, fund the wallet or lower the amount: `haveRaw` and `needRaw` show the difference.',
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
        meaning: 'mint of the token that the wallet lacks; the mint of wrapped SOL means SOL',
        example: 'So11111111111111111111111111111111111111112',
      },
      haveRaw: { meaning: 'balance of the wallet, in raw units', example: '5000000' },
      needRaw: {
        meaning:
          'amount that the swap needs; for SOL this includes the network and priority fees, the tip and the rent of new accounts',
        example: '104083560',
      },
      program: {
        meaning: 'address of a program that ended without an error number; null for any other end',
        example: null,
      },
      error: { meaning: 'name of the error of the runtime in that case', example: null },
      programError: poolError,
    },
  },
  swap_quote_outdated: {
    status: 409,
    title: 'Quote outdated',
    detail: 'The pool has moved beyond the limit of the earlier quote.',
    meaning:
      'The pool has moved since the quote whose limit you sent: a swap would now fail. No intent was stored.',
    when: ['Others traded between the quote and the swap.', 'The fee changed by the schedule of the pool.'],
    action: 'Quote again, decide, and send the new limit, or send `slippageBps` instead of `limitRaw`.',
    context: {
      limitRaw: { meaning: 'the limit that was sent', example: '990000' },
      outputRaw: { meaning: 'current output (exact-in)', example: '985000' },
      inputRaw: { meaning: 'current input (exact-out)', example: '1010000' },
      slot: { meaning: 'slot of the accounts from which it was computed', example: '351204117' },
    },
  },
  platform_fee_account_missing: {
    status: 409,
    title: 'No fee account',
    detail: 'The operator has registered no account for platform fees of this customer.',
    when: [
      'The operator of the service has registered no fee account for the account of the API key.',
      'The fee account was removed meanwhile.',
    ],
    action:
      'Ask the operator to register an account (`admin fee-account set`), or send the request without `platformFeeBps`.',
  },
  platform_fee_account_unusable: {
    status: 409,
    title: 'Fee account unusable',
    detail: 'The registered account cannot get this platform fee.',
    when: [
      'The account is empty, and the fee is less than the rent that an account has to hold.',
      'The account is the wallet that swaps: it would pay itself.',
    ],
    action: 'Fund the account once with at least its rent, or register another one.',
    context: {
      reason: { meaning: '`not_rent_exempt` or `is_the_wallet`', example: 'not_rent_exempt' },
      feeAccount: {
        meaning: 'the registered account',
        example: '7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj',
      },
      feeLamports: { meaning: 'the fee, where it is too small', example: '5000' },
    },
  },
  chain_unavailable: {
    status: 503,
    title: 'Chain unavailable',
    detail: 'No node of the chain gives a usable response.',
    meaning: 'No node of the chain gave a usable response. No price is guessed instead.',
    when: [
      'All nodes are down, slow, or limit this service.',
      'The blockhashes of a node contradict the known state of the chain.',
    ],
    action: 'Retry with growing, jittered pauses; swaps with the same `Idempotency-Key`.',
  },
});
