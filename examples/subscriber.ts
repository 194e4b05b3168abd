// A webhook receiver to copy: verify the raw bytes, respond immediately, process later, each event once. Run it while a
// sandbox runs (`npm start`): npm run example:subscriber. `kill -HUP` rotates its secret, Ctrl-C deletes its endpoint.
import { existsSync, readFileSync } from 'node:fs';
import { createClient, isLaunchwireError } from 'launchwire';
import { type WebhookEvent, WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';

const stateFile = process.env.LAUNCHWIRE_STATE ?? '.sandbox/state.json';
const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
const baseUrl = process.env.LAUNCHWIRE_BASE_URL ?? state.baseUrl;
const apiKey = process.env.LAUNCHWIRE_API_KEY ?? state.apiKey;
if (!baseUrl || !apiKey) {
  console.error('Start the sandbox first (npm start), or set LAUNCHWIRE_BASE_URL and LAUNCHWIRE_API_KEY.');
  process.exit(1);
}
const client = createClient({ baseUrl, apiKey });

// The newest secret and, while a rotation overlaps, the previous one: a delivery may be signed with either.
let secrets: { secret: string; until: number }[] = [];
const registered = Promise.withResolvers<void>();
const verifier = webhookVerifier({
  // The first delivery may arrive before the response that holds the secret.
  secrets: async () => {
    await registered.promise;
    return secrets.filter(({ until }) => until > Date.now()).map(({ secret }) => secret);
  },
});

// Keep yours in a database: a delivery that got a 2xx is not sent again, so store the event and its webhook-id in one
// transaction before you respond.
const seen = new Set<string>();
const SEEN_MAX = 10_000;
const queue: WebhookEvent[] = [];

/** True the first time. A delivery is repeated when our response was lost and when it is replayed. */
function isNew(webhookId: string): boolean {
  if (seen.has(webhookId)) return false;
  seen.add(webhookId);
  if (seen.size > SEEN_MAX) for (const oldest of seen.values().take(1)) seen.delete(oldest);
  return true;
}

async function receive(request: Request): Promise<Response> {
  try {
    // The raw text: JSON that was parsed and serialised again has other bytes, for which the signature is invalid.
    const { id, event } = await verifier.verify(await request.text(), request.headers);
    if (isNew(id)) {
      queue.push(event);
      setImmediate(processNext);
    } else console.log(`duplicate  ${id}: already received`);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused    ${JSON.stringify(request.headers.get('webhook-id'))}: ${error.message}`);
    return new Response(null, { status: 400 });
  }
}

/** Runs after the response: the sender waits at most 10 s, and processing may take longer. */
function processNext(): void {
  const event = queue.shift();
  if (event === undefined) return;
  const { id, type, subject, data } = event;
  console.log(`processed  ${id} ${type} ${JSON.stringify({ subject, data })}`);
}

const port = Number(process.env.LAUNCHWIRE_WEBHOOK_PORT ?? 0);
const server = Bun.serve({ hostname: '127.0.0.1', port, maxRequestBodySize: 128 * 1024, fetch: receive });
const url = process.env.LAUNCHWIRE_WEBHOOK_URL ?? `http://127.0.0.1:${server.port}/webhooks`;

async function register(): Promise<string> {
  const { id, secret } = await client.createWebhookEndpoint({ url, description: 'Example subscriber' });
  secrets = [{ secret, until: Number.POSITIVE_INFINITY }];
  registered.resolve();
  console.log(`listening  ${url} as endpoint ${id}`);
  return id;
}

/** For an hour deliveries are signed with the old secret as well, so that none is refused meanwhile. */
async function rotate(endpointId: string): Promise<void> {
  const { secret } = await client.rotateWebhookSecret({ endpointId, previousSecretTtlSeconds: 3600 });
  const old = secrets.slice(0, 1).map((one) => ({ secret: one.secret, until: Date.now() + 3_600_000 }));
  secrets = [{ secret, until: Number.POSITIVE_INFINITY }, ...old];
  console.log('rotated    the secret; the old one is valid for another hour');
}

async function unregister(endpointId: string): Promise<void> {
  await client.deleteWebhookEndpoint({ endpointId });
  await server.stop();
  console.log(`deleted    endpoint ${endpointId}`);
  process.exit(0);
}

const advice: Record<string, string> = {
  webhook_endpoint_limit_reached: 'Delete an endpoint that you no longer use: an account has at most 20.',
  webhook_url_disallowed: 'The sender cannot use this address: it needs a public https URL.',
  connection_failed: 'Is the sandbox running? Start it with npm start.',
};
function fail(error: unknown): void {
  if (!isLaunchwireError(error)) throw error;
  console.error(`${error.message}\n${advice[error.code] ?? ''}`);
}
const endpointId = await register().catch((error: unknown) => {
  fail(error);
  process.exit(1);
});
process.on('SIGHUP', () => void rotate(endpointId).catch(fail));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    unregister(endpointId).catch((error: unknown) => {
      fail(error);
      process.exit(1);
    });
  });
}
