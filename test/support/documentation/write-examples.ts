// npm run examples:write [-- operation … | --all]: records responses from a running sandbox (`npm start`, or
// `SANDBOX_DIR`), then writes what is generated from them. Recorded responses that still fit stay as they are.
import { readFileSync, writeFileSync } from 'node:fs';
import { sandboxFolder } from '../../../sandbox/shared/sandbox-folder.ts';
import { readState, type SandboxState } from '../../../sandbox/shared/state-file.ts';
import { contractDefinitions } from '../../../src/api/routes.ts';
import { sampleRequest } from '../../../src/documentation/reference/sample-request.ts';
import { SMALL_PNG } from '../api/sample-requests.ts';
import { examplesToRecord, fits } from './examples-to-record.ts';
import { LiveValues, withLiveValues } from './live-values.ts';

const FILE = new URL('../../../src/documentation/reference/response-examples.json', import.meta.url);
const LIST_ENTRIES = 2;

type Operation = (typeof contractDefinitions)[number];

const recorded: Record<string, unknown> = JSON.parse(readFileSync(FILE, 'utf8'));
// The documentation shows a stream by the examples of its messages.
const answered = contractDefinitions.filter(({ isStream }) => isStream !== true);
// A wallet predicts only once a round. Reading a prediction returns the same body as creating it.
const names = process.argv
  .slice(2)
  .map((name) => (name === 'createPrediction' ? 'getOwnedPrediction' : name));
const wanted = examplesToRecord(answered, recorded, names).filter(({ id }) => id !== 'createPrediction');
if (wanted.length > 0) await record(wanted);
recorded.createPrediction = recorded.getOwnedPrediction;
// In the order of the file, so that a new one moves no others.
const known = Object.entries(recorded).filter(([name]) => answered.some(({ id }) => id === name));
writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
report(
  `${wanted.length} of ${answered.length} responses were asked for; the others stay as they were recorded`,
);
const unfit = answered.filter((operation) => !fits(operation, recorded));
for (const { id } of unfit) report(`${id}: no response that fits its schema is recorded`);
const generated = Bun.spawnSync([process.execPath, 'run', 'openapi:write'], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exit(unfit.length > 0 || !generated.success ? 1 : 0);

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function record(operations: readonly Operation[]): Promise<void> {
  const { root, stateFile } = sandboxFolder(process.env.SANDBOX_DIR || undefined);
  const state = readState(stateFile);
  if (state === undefined)
    throw new Error(`no sandbox runs in ${root}: npm start, or SANDBOX_DIR for one that runs elsewhere`);
  const live = new LiveValues(state);
  for (const operation of operations) {
    const { id } = operation;
    const response = await responseOf(operation, state, live);
    if (response.isRefused) {
      const kept = recorded[id] === undefined ? 'it has none' : 'the one of before stays';
      report(`${id}: refused, so no response was recorded, and ${kept}: ${response.text}`);
      continue;
    }
    recorded[id] = response.body;
    report(`${id}: recorded`);
  }
}

async function responseOf(
  operation: Operation,
  { baseUrl, apiKey }: SandboxState,
  live: LiveValues,
): Promise<{ isRefused: true; text: string } | { isRefused: false; body: unknown }> {
  const { origin } = new URL(baseUrl);
  const request = sampleRequest(operation, origin);
  const replacements = await live.replacementsFor(operation.id);
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
  if (!response.ok) return { isRefused: true, text };
  return { isRefused: false, body: shortened(JSON.parse(asPublished(text, origin))) };
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
