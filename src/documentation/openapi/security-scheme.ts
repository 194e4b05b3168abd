import { scopeMeanings } from '../../shared/scopes.ts';

export const SECURITY_SCHEME = 'apiKey';

export const securityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'lw_<environment>_<keyId>_<secret>',
  description: [
    'A server-side API key: `Authorization: Bearer lw_test_…`. It belongs to one account and is pinned to one ' +
      'wallet. Never ship it in a browser or mobile app.',
    'A key must carry every scope that an operation lists:',
    Object.entries(scopeMeanings)
      .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
      .join('\n'),
    'Scopes of a key never grow; create another key instead.',
  ].join('\n\n'),
} as const;
