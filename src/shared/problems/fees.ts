import { problemArea, programError } from './problem-area.ts';

export const feesProblems = problemArea('fees', 'Fees', {
  fee_claims_empty: {
    status: 409,
    title: 'Nothing to claim',
    detail: 'The wallet has nothing to claim that this request asks for.',
    when: [
      'No token pays the wallet anything now, or everything was claimed a moment ago.',
      '`mints`, `kinds` and `minimumLamports` leave nothing.',
    ],
    action:
      'Read `listClaimableFees`. If `nextMint` is not null, continue with it as `afterMint`. Try the tokens in `unread` again later.',
    context: {
      unread: {
        meaning: 'tokens of which some parts could not be read; what those would pay is unknown',
        example: [
          {
            mintAddress: 'So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo',
            parts: ['positions'],
          },
        ],
      },
      nextMint: { meaning: 'the last token that was read; null if there are no more', example: null },
    },
  },
  fee_claims_refused: {
    status: 409,
    title: 'Claims refused',
    detail: 'The chain would refuse these claims now.',
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
      programError: programError('dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN', 1, 'InsufficientFunds'),
      leftOut: {
        meaning: 'with `claims_refused`: each claim with its reason',
        example: [],
      },
      mintAddress: {
        meaning:
          'with `insufficient_funds`, if it is known: the mint of what is missing; the mint of wrapped SOL means SOL',
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
    status: 404,
    title: 'Fee state not found',
    detail: 'The fees of this token were not read yet.',
    when: [
      'The token is new: its pool was not read yet.',
      'The token trades against another token than SOL, or its pool cannot be read.',
      'The token has no pool, and no feed has reported its fees.',
    ],
    action: 'Ask again later. An unknown fee state is never reported as zeros.',
  },
});
