import type { Operation } from '../../http/operation.ts';
import type { DocumentationOptions } from '../options.ts';

type Scope = Extract<Operation['auth'], readonly unknown[]>[number];

/** What a scope opens (contract/authentication#scopes). */
const scopeMeanings: Readonly<Record<Scope, string>> = {
  'operations:read': 'read operations and transaction intents',
  'transactions:write': 'submit wallet-signed transactions',
  'staking:read': "read the wallet's staking positions",
  'fees:read': 'read fee state and fee distributions',
  'presales:read': "read the wallet's participation in presales",
  'predictions:read': 'read eligibility and own predictions',
  'predictions:write': 'submit predictions',
  'webhooks:read': 'read webhook endpoints and deliveries',
  'webhooks:write': 'create, change and delete webhook endpoints, replay deliveries',
};

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

/** Functional areas (contract/endpoints#areas), in reading order. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  System: 'What this deployment runs on: chain, programs, limits.',
  Identity: 'Who an API key is.',
  Tokens: 'Launched tokens and who holds them.',
  'Market data': 'Prices, trades, candles, holders and supply of a token.',
  Launches: 'How tokens come into being.',
  Trading: 'Quotes and trades.',
  Staking: 'Staking pools, their leaders, and your own positions.',
  Fees: 'What a token earned and to whom it went.',
  Presales: 'Raises before a launch.',
  Predictions: 'Rounds in which wallets predict a price.',
  Audience: 'Exports of who takes part.',
  Operations: 'Long-running work, and transactions that wait for a wallet signature.',
  Webhooks: 'Signed events pushed to your endpoints.',
};

/** The introduction that stands above the operations. */
export function overview({ publicUrl, docsUrl }: DocumentationOptions): string {
  return `Everything under \`${publicUrl}/api/v2\` is the contract; nothing else is.

### Authenticate

Reading tokens and market data needs no credential. Everything that belongs to an account takes an API key:

\`\`\`
curl ${publicUrl}/api/v2/me -H "Authorization: Bearer $LAUNCHWIRE_API_KEY"
\`\`\`

Try requests from this page with **Authorize**; the key stays in the memory of this tab.

### Change things once

Every POST, PATCH and DELETE takes an \`Idempotency-Key\`. When a connection breaks, send the same request with the same key: either it is carried out, or the stored answer comes back with \`Idempotent-Replayed: true\`. Records with a \`version\` also take \`If-Match\` with that version in double quotes.

### Handle errors

Errors are Problem Details (RFC 9457). Branch on \`code\`, which never changes; show or log \`detail\`. [Every code is explained](${docsUrl}/reference/errors), with what to do and whether to retry.

### Stay within the limits

Answers carry \`X-RateLimit-Policy\`, \`-Limit\`, \`-Remaining\` and \`-Reset\`. After a 429, wait \`Retry-After\` seconds. Anonymous reads answer \`304\` to \`If-None-Match\`, which saves both sides work. HEAD works wherever GET does.

### Read pages

Lists take \`limit\` and \`cursor\`, and answer \`page.nextCursor\`, null on the last page. A cursor belongs to its query: keep the filters, and change only \`limit\`.

### Exact numbers

Amounts, prices, slots and block heights are strings, exact to the last digit. Parse them with big integers or decimals, never with floats. New fields may be added to responses at any time; ignore those you do not know.

### Receive events

Register an endpoint instead of polling. [Every event type is described](${docsUrl}/reference/events), with its JSON Schema and how to verify signatures.`;
}
