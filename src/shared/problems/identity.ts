import { problemArea } from './problem-area.ts';

export const identityProblems = problemArea('identity', 'Identity and chain', {
  api_key_not_found: {
    status: 404,
    title: 'API key not found',
    detail: 'No API key of this account has this id.',
    when: ['The id is mistyped: it is the third part of the key.', 'The key belongs to another account.'],
    action: 'List the keys of your account with `listApiKeys`.',
  },
  identity_unavailable: {
    status: 503,
    title: 'Identity unavailable',
    detail: 'The key store cannot be reached.',
    when: ['The database is down or restarting.'],
    action:
      'Retry with growing, jittered pauses. The key itself may well be fine; do not replace it because of this.',
  },
  manifest_unavailable: {
    status: 503,
    title: 'Manifest unavailable',
    detail: 'The chain has not been reached yet.',
    meaning:
      'The service has not reached the chain since it started, so it does not know which chain it serves.',
    when: ['No RPC node has responded since the process started.'],
    action: 'Retry with growing, jittered pauses. Do not sign transactions for a chain you could not verify.',
  },
});
