// A receiver on Next.js, as app/webhooks/route.ts. It needs the package `launchwire` (packages/client).
import { WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';

// Throws at the start unless the variable holds secrets, with white space between them.
const verifier = webhookVerifier({ secrets: process.env.LAUNCHWIRE_WEBHOOK_SECRET });

export async function POST(request: Request): Promise<Response> {
  try {
    const { id, event } = await verifier.verify(await request.text(), request.headers);
    // Store the event under its id here, once, before you respond; process it afterwards.
    console.log(id, event.type);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(null, { status: 400 });
  }
}
