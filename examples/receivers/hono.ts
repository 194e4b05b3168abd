// A receiver on Hono, for Bun, Deno, Workers or Node. It needs `hono` and the package `launchwire` (packages/client).
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';

// Throws at the start unless the variable holds secrets, with white space between them.
const verifier = webhookVerifier({ secrets: process.env.LAUNCHWIRE_WEBHOOK_SECRET });
const app = new Hono();

app.post('/webhooks', bodyLimit({ maxSize: 128 * 1024 }), async (context) => {
  try {
    const { id, event } = await verifier.verify(await context.req.text(), context.req.raw.headers);
    // Store the event under its id here, once, before you respond; process it afterwards.
    console.log(id, event.type);
    return context.body(null, 204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return context.body(null, 400);
  }
});

// Bun serves this export; on Node: serve({ fetch: app.fetch, port: 8000 }) of @hono/node-server.
export default { port: Number(process.env.PORT ?? 8000), hostname: '127.0.0.1', fetch: app.fetch };
