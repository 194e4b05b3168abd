import { problemArea } from './problem-area.ts';

export const presalesProblems = problemArea('presales', 'Staking and presales', {
  staking_pool_not_found: {
    status: 404,
    title: 'Staking pool not found',
    detail: 'Staking is not enabled, or the pool is not indexed yet.',
    when: [
      'No visible token has this mint, or staking is not enabled for it.',
      'The pool was created a moment ago and is not indexed yet.',
    ],
    action: 'Treat the token as one without staking. Ask again later if you know that a pool was created.',
  },
  presale_not_found: {
    status: 404,
    title: 'Presale not found',
    detail: 'No public presale has this id.',
    when: ['The id is unknown, or the presale is still a draft.'],
    action: 'Take ids from `listPresales` or from `presale.opened` events.',
  },
  presale_participation_not_found: {
    status: 404,
    title: 'Participation not found',
    detail: 'The wallet has not participated in this presale.',
    meaning: "The key's pinned wallet has not deposited into this presale.",
    when: [
      'The deposit was made from another wallet.',
      'The deposit is too recent to be indexed.',
      'No public presale has this id.',
    ],
    action:
      'Compare `walletAddress` of `getApiIdentity` with the wallet that deposited. After a fresh deposit, ask again in some seconds.',
  },
});
