// A receiver on Express. It needs `express` and the package `launchwire` (packages/client).
import express from 'express';
import { WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';

const verifier = webhookVerifier({ secrets: (process.env.LAUNCHWIRE_WEBHOOK_SECRET ?? '').split(' ') });
const app = express();

// Keep the raw bytes: express.json() would lose them.
app.post('/webhooks', express.raw({ type: () => true, limit: '128kb' }), async (request, response) => {
  try {
    const { id, event } = await verifier.verify(request.body, request.headers);
    // Store the event under its id here, once, before you respond; process it afterwards.
    console.log(id, event.type);
    response.status(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).end();
  }
});
app.listen(Number(process.env.PORT ?? 8000), '127.0.0.1');
