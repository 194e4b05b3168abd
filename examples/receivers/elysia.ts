// A receiver on Elysia, for Bun. It needs `elysia` and the package `launchwire` (packages/client).
import { Elysia } from 'elysia';
import { WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';

// Throws at the start unless the variable holds secrets, with white space between them.
const verifier = webhookVerifier({ secrets: process.env.LAUNCHWIRE_WEBHOOK_SECRET });

// `parse: 'none'` keeps the raw bytes.
const receive = async ({ request }: { request: Request }) => {
  try {
    const { id, event } = await verifier.verify(await request.text(), request.headers);
    // Store the event under its id here, once, before you respond; process it afterwards.
    console.log(id, event.type);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(null, { status: 400 });
  }
};

new Elysia({ serve: { maxRequestBodySize: 128 * 1024 } })
  .post('/webhooks', receive, { parse: 'none' })
  .listen({ port: Number(process.env.PORT ?? 8000), hostname: '127.0.0.1' });
