// A receiver on Node. It needs the package `launchwire` (packages/client).
import { createServer } from 'node:http';
import { WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';

// Throws at the start unless the variable holds secrets, with white space between them.
const verifier = webhookVerifier({ secrets: process.env.LAUNCHWIRE_WEBHOOK_SECRET });
const BODY_BYTES_MAX = 128 * 1024;

const server = createServer(async (request, response) => {
  try {
    let size = 0;
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      size += chunk.length;
      if (size > BODY_BYTES_MAX) {
        response.writeHead(413).end();
        return;
      }
      chunks.push(chunk);
    }
    const { id, event } = await verifier.verify(Buffer.concat(chunks), request.headers);
    // Store the event under its id here, once, before you respond; process it afterwards.
    console.log(id, event.type);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) console.error(error);
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1');
