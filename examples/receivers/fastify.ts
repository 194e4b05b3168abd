// A receiver on Fastify. It needs `fastify` and the package `launchwire` (packages/client).
import Fastify from 'fastify';
import { WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';

// Throws at the start unless the variable holds secrets, with white space between them.
const verifier = webhookVerifier({ secrets: process.env.LAUNCHWIRE_WEBHOOK_SECRET });
const app = Fastify({ bodyLimit: 128 * 1024 });

// Keep the raw bytes: the parser of JSON would lose them.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post<{ Body: Buffer }>('/webhooks', async (request, reply) => {
  try {
    const { id, event } = await verifier.verify(request.body, request.headers);
    // Store the event under its id here, once, before you respond; process it afterwards.
    console.log(id, event.type);
    return reply.code(204).send();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return reply.code(400).send();
  }
});
await app.listen({ port: Number(process.env.PORT ?? 8000), host: '127.0.0.1' });
