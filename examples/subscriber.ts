// A webhook receiver to copy: verify the raw bytes, respond immediately, process later, each event once. Run it while a
// sandbox runs (`npm start`): npm run example:subscriber. `kill -HUP` rotates its secret, Ctrl-C deletes its endpoint.
import { existsSync, readFileSync } from 'node:fs';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const stateFile = process.env.LAUNCHWIRE_STATE ?? '.sandbox/state.json';
const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
const baseUrl = process.env.LAUNCHWIRE_BASE_URL ?? state.baseUrl;
const apiKey = process.env.LAUNCHWIRE_API_KEY ?? state.apiKey;
if (!baseUrl || !apiKey) {
  console.error('Start the sandbox first (npm start), or set LAUNCHWIRE_BASE_URL and LAUNCHWIRE_API_KEY.');
  process.exit(1);
}

/** The fields that are used of the responses: an endpoint, a rotation, or a problem. */
interface ApiResponse {
  id: string;
  secret: string;
  version: number;
  code: string;
  detail: string;
}

/** One request to the API; throws the problem of an error response, with its `code` as the cause. */
async function call(method: string, path: string, body?: object, version?: number) {
  const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}` };
  if (method !== 'GET') headers['Idempotency-Key'] = crypto.randomUUID();
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  // precondition_failed when the endpoint was changed since this version.
  if (version !== undefined) headers['If-Match'] = `"${version}"`;
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(baseUrl + path, init).catch((cause) => {
    throw new Error(`${baseUrl} does not respond (${cause.message})`, { cause: 'unreachable' });
  });
  const content = (await response.json()) as ApiResponse;
  if (!response.ok) throw new Error(content.detail, { cause: content.code });
  return content;
}

// The newest secret and, while a rotation overlaps, the previous one: a delivery may be signed with either.
let secrets: { secret: string; until: number }[] = [];
function isGenuine(body: string, headers: Headers): boolean {
  return secrets.some(({ secret, until }) => {
    if (until < Date.now()) return false;
    try {
      new Webhook(secret).verify(body, Object.fromEntries(headers.entries()), { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
}

// Keep yours in a database: a delivery that got a 2xx is not sent again, so store the event and its webhook-id in one
// transaction before you respond.
const seen = new Set<string>();
const SEEN_MAX = 10_000;
const queue: string[] = [];

/** True the first time. A delivery is repeated when our response was lost and when it is replayed. */
function isNew(webhookId: string): boolean {
  if (seen.has(webhookId)) return false;
  seen.add(webhookId);
  if (seen.size > SEEN_MAX) for (const oldest of seen.values().take(1)) seen.delete(oldest);
  return true;
}

const registered = Promise.withResolvers<void>();
async function receive(request: Request): Promise<Response> {
  // The raw text: JSON that was parsed and serialised again has other bytes, for which the signature is invalid.
  const body = await request.text();
  await registered.promise; // The first delivery may arrive before the response that holds the secret.
  const id = request.headers.get('webhook-id') ?? '';
  if (!isGenuine(body, request.headers)) {
    console.log(`refused    ${JSON.stringify(id)}: the signature is invalid`);
    return new Response(null, { status: 400 });
  }
  if (isNew(id)) {
    queue.push(body);
    setImmediate(processNext);
  } else console.log(`duplicate  ${id}: already received`);
  return new Response(null, { status: 204 });
}

/** Runs after the response: the sender waits at most 10 s, and processing may take longer. */
function processNext(): void {
  const body = queue.shift();
  if (body === undefined) return;
  const { id, type, subject, data } = JSON.parse(body);
  console.log(`processed  ${id} ${type} ${JSON.stringify({ subject, data })}`);
}

const port = Number(process.env.LAUNCHWIRE_WEBHOOK_PORT ?? 0);
const server = Bun.serve({ hostname: '127.0.0.1', port, maxRequestBodySize: 128 * 1024, fetch: receive });
const url = process.env.LAUNCHWIRE_WEBHOOK_URL ?? `http://127.0.0.1:${server.port}/webhooks`;

async function register(): Promise<string> {
  const endpoint = await call('POST', '/webhook-endpoints', { url, description: 'Example subscriber' });
  secrets = [{ secret: endpoint.secret, until: Number.POSITIVE_INFINITY }];
  registered.resolve();
  console.log(`listening  ${url} as endpoint ${endpoint.id}`);
  return endpoint.id;
}

/** For an hour deliveries are signed with the old secret as well, so that none is refused meanwhile. */
async function rotate(endpointId: string): Promise<void> {
  const path = `/webhook-endpoints/${endpointId}`;
  const { version } = await call('GET', path);
  const rotation = await call(
    'POST',
    `${path}/secret-rotations`,
    { previousSecretTtlSeconds: 3600 },
    version,
  );
  const old = secrets.slice(0, 1).map(({ secret }) => ({ secret, until: Date.now() + 3_600_000 }));
  secrets = [{ secret: rotation.secret, until: Number.POSITIVE_INFINITY }, ...old];
  console.log('rotated    the secret; the old one is valid for another hour');
}

async function unregister(endpointId: string): Promise<void> {
  const { version } = await call('GET', `/webhook-endpoints/${endpointId}`);
  await call('DELETE', `/webhook-endpoints/${endpointId}`, undefined, version);
  await server.stop();
  console.log(`deleted    endpoint ${endpointId}`);
  process.exit(0);
}

const advice: Record<string, string> = {
  webhook_endpoint_limit_reached: 'Delete an endpoint that you no longer use: an account has at most 20.',
  webhook_url_disallowed: 'The sender cannot use this address: it needs a public https URL.',
  precondition_failed: 'The endpoint was changed at the same time: try again.',
  unreachable: 'Is the sandbox running? Start it with npm start.',
};
function fail({ message, cause }: Error): void {
  console.error(`${cause ?? 'failed'}: ${message}\n${advice[String(cause)] ?? ''}`);
}
const endpointId = await register().catch((error: Error) => {
  fail(error);
  process.exit(1);
});
process.on('SIGHUP', () => void rotate(endpointId).catch(fail));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    unregister(endpointId).catch((error: Error) => {
      fail(error);
      process.exit(1);
    });
  });
}
