import type { DocumentationOptions } from '../options.ts';

/** The introduction before the operations. */
export function introduction({ publicUrl, docsUrl }: DocumentationOptions): string {
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

Responses carry \`X-RateLimit-Policy\`, \`-Limit\`, \`-Remaining\` and \`-Reset\`. After a 429, wait \`Retry-After\` seconds. Anonymous reads return \`304\` for \`If-None-Match\`, which saves both sides work. HEAD works wherever GET does.

### Read pages

Lists take \`limit\` and \`cursor\`, and return \`page.nextCursor\`, null on the last page. A cursor belongs to its query: keep the filters, and change only \`limit\`.

### Exact numbers

Amounts, prices, slots and block heights are strings, exact to the last digit. Parse them with big integers or decimals, never with floats. New fields may be added to responses at any time; ignore those you do not know.

### Receive events

Register an endpoint instead of polling. [Every event type is described](${docsUrl}/reference/events), with its JSON Schema and how to verify signatures.`;
}

/** The introduction of the internal API. */
export function internalIntroduction({ docsUrl }: DocumentationOptions): string {
  return `For the backend of the platform that runs this deployment. It is no part of the contract and may change with any release; requests, errors, idempotency and headers are those of the public API.

Authenticate with a service key (\`service-key create\` of the admin CLI): \`Authorization: Bearer lws_…\`. Every POST takes an \`Idempotency-Key\`; keys belong to the service key that sent them. [Every error code is explained](${docsUrl}/reference/errors).`;
}
