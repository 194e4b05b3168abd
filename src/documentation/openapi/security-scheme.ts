import { scopeMeanings } from '../../shared/scopes.ts';
import { serviceGroupMeanings } from '../../shared/service-groups.ts';

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

/** For the internal API. */
export const serviceKeyScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'lws_<keyId>_<secret>',
  description: [
    "A key of the platform's own backend: `Authorization: Bearer lws_…`. It acts for every account.",
    'A key must carry the group of an operation:',
    Object.entries(serviceGroupMeanings)
      .map(([group, meaning]) => `- \`${group}\`: ${meaning}`)
      .join('\n'),
  ].join('\n\n'),
} as const;
