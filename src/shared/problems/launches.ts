import { LASTING_RETRY_AFTER_SECONDS, problemArea, programError } from './problem-area.ts';

export const launchesProblems = problemArea('launches', 'Launches', {
  launches_unavailable: {
    status: 503,
    retryAfterSeconds: LASTING_RETRY_AFTER_SECONDS,
    title: 'Launches unavailable',
    detail: 'This deployment launches no tokens.',
    when: [
      'The operator has configured no curve.',
      'The account of the named launch config, or of the default one, is no config of a bonding curve that is quoted in SOL.',
    ],
    action: 'Take a config that `listLaunchConfigs` shows as available, or ask the operator.',
  },
  launch_not_found: {
    status: 404,
    title: 'Launch not found',
    detail: 'No launch of this account has this id.',
    when: ['The id is unknown, or the launch belongs to another account.'],
    action: 'Use the `id` as returned by `createLaunch`, with a key of the same account.',
  },
  launch_limit_reached: {
    status: 409,
    title: 'Launch limit reached',
    detail: 'An account has at most 20 launches that have not ended.',
    when: ['A 21st launch is prepared while 20 others wait for a signature or for the chain.'],
    action: 'Sign and submit the ones you have, or wait: an unsigned one expires within two minutes.',
    context: { limit: { meaning: 'maximum number of unfinished launches of an account', example: 20 } },
  },
  launch_config_not_found: {
    status: 404,
    title: 'Launch config not found',
    detail: 'No launch config of this deployment has this name.',
    when: ['The name is misspelt, or the operator no longer offers it.'],
    action: 'Take a `name` of `listLaunchConfigs`.',
    context: { config: { meaning: 'the name in the request', example: 'steep' } },
  },
  launch_buy_out_of_range: {
    status: 422,
    title: 'Initial buy out of range',
    detail: 'The curve does not take an initial buy of this amount.',
    when: [
      '`amountRaw` is more than the curve can sell before it is complete, or more than 64 bits.',
      'It is too small for a single base unit of output.',
    ],
    action: 'Buy less, or launch without `initialBuy`.',
    context: {
      maximumAmountRaw: { meaning: 'the largest amount, fee included, in lamports', example: '85850000000' },
    },
  },
  launch_refused: {
    status: 409,
    title: 'Launch refused',
    detail: 'The chain would refuse the launch now.',
    when: [
      'The wallet has too little SOL for the rent of the new accounts, the fee and the initial buy (`reason` `insufficient_funds`).',
      'A program ends with an error (`program_error`), or the runtime refuses the transaction (`refused`).',
    ],
    action: 'Send SOL to the wallet of the key, and prepare the launch again.',
    context: {
      reason: {
        meaning: '`insufficient_funds`, `program_error` or `refused`',
        example: 'insufficient_funds',
      },
      programError: programError('dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN', 1, 'InsufficientFunds'),
      mintAddress: {
        meaning:
          'with `insufficient_funds`, if it is known: the mint of what is missing; the mint of wrapped SOL means SOL',
        example: 'So11111111111111111111111111111111111111112',
      },
      haveRaw: { meaning: 'lamports that the wallet has', example: '5000000' },
      needRaw: {
        meaning:
          'minimum lamports for the launch: the rent of its accounts, the fees, the tip, and the first buy',
        example: '120083560',
      },
    },
  },
  creator_transfer_refused: {
    status: 409,
    title: 'Change of creator refused',
    detail: 'The pool of the token cannot be given to another creator now.',
    when: [
      'The token has no pool on the bonding curve (`reason` `no_pool`).',
      'The wallet of the key is not the creator of the pool (`not_creator`).',
      'The curve is complete and has not migrated yet (`migrating`).',
      'The pool has migrated to DAMM v1, and creator or partner have not claimed or locked all of their liquidity (`liquidity_pending`).',
      'The wallet cannot pay for the transaction (`insufficient_funds`).',
      'The program ends with another error (`program_error`), or the runtime refuses the transaction (`refused`).',
    ],
    action:
      'Use a key whose wallet is the creator. With `migrating`, wait until the token is `graduated`. With `insufficient_funds`, send SOL to the wallet.',
    context: {
      reason: {
        meaning:
          '`no_pool`, `not_creator`, `migrating`, `liquidity_pending`, `insufficient_funds`, `program_error` or `refused`',
        example: 'not_creator',
      },
      creatorWallet: {
        meaning: 'with `not_creator`, if it was read: the creator of the pool',
        example: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
      },
      programError: programError('dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN', 6038, 'InvalidAccount'),
      mintAddress: {
        meaning: 'with `insufficient_funds`: the mint of what is missing; the mint of wrapped SOL means SOL',
        example: 'So11111111111111111111111111111111111111112',
      },
      haveRaw: { meaning: 'lamports that the wallet has', example: '4000' },
      needRaw: { meaning: 'lamports that the transaction costs at most', example: '5000' },
    },
  },
});
