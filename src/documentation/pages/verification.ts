import { codeBlock } from '../highlight.ts';
import { type Html, html, prose } from '../html.ts';

const SNIPPET = `import { webhookVerifier } from 'launchwire/webhooks';

const verifier = webhookVerifier({ secrets: process.env.LAUNCHWIRE_WEBHOOK_SECRET }); // whsec_…

export async function receive(request) {
  // The original bytes: parsing and serialising again would change them.
  const body = await request.text();
  // Throws unless the event is genuine and recent.
  const { id, event } = await verifier.verify(body, request.headers);
  // The same id may come again: store it once.
  await storeOnce(id, event);
  return new Response(null, { status: 204 });
}`;

const steps = [
  'At the start, refuse a secret that is not `whsec_` and the base64 of 24 to 64 bytes: under an empty key anybody can sign.',
  'Take the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and the raw body.',
  'Refuse a timestamp (Unix seconds) more than five minutes away from your clock.',
  'Compute HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. The key is the base64 part of the secret, decoded.',
  'Compare its base64, in constant time, with each signature in the header that begins with `v1,`. One match is enough: while a secret is being rotated there are two.',
];

/**
 * Explains how a receiver verifies that a delivery comes from this service (contract/webhooks#signatures).
 */
export function verification(): Html {
  return html`<h2 id="verify">Verify the signature</h2>
<p>${prose('Deliveries follow the Standard Webhooks specification, so its libraries and our package `launchwire` verify them with the endpoint’s `secret`.')}</p>
${codeBlock(SNIPPET, 'ts')}
<details><summary>Without a library</summary><ol>${steps.map((step) => html`<li>${prose(step)}</li>`)}</ol></details>
<p>${prose('Signatures that begin with `v1a,` are Ed25519 over the same content, with the keys of the endpoint at `/.well-known/webhook-public-keys/{endpointId}`, which are also a JSON Web Key Set at `/.well-known/webhook-public-keys/{endpointId}/jwks.json`. They let a receiver verify an event without knowing your secret. Do not verify with the list that names no endpoint: its key is shared by all of them, and ends at the time in its header `Sunset`.')}</p>`;
}
