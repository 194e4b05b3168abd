// A webhook receiver to copy: verify the raw bytes, answer at once, process later, each event once. Run it beside a
// sandbox (`npm start`): npm run example:subscriber. `kill -HUP` rotates its secret, Ctrl-C deletes its endpoint.
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

/** What is used of the answers: an endpoint, a rotation, or a problem. */
interface Answer {
  id: string;
  secret: string;
  version: number;
  code: string;
  detail: string;
}

/** One request to the API; throws the problem of an error answer, with its `code` as the cause. */
async function call(method: string, path: string, body?: object, version?: number) {
  const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}` };
  if (method !== 'GET') headers['Idempotency-Key'] = crypto.randomUUID();
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  // A version nobody else changed meanwhile, or the answer is precondition_failed.
  if (version !== undefined) headers['If-Match'] = `"${version}"`;
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(baseUrl + path, init).catch((cause) => {
    throw new Error(`${baseUrl} does not answer (${cause.message})`, { cause: 'unreachable' });
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(answer.detail, { cause: answer.code });
  return answer;
}

// The newest secret, and while a rotation overlaps the one before it: either may be the one that fits.
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

// Yours are in a database: what was answered with 2xx is not sent again, so the event and its webhook-id are stored,
// in one transaction, before the answer.
const seen = new Set<string>();
const SEEN_MAX = 10_000;
const queue: string[] = [];

/** True the first time. A delivery comes again when our answer was lost, and when somebody replays it. */
function isNew(webhookId: string): boolean {
  if (seen.has(webhookId)) return false;
  seen.add(webhookId);
  if (seen.size > SEEN_MAX) for (const oldest of seen.values().take(1)) seen.delete(oldest);
  return true;
}

const registered = Promise.withResolvers<void>();
async function receive(request: Request): Promise<Response> {
  // The raw text: JSON that was parsed and written again has other bytes, which the signature does not fit.
  const body = await request.text();
  await registered.promise; // The first delivery may come before the answer that tells us the secret.
  const id = request.headers.get('webhook-id') ?? '';
  if (!isGenuine(body, request.headers)) {
    console.log(`refused    ${JSON.stringify(id)}: the signature does not fit`);
    return new Response(null, { status: 400 });
  }
  if (isNew(id)) {
    queue.push(body);
    setImmediate(processNext);
  } else console.log(`duplicate  ${id}: known, nothing to do`);
  return new Response(null, { status: 204 });
}

/** After the answer: the sender waits 10 s at most, and work may take as long as it needs. */
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

/** The old secret signs beside the new one for an hour, so nothing is refused in between. */
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
  console.log('rotated    the secret; the old one is good for another hour');
}

async function leave(endpointId: string): Promise<void> {
  const { version } = await call('GET', `/webhook-endpoints/${endpointId}`);
  await call('DELETE', `/webhook-endpoints/${endpointId}`, undefined, version);
  await server.stop();
  console.log(`left       endpoint ${endpointId} is deleted`);
  process.exit(0);
}

const advice: Record<string, string> = {
  webhook_endpoint_limit_reached: 'Delete an endpoint you no longer use: an account has 20 at most.',
  webhook_url_disallowed: 'The sender cannot reach this address: it takes a public https URL.',
  precondition_failed: 'Somebody changed the endpoint at the same moment: try again.',
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
    leave(endpointId).catch((error: Error) => {
      fail(error);
      process.exit(1);
    });
  });
}
