// bun run examples:write [operation …]: records responses of these operations, or of all, from a running
// sandbox (`npm start`).
import { readFileSync, writeFileSync } from 'node:fs';
import { readState } from '../../../sandbox/shared/state-file.ts';
import { contractDefinitions } from '../../../src/api/routes.ts';
import { sampleRequest } from '../../../src/documentation/reference/sample-request.ts';
import { SMALL_PNG } from '../api/sample-requests.ts';
import { LiveValues, withLiveValues } from './live-values.ts';

const FILE = new URL('../../../src/documentation/reference/response-examples.json', import.meta.url);
const LIST_ENTRIES = 2;

const state = readState(process.env.LAUNCHWIRE_STATE ?? '.sandbox/state.json');
if (state === undefined) throw new Error('start the sandbox first (npm start)');
const { baseUrl, apiKey } = state;
const live = new LiveValues(state);
const recorded: Record<string, unknown> = JSON.parse(readFileSync(FILE, 'utf8'));
// The documentation shows a stream by the examples of its messages.
const answered = contractDefinitions.filter(({ isStream }) => isStream !== true);
const named = process.argv.slice(2);
const wanted = answered.filter(({ id }) => named.length === 0 || named.includes(id));
for (const { id } of wanted) recorded[id] = await recordedResponse(id);
// A wallet predicts only once a round. Reading a prediction returns the same body as creating it.
recorded.createPrediction = recorded.getOwnedPrediction;
const ordered = answered.map(({ id }) => [id, recorded[id]]);
writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`);
process.exit(0);

async function recordedResponse(id: string): Promise<unknown> {
  const operation = contractDefinitions.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const { origin } = new URL(baseUrl);
  const request = sampleRequest(operation, origin);
  const replacements = await live.replacementsFor(id);
  const response = await fetch(withLiveValues(request.url, replacements), {
    method: request.method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(request.isMutation && { 'Idempotency-Key': crypto.randomUUID() }),
      ...(request.isVersioned && { 'If-Match': '"1"' }),
      ...(request.body && { 'Content-Type': 'application/json' }),
      ...(request.file && { 'Content-Type': request.file.mediaType }),
    },
    ...(request.body && { body: withLiveValues(JSON.stringify(request.body), replacements) }),
    ...(request.file && { body: SMALL_PNG }),
  });
  const text = await response.text();
  if (!response.ok) {
    process.stderr.write(`${id}: ${text}\n`);
    return recorded[id];
  }
  return shortened(JSON.parse(asPublished(text, origin)));
}

/** Replaces the addresses and secrets of this sandbox with those of an imaginary deployment. */
function asPublished(text: string, origin: string): string {
  return text
    .replaceAll(origin, 'http://localhost:3000')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/\w*/g, 'https://bot.example/launchwire')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'node.example')
    .replaceAll(/signature=[\w-]+/g, `signature=${Buffer.alloc(32, 7).toString('base64url')}`)
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, `whsec_${Buffer.alloc(32, 7).toString('base64')}`);
}

/** Lists keep two entries. */
function shortened(body: Record<string, unknown>): unknown {
  return Array.isArray(body.data) ? { ...body, data: body.data.slice(0, LIST_ENTRIES) } : body;
}
