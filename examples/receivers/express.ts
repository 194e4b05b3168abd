// A receiver on Express 4 or 5. It needs `express` and the package `launchwire` (packages/client).
import express from 'express';
import { WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';

// Throws at the start unless the variable holds secrets, with white space between them.
const verifier = webhookVerifier({ secrets: process.env.LAUNCHWIRE_WEBHOOK_SECRET });
const app = express();

// Keep the raw bytes: express.json() would lose them.
app.post('/webhooks', express.raw({ type: () => true, limit: '128kb' }), async (request, response, next) => {
  try {
    const { id, event } = await verifier.verify(request.body, request.headers);
    // Store the event under its id here, once, before you respond; process it afterwards.
    console.log(id, event.type);
    response.status(204).end();
  } catch (error) {
    // Not `throw`: in Express 4 a rejected handler ends the process.
    if (error instanceof WebhookVerificationError) response.status(400).end();
    else next(error);
  }
});
app.listen(Number(process.env.PORT ?? 8000), '127.0.0.1');
