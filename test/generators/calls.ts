import { join } from 'node:path';
import { SMALL_PNG } from '../support/api/sample-requests.ts';
import { output } from '../support/client/packed-client.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createSandboxDir, launchSandbox, type SandboxProcess } from '../support/sandbox/sandbox-process.ts';

/** Programs that call the api with a generated client, by generator. */
export const callingPrograms: Readonly<Record<string, string>> = {
  'openapi-typescript': join(import.meta.dir, 'programs', 'openapi-fetch.ts'),
  'hey-api': join(import.meta.dir, 'programs', 'hey-api.ts'),
};

const NO_TOKEN = 'So11111111111111111111111111111111111111112';

/** What the programs print: null for an image or a message that did not come, and neither where a program asks for none. */
interface Calls {
  token: unknown;
  unchanged: unknown;
  refusal: unknown;
  pages: [unknown, unknown];
  budget: unknown;
  created: { id: string };
  repeated: [unknown, unknown];
  reused: unknown;
  changed: unknown;
  image: unknown;
  message: unknown;
}

/** Runs a program against a sandbox, and says where its results are not those of plain requests. */
export async function differencesOfCalls(program: string): Promise<string[]> {
  const { state } = await sandbox();
  const { baseUrl, apiKey, mint } = state;
  if (mint === null) throw new Error('the sandbox has no token');
  const key = crypto.randomUUID();
  const hook = `${state.inboxUrl}/${key}`;
  const environment = {
    BASE_URL: baseUrl,
    API_KEY: apiKey,
    MINT: mint,
    UNKNOWN_MINT: NO_TOKEN,
    KEY: key,
    HOOK: hook,
    IMAGE: SMALL_PNG.toString('base64'),
  };
  const calls: Calls = JSON.parse(await output(['bun', program], { cwd: join(program, '..'), environment }));
  const plain = plainRequests(baseUrl, apiKey);

  const token = await plain('GET', `/tokens/${mint}`);
  const first = await plain('GET', '/tokens?limit=1');
  const second = await plain('GET', `/tokens?limit=1&cursor=${first.body.page?.nextCursor}`);
  const body = JSON.stringify({ url: hook, eventTypes: ['launch.created'] });
  const created = await plain('POST', '/webhook-endpoints', { 'Idempotency-Key': key }, body);
  const changed = await plain('GET', `/webhook-endpoints/${calls.created.id}`);
  return differences(calls, {
    token: token.body,
    unchanged: 304,
    refusal: { status: 404, advice: 'check the mint' },
    pages: [first.body, second.body],
    budget: token.headers.get('x-ratelimit-limit'),
    created: created.body,
    repeated: [created.body, created.headers.get('idempotent-replayed')],
    reused: 'idempotency_key_reused',
    changed: changed.body,
    image: calls.image === undefined ? undefined : await uploaded(baseUrl, apiKey),
    message: calls.message === undefined ? undefined : await firstMessage(baseUrl, mint),
  });
}

function differences(calls: Calls, plain: Record<keyof Calls, unknown>): string[] {
  return Object.entries(plain)
    .filter(([name, value]) => !Bun.deepEquals(calls[name as keyof Calls], value))
    .map(([name, value]) => {
      const got = JSON.stringify(calls[name as keyof Calls]);
      return `${name}: ${got} instead of ${JSON.stringify(value)}\n`;
    });
}

interface PlainBody {
  [field: string]: unknown;
  page?: { nextCursor: string };
}

function plainRequests(baseUrl: string, apiKey: string) {
  return async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return { headers: response.headers, body: (await response.json()) as PlainBody };
  };
}

async function uploaded(baseUrl: string, apiKey: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'image/png' };
  const response = await fetch(`${baseUrl}/images`, { method: 'POST', headers, body: SMALL_PNG });
  return response.json();
}

/** The names of the fields in the first message of a stream. */
async function firstMessage(baseUrl: string, mint: string): Promise<string[]> {
  const stop = new AbortController();
  const response = await fetch(`${baseUrl}/stream?topics=token:${mint}`, { signal: stop.signal });
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const [, data] = /^data: (.*)\n/m.exec(text) ?? [];
    if (data === undefined) continue;
    stop.abort();
    return Object.keys(JSON.parse(data));
  }
  throw new Error(`the stream ended without a message: ${text}`);
}

/**
 * Once trades are proven this long after the traders stopped, what they had sent has landed, and its hints have reached
 * every cache.
 */
const SETTLE_MS = 5_000;

let started: Promise<SandboxProcess> | undefined;

/** One for all programs, with a market at rest: what two requests read is the same. */
function sandbox(): Promise<SandboxProcess> {
  started ??= launchSandbox(createSandboxDir(), {}).then(async (launched) => {
    const { pids, baseUrl, mint } = launched.state;
    const traders = [pids.market, pids.community].filter((pid) => pid !== undefined);
    atEnd(async () => {
      for (const pid of traders) process.kill(pid, 'SIGCONT');
      await launched.stop('SIGTERM');
    });
    for (const pid of traders) process.kill(pid, 'SIGSTOP');
    const settledAt = Date.now() + SETTLE_MS;
    await eventually('a market at rest', async () => {
      const response = await fetch(`${baseUrl}/tokens/${mint}/stats`);
      const { asOf } = (await response.json()) as { asOf: string };
      return Date.parse(asOf) >= settledAt;
    });
    return launched;
  });
  return started;
}
