import { API_PREFIX, INTERNAL_PREFIX } from '../../shared/api-prefix.ts';
import { internalRatePolicies, ratePolicies } from '../../shared/rate-policies.ts';
import { scopeMeanings } from '../../shared/scopes.ts';
import { serviceGroupMeanings } from '../../shared/service-groups.ts';
import type { SchemaOptions } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { webhookObjects } from './webhooks.ts';

/** Differences between the documents of the public and the internal API. */
export interface Surface {
  title: string;
  version: string;
  summary: string;
  introduction(options: DocumentationOptions): string;
  serverUrl(options: DocumentationOptions): string;
  prefix: string;
  /** Name of the security scheme, which operations refer to. */
  schemeName: string;
  scheme: object;
  /** The credential of a caller, in descriptions. */
  keyName: string;
  ratePolicies: readonly string[];
  /** Requests to subscribers; absent where there are none. */
  webhooks?(options: DocumentationOptions, schemas: SchemaOptions): Record<string, object>;
}

const securityScheme = {
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
const serviceKeyScheme = {
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

export const publicSurface: Surface = {
  title: 'Launchwire API',
  version: '2',
  summary: 'Token launches, market data, wallet-signed transactions and webhooks on Solana',
  introduction,
  serverUrl: ({ publicUrl }) => `${publicUrl}${API_PREFIX}`,
  prefix: API_PREFIX,
  schemeName: 'apiKey',
  scheme: securityScheme,
  keyName: 'API key',
  ratePolicies: Object.keys(ratePolicies),
  webhooks: webhookObjects,
};

export const internalSurface: Surface = {
  title: 'Launchwire internal API',
  version: '1',
  summary: "Operations for the platform's own backend",
  introduction: internalIntroduction,
  // Only the operator knows the server's address; the document is served there.
  serverUrl: () => INTERNAL_PREFIX,
  prefix: INTERNAL_PREFIX,
  schemeName: 'serviceKey',
  scheme: serviceKeyScheme,
  keyName: 'service key',
  ratePolicies: Object.keys(internalRatePolicies),
};

/** The introduction before the operations. */
function introduction({ publicUrl, docsUrl }: DocumentationOptions): string {
  return `Everything under \`${publicUrl}/api/v2\` is the contract; nothing else is.

### Authenticate

Reading tokens and market data needs no credential. Everything that belongs to an account takes an API key:

\`\`\`
curl ${publicUrl}/api/v2/me -H "Authorization: Bearer $LAUNCHWIRE_API_KEY"
\`\`\`

Try requests from this page with **Authorize**; the key stays in the memory of this tab.

### Change things once

Every POST, PATCH and DELETE takes an \`Idempotency-Key\`. When a connection breaks, send the same request with the same key: either it is carried out, or the stored response comes back with \`Idempotent-Replayed: true\`. Records with a \`version\` also take \`If-Match\` with that version in double quotes.

### Handle errors

Errors are Problem Details (RFC 9457). Branch on \`code\`, which never changes; show or log \`detail\`. [Every code is explained](${docsUrl}/reference/errors), with what to do and whether to retry.

### Stay within the limits

Responses carry \`X-RateLimit-Policy\`, \`-Limit\`, \`-Remaining\` and \`-Reset\`, and the fields \`RateLimit-Policy\` and \`RateLimit\` of the IETF draft. After a 429, wait \`Retry-After\` seconds. Anonymous reads return \`304\` for \`If-None-Match\`, which saves both sides work. HEAD works wherever GET does.

### Read pages

Lists take \`limit\` and \`cursor\`, and return \`page.nextCursor\`, null on the last page. A cursor belongs to its query: keep the filters, and change only \`limit\`.

### Exact numbers

Amounts, prices, slots and block heights are strings, exact to the last digit. Parse them with big integers or decimals, never with floats. New fields may be added to responses at any time; ignore those you do not know.

### Receive events

Register an endpoint instead of polling. [Every event type is described](${docsUrl}/reference/events), with its JSON Schema and how to verify signatures.`;
}

/** The introduction of the internal API. */
function internalIntroduction({ docsUrl }: DocumentationOptions): string {
  return `For the backend of the platform that runs this deployment. It is no part of the contract and may change with any release; requests, errors, idempotency and headers are those of the public API.

Authenticate with a service key (\`service-key create\` of the admin CLI): \`Authorization: Bearer lws_…\`. Every POST takes an \`Idempotency-Key\`; keys belong to the service key that sent them. [Every error code is explained](${docsUrl}/reference/errors).`;
}
