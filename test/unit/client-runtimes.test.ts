import { afterEach, describe, expect, test } from 'bun:test';
import { createClient } from 'launchwire';
import { isInBrowser } from '../../packages/client/src/browser.ts';
import { newUuid } from '../../packages/client/src/uuid.ts';

const document = {};
const location = { origin: 'https://page.example' };
const chrome = { userAgent: 'Mozilla/5.0 (X11; Linux x64) Chrome/142.0' };
const versions = { node: '24.11.0' };
class WorkerGlobalScope {}

/** The parts of global objects by which runtimes differ. */
const runtimes: Record<string, [isBrowser: boolean, scope: object]> = {
  'a page': [true, { document, location, navigator: chrome }],
  'a worker of a page': [true, { WorkerGlobalScope, location, navigator: chrome }],
  'a page with the process of a bundler': [
    true,
    { document, location, navigator: chrome, process: { versions: {} } },
  ],
  'a window of Electron': [
    true,
    { document, location, navigator: chrome, process: { type: 'renderer', versions } },
  ],
  Node: [false, { navigator: { userAgent: 'Node.js/24' }, process: { versions } }],
  'Node with jsdom': [
    false,
    { document, location, navigator: { userAgent: 'jsdom/27' }, process: { versions } },
  ],
  'Node with the globals of a worker': [false, { WorkerGlobalScope, location, process: { versions } }],
  'a Worker of Cloudflare': [false, { WorkerGlobalScope, navigator: { userAgent: 'Cloudflare-Workers' } }],
  'a Worker of Cloudflare from before it had a navigator': [false, { WorkerGlobalScope }],
  'React Native': [false, { navigator: { product: 'ReactNative' }, location: undefined }],
  'a runtime that names nothing': [false, {}],
};

describe('a key goes with anonymous reads everywhere but in browsers', () => {
  test.each(Object.entries(runtimes))('%s', (_runtime, [isBrowser, scope]) => {
    expect(isInBrowser(scope)).toBe(isBrowser);
  });

  afterEach(() => {
    for (const name of ['document', 'WorkerGlobalScope']) Reflect.deleteProperty(globalThis, name);
  });

  test('also while a test has given its process a document', async () => {
    const sent: (string | null)[] = [];
    const fetch = (async (_url: string, init: RequestInit) => {
      sent.push(new Headers(init.headers).get('authorization'));
      return Response.json({ data: [], hasMore: false });
    }) as unknown as typeof globalThis.fetch;
    const client = createClient({ baseUrl: 'https://api.example', apiKey: 'lw_key', fetch });
    await client.listTokens();
    Object.assign(globalThis, { document, WorkerGlobalScope });
    await client.listTokens();
    expect(sent).toEqual(['Bearer lw_key', 'Bearer lw_key']);
  });
});

describe('an idempotency key', () => {
  const { crypto } = globalThis;
  const withCrypto = (value: unknown) =>
    Object.defineProperty(globalThis, 'crypto', { value, configurable: true, writable: true });
  afterEach(() => withCrypto(crypto));

  const change = async () => {
    const keys: (string | null)[] = [];
    const fetch = (async (_url: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('idempotency-key'));
      return Response.json({}, { status: 201 });
    }) as unknown as typeof globalThis.fetch;
    const client = createClient({ baseUrl: 'https://api.example', apiKey: 'lw_key', fetch });
    await client.createWebhookEndpoint({ url: 'https://bot.example/' });
    return keys[0];
  };
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

  test('is a random UUID where there is getRandomValues alone, as on pages of http and in React Native', async () => {
    withCrypto({ getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) });
    const made = Array.from({ length: 500 }, newUuid);
    for (const one of made) expect(one).toMatch(uuid);
    expect(new Set(made).size).toBe(500);
    expect(await change()).toMatch(uuid);
    withCrypto({ getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) });
    expect(newUuid()).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  });

  test('is missed with advice where there is no source of random numbers', async () => {
    for (const nothing of [undefined, {}]) {
      withCrypto(nothing);
      expect(await change().catch(String)).toContain(
        'no crypto.getRandomValues, which an Idempotency-Key needs',
      );
    }
  });
});
