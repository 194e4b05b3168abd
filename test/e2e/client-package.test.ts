import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { denoExecutable } from '../support/client/deno.ts';
import {
  installPackedClient,
  installTarball,
  output,
  runCommand,
  USERS_COMPILER,
} from '../support/client/packed-client.ts';
import { typeErrors } from '../support/client/type-check.ts';
import { launchBrowser, watchedPage } from '../support/http/browser.ts';
import { atEnd } from '../support/run/cleanup.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..');
const PACK_TIMEOUT_MS = 300_000;

let folder: string;
/** The folder of a CommonJS project. */
let older: string;
let files: readonly string[];
let api: TestApi;

beforeAll(async () => {
  const packed = await installPackedClient();
  ({ folder, files } = packed);
  older = await installTarball(packed.tarball, 'commonjs');
  api = await startTestApi();
}, PACK_TIMEOUT_MS);

/** Compiles a user's files in strict mode with the compiler that builds the package. Returns its errors, or
 * an empty text. */
function compile(names: readonly string[], options: object, cwd = folder): string {
  const strict = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext' };
  return typeErrors(names, { ...strict, ...options }, cwd);
}

/** Every path in `exports`. */
function pathsOf(exported: string | Record<string, unknown>): string[] {
  if (typeof exported === 'string') return [exported];
  return Object.values(exported).flatMap((value) => pathsOf(value as string | Record<string, unknown>));
}

/** A user's program that reads, changes and verifies. */
const PROGRAM = `
import { createClient, ProblemError, secretKeySigner } from 'launchwire';
import { signWebhook, webhookVerifier } from 'launchwire/webhooks';

const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env;
const client = createClient({ baseUrl, apiKey });
const tokens = [];
for await (const token of client.listTokens.all({ limit: 2 })) tokens.push(token);
const { scopes } = await client.getApiIdentity();
const refused = await client.getTransactionIntent({ intentId: crypto.randomUUID() }).catch((error) => error);
const secret = 'whsec_' + btoa('0123456789abcdef0123456789abcdef');
const body = JSON.stringify({ type: 'build.service.webhook.ping.v1', data: { endpointId: 'e' } });
const headers = await signWebhook(secret, 'evt', Math.floor(Date.now() / 1000), body);
const { event } = await webhookVerifier({ secrets: [secret] }).verify(body, headers);
const forged = await webhookVerifier({ secrets: [secret] }).verify(body + ' ', headers).catch((error) => error.name);
const kinds = [];
for await (const { event } of client.stream({ topics: ['tokens', 'operations'] }, { heartbeats: true })) {
  if (kinds.push(event) === 3) break;
}
const seed = new Uint8Array(32).fill(7);
const wrongKey = await secretKeySigner(new Uint8Array([...seed, ...seed])).catch((error) => error.name);
console.log(JSON.stringify({
  tokens: tokens.length, scopes: scopes.length > 0, code: refused.code, isProblem: refused instanceof ProblemError,
  type: event.type, wrongKey, forged, kinds,
}));
`;

describe('the package, installed from its tarball', () => {
  test('holds only the needed files, and has no dependencies', async () => {
    const outside = files.filter(
      (path) =>
        !/^(dist\/.+\.(js|d\.ts)|(README|CHANGELOG)\.md|LICENSE|(dist\/cjs\/)?package\.json)$/.test(path),
    );
    expect(outside).toEqual([]);
    for (const path of [
      'dist/launchwire.js',
      'dist/launchwire.d.ts',
      'dist/webhooks/webhooks.d.ts',
      'dist/cjs/launchwire.js',
      'LICENSE',
      'README.md',
    ]) {
      expect(files).toContain(path);
    }
    const installed = JSON.parse(await output(['npm', 'ls', '--all', '--json'], { cwd: folder }));
    expect(Object.keys(installed.dependencies)).toEqual(['launchwire']);
    expect(installed.dependencies.launchwire.dependencies).toBeUndefined();
  });

  test('has the fields that npm and its users need before it is published (docs/operations/releases.md)', () => {
    const inside = (path: string) => readFileSync(join(folder, 'node_modules', 'launchwire', path), 'utf8');
    const manifest = JSON.parse(inside('package.json'));
    expect(manifest).toMatchObject({
      name: 'launchwire',
      type: 'module',
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/);
    for (const text of [manifest.description, manifest.engines.node]) expect(text).toBeString();
    expect(manifest.license).toBe('MIT');
    expect(inside('LICENSE')).toStartWith('MIT License\n');
    expect(manifest.private).toBeUndefined();
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest[kind]).toBeUndefined();
    const named = [manifest.bin.launchwire, ...pathsOf(manifest.exports)].map((path) =>
      path.replace(/^\.\//, ''),
    );
    for (const path of named) expect(files).toContain(path);
    expect(inside(manifest.bin.launchwire)).toStartWith('#!/usr/bin/env node\n');
    expect(inside('CHANGELOG.md')).toContain(`\n## ${manifest.version}\n`);
    // The owner adds this field. npm compares it with the repository of the publishing job, so its form
    // matters.
    if (manifest.repository !== undefined)
      expect(manifest.repository).toEqual({
        type: 'git',
        url: expect.stringMatching(/^git\+https:\/\/[^/]+\/[^/]+\/[^/]+\.git$/),
        directory: 'packages/client',
      });
  });

  test.each(['node', 'bun', 'deno'])(
    'works on %s against a running api',
    async (runtime) => {
      const key = await createTestKey(api.dependencies.database);
      writeFileSync(join(folder, 'program.mjs'), PROGRAM);
      // The program may only reach the service and read these two variables.
      const rights = [`--allow-net=${new URL(api.origin).host}`, '--allow-env=BASE_URL,API_KEY'];
      const command =
        runtime === 'deno' ? [await denoExecutable(), 'run', '--no-prompt', ...rights] : [runtime];
      const environment = { BASE_URL: api.origin, API_KEY: key.text, NO_COLOR: '1' };
      const printed = await output([...command, 'program.mjs'], { cwd: folder, environment });
      expect(JSON.parse(printed)).toEqual({
        tokens: 0,
        scopes: true,
        code: 'transaction_intent_not_found',
        isProblem: true,
        type: 'build.service.webhook.ping.v1',
        forged: 'WebhookVerificationError',
        wrongKey: 'TypeError',
        kinds: ['ready', 'heartbeat', 'heartbeat'],
      });
    },
    PACK_TIMEOUT_MS,
  );

  test.each(['node', 'bun', 'deno'])(
    'changes the topics of a stream with a key on %s',
    async (runtime) => {
      const key = await createTestKey(api.dependencies.database);
      writeFileSync(join(folder, 'topics.mjs'), TOPICS);
      const rights = [`--allow-net=${new URL(api.origin).host}`, '--allow-env=BASE_URL,API_KEY'];
      const commands: Record<string, () => Promise<string[]>> = {
        // Node 22 and later need no flag for this.
        node: async () => ['node', '--experimental-websocket'],
        bun: async () => ['bun'],
        deno: async () => [await denoExecutable(), 'run', '--no-prompt', ...rights],
      };
      const command = (await commands[runtime]?.()) ?? expect.unreachable();
      const environment = { BASE_URL: api.origin, API_KEY: key.text, NO_COLOR: '1' };
      expect(JSON.parse(await output([...command, 'topics.mjs'], { cwd: folder, environment }))).toEqual({
        refused: 'validation_failed',
        topics: ['operations'],
        messages: 0,
      });
    },
    PACK_TIMEOUT_MS,
  );

  test(
    'gives a strict TypeScript program its types, with those of Node and with those of browsers',
    async () => {
      writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
      const typeRoots = [join(PROJECT_ROOT, 'node_modules', '@types')];
      for (const environment of [
        { lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
        { lib: ['es2023'], types: ['node'], typeRoots },
      ]) {
        const options = { ...environment, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
        expect(await compile(['consumer.ts'], options)).toBe('');
      }
      // Users get this compiler. The loop below uses the one that builds the package.
      const flags =
        '--noEmit --strict --target es2022 --module nodenext --lib es2023,dom --exactOptionalPropertyTypes';
      const newest = [USERS_COMPILER, ...flags.split(' '), 'consumer.ts'];
      expect(await runCommand(newest, { cwd: folder })).toMatchObject({ code: 0, stdout: '' });
    },
    PACK_TIMEOUT_MS,
  );

  test.each(['node', 'bun'])(
    'is required by CommonJS on %s, and an error is of its class whichever copy made it',
    async (runtime) => {
      writeFileSync(join(older, 'program.js'), REQUIRED);
      const environment = { BASE_URL: api.origin };
      expect(JSON.parse(await output([runtime, 'program.js'], { cwd: older, environment }))).toEqual({
        tokens: 0,
        isOneCopy: false,
        fromImport: [true, true, true, true],
        fromRequire: [true, true, true, true],
        others: [false, false, false, false],
        verified: 'build.service.webhook.ping.v1',
        forged: [true, true],
      });
    },
    PACK_TIMEOUT_MS,
  );

  /** Ways in which TypeScript projects resolve packages. Before TypeScript 6, `module: commonjs` meant
   * `node10`. */
  const projects = [
    ['module', { module: 'node16' }],
    ['module', { module: 'nodenext' }],
    ['module', { module: 'esnext', moduleResolution: 'bundler' }],
    ['commonjs', { module: 'node16' }],
    ['commonjs', { module: 'nodenext' }],
    ['commonjs', { module: 'commonjs', moduleResolution: 'bundler' }],
    ['commonjs', { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' }],
  ] as const;
  test.each(projects)(
    'compiles strictly in a project of type %s with %j, and the result runs',
    async (type, options) => {
      const cwd = type === 'module' ? folder : older;
      const typeRoots = [join(PROJECT_ROOT, 'node_modules', '@types')];
      writeFileSync(join(cwd, 'typed.ts'), TYPED);
      const outDir = `built-${JSON.stringify(options).replace(/\W+/g, '-')}`;
      const environment = { lib: ['es2023'], types: ['node'], typeRoots, rootDir: '.' };
      expect(await compile(['typed.ts'], { ...environment, ...options, noEmit: false, outDir }, cwd)).toBe(
        '',
      );
      const built = await output(['node', join(outDir, 'typed.js')], {
        cwd,
        environment: { BASE_URL: api.origin },
      });
      expect(built).toBe('token_not_found true\n');
    },
    PACK_TIMEOUT_MS,
  );

  test(
    'has a README whose samples compile',
    async () => {
      const readme = readFileSync(join(folder, 'node_modules', 'launchwire', 'README.md'), 'utf8');
      const samples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
      expect(samples.length).toBeGreaterThan(4);
      const typeRoots = [join(PROJECT_ROOT, 'node_modules', '@types')];
      for (const [index, sample] of samples.entries())
        writeFileSync(join(folder, `readme-${index}.ts`), sample);
      const names = samples.map((_, index) => `readme-${index}.ts`);
      expect(await compile(names, { lib: ['es2023', 'dom'], types: ['node'], typeRoots })).toBe('');
    },
    PACK_TIMEOUT_MS,
  );

  test.each(['node', 'bun'])('has a command line that runs on %s', async (runtime) => {
    const main = join('node_modules', 'launchwire', 'dist', 'cli', 'main.js');
    const { version } = await Bun.file(join(PROJECT_ROOT, 'packages', 'client', 'package.json')).json();
    expect(await output([runtime, main, '--version'], { cwd: folder })).toBe(`${version}\n`);
    const key = await createTestKey(api.dependencies.database);
    const environment = { LAUNCHWIRE_URL: api.origin, LAUNCHWIRE_API_KEY: key.text };
    const me = await output([runtime, main, 'me', '--json'], { cwd: folder, environment });
    expect(JSON.parse(me)).toMatchObject({ accountId: key.accountId });
    expect(await runCommand([runtime, main, 'nothing'], { cwd: folder })).toMatchObject({
      code: 2,
      stdout: '',
    });
    // npx runs this file.
    expect(await output(['node_modules/.bin/launchwire', '--help'], { cwd: folder })).toContain(
      'launchwire <command>',
    );
  });

  test(
    'reads without a key in a browser, from a page of another origin, and verifies a webhook there',
    async () => {
      const headers = { 'content-type': 'text/html' };
      const dist = join(folder, 'node_modules', 'launchwire', 'dist');
      const site = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: ({ url }) => {
          const { pathname } = new URL(url);
          if (pathname === '/') return new Response('<!doctype html><title>page</title>', { headers });
          // Browsers also request an icon.
          if (!pathname.endsWith('.js')) return new Response(null, { status: 404 });
          return new Response(Bun.file(join(dist, pathname)));
        },
      });
      atEnd(() => site.stop(true));
      const opened = await watchedPage(await launchBrowser());
      await opened.page.goto(`http://127.0.0.1:${site.port}/`);
      const seen = await opened.page.evaluate(IN_A_BROWSER(api.origin));
      expect(seen).toEqual({ tokens: 0, code: 'token_not_found', type: 'build.service.webhook.ping.v1' });
    },
    PACK_TIMEOUT_MS,
  );

  test(
    'accepts the wallets of @solana/kit, web3.js and wallet-adapter by their shape',
    async () => {
      const modules = join(folder, 'node_modules', '@solana');
      mkdirSync(modules, { recursive: true });
      for (const name of ['kit', 'web3.js']) {
        symlinkSync(join(PROJECT_ROOT, 'node_modules', '@solana', name), join(modules, name));
      }
      writeFileSync(join(folder, 'wallets.ts'), WALLETS);
      expect(await compile(['wallets.ts'], { lib: ['es2023', 'dom'], types: [], skipLibCheck: true })).toBe(
        '',
      );
    },
    PACK_TIMEOUT_MS,
  );
});

/** Each `@ts-expect-error` is a mistake that must not compile. */
const CONSUMER = `
import { createClient, type ErrorCode, isLaunchwireError, isProblemOf, type Schemas } from 'launchwire';
import { type WebhookEvent, webhookVerifier } from 'launchwire/webhooks';

const client = createClient({ baseUrl: 'https://api.example' });
export async function run(mint: string, signal: AbortSignal): Promise<string> {
  const token: Schemas['Token'] = await client.getToken({ mint }, { signal });
  const quote = await client.getSwapQuote({ mint, side: 'buy', amountRaw: '1' });
  // @ts-expect-error: not a side
  await client.getSwapQuote({ mint, side: 'hold', amountRaw: '1' });
  // @ts-expect-error: amounts are text
  await client.createSwap({ mint, side: 'buy', amountRaw: 1 });
  // @ts-expect-error: the mint is missing
  await client.getToken({});
  // @ts-expect-error: no such field
  await client.createWebhookEndpoint({ url: 'https://bot.example', eventType: ['*'] });
  // @ts-expect-error: a single record has no pages
  client.getToken.all({ mint });
  for await (const trade of client.listTokenTrades.all({ mint })) return trade.transactionSignature;
  for await (const page of client.listTokens.pages()) return page.data[0]?.name ?? token.name;
  const impact: string | number | null = quote.priceImpactBps;
  return String(impact);
}

export function explain(error: unknown): string {
  if (isProblemOf('getTransactionIntent', error)) {
    switch (error.code) {
      case 'transaction_intent_not_found': return 'no such intent';
      case 'invalid_api_key': case 'insufficient_scope': return 'the key';
      case 'validation_failed': return error.problem.errors?.[0]?.path ?? '';
      case 'rate_limit_exceeded': case 'rate_limit_unavailable': return 'later';
      case 'internal_error': case 'api_dependency_unavailable': return error.requestId;
      // The list is complete: this compiles only while nothing is left.
      default: { const nothing: never = error.code; return nothing; }
    }
  }
  if (!isLaunchwireError(error)) throw error;
  const code: ErrorCode = error.code;
  if (error.code === 'timeout') return error.message;
  return code;
}

export function amount(event: WebhookEvent): string {
  switch (event.type) {
    case 'build.service.fee_distribution.completed.v1': return event.data.amountLamports;
    case 'build.service.transaction_intent.confirmed.v1': return event.data.transactionSignature ?? '';
    // @ts-expect-error: no such type
    case 'build.service.nothing.v1': return '';
    default: return event.subject;
  }
}
export const verifier = webhookVerifier({ secrets: () => ['whsec_'] });
`;

const TOPICS = `
import { createClient } from 'launchwire';

const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env;
const stream = createClient({ baseUrl, apiKey }).topicStream({ topics: ['tokens'] });
let messages = 0;
const loop = (async () => {
  for await (const _ of stream) messages += 1;
})();
await stream.subscribe(['operations']);
const refused = await stream.subscribe(['nothing']).catch(({ code }) => code);
await stream.unsubscribe(['tokens']);
const { topics } = stream;
stream.close();
await loop;
console.log(JSON.stringify({ refused, topics, messages }));
`;

/** A user's CommonJS program that requires and imports the package. */
const REQUIRED = `
const required = require('launchwire');
const { signWebhook, webhookVerifier, WebhookVerificationError } = require('launchwire/webhooks');

async function main() {
  const imported = await import('launchwire');
  const importedWebhooks = await import('launchwire/webhooks');
  const { BASE_URL: baseUrl } = process.env;
  const { data } = await required.createClient({ baseUrl }).listTokens();
  const mint = 'So11111111111111111111111111111111111111112';
  const errorOf = (copy) => copy.createClient({ baseUrl }).getToken({ mint }).catch((error) => error);
  const kinds = (copy, error) => [
    error instanceof copy.ProblemError,
    error instanceof copy.LaunchwireError,
    copy.isLaunchwireError(error),
    copy.isProblemOf('getToken', error),
  ];
  class Derived extends required.ProblemError {}
  const error = await errorOf(imported);
  const secret = 'whsec_' + btoa('0123456789abcdef0123456789abcdef');
  const body = JSON.stringify({ type: 'build.service.webhook.ping.v1', data: {} });
  const headers = await signWebhook(secret, 'evt', Math.floor(Date.now() / 1000), body);
  const verifier = webhookVerifier({ secrets: [secret] });
  const { event } = await verifier.verify(body, headers);
  const forged = await verifier.verify(body + ' ', headers).catch((failure) => failure);
  console.log(JSON.stringify({
    tokens: data.length,
    isOneCopy: imported.ProblemError === required.ProblemError,
    fromImport: kinds(required, error),
    fromRequire: kinds(imported, await errorOf(required)),
    others: [
      error instanceof Derived,
      error instanceof required.ConnectionError,
      new Error('x') instanceof required.LaunchwireError,
      null instanceof required.ProblemError,
    ],
    verified: event.type,
    forged: [
      forged instanceof WebhookVerificationError,
      forged instanceof importedWebhooks.WebhookVerificationError,
    ],
  }));
}
main();
`;

/** Compiles to ES modules and to CommonJS. */
const TYPED = `
import { createClient, isProblemOf, ProblemError, type Schemas } from 'launchwire';
import { type WebhookEvent, webhookVerifier } from 'launchwire/webhooks';

export const subjectOf = (event: WebhookEvent): string => event.subject;
export const verifier = webhookVerifier({ secrets: () => ['whsec_'] });
export async function main(): Promise<void> {
  const client = createClient({ baseUrl: process.env.BASE_URL ?? '' });
  try {
    const token: Schemas['Token'] = await client.getToken({ mint: 'So11111111111111111111111111111111111111112' });
    // @ts-expect-error: the types are there: no such field
    console.log(token.nothing);
  } catch (error) {
    if (isProblemOf('getToken', error)) console.log(error.code, error instanceof ProblemError);
  }
}
void main();
`;

const WALLETS = `
import { generateKeyPairSigner } from '@solana/kit';
import { Keypair, type PublicKey, Transaction, VersionedTransaction } from '@solana/web3.js';
import { createClient, kitSigner, secretKeySigner, walletAdapterSigner } from 'launchwire';

// As wallet-adapter declares it.
interface Wallet {
  publicKey: PublicKey | null;
  signTransaction<T extends Transaction | VersionedTransaction>(transaction: T): Promise<T>;
}
export async function run(wallet: Wallet) {
  const client = createClient({ baseUrl: 'https://api.example', apiKey: 'key' });
  const signers = [
    kitSigner(await generateKeyPairSigner()),
    await secretKeySigner(Keypair.generate()),
    walletAdapterSigner(wallet, VersionedTransaction),
  ];
  for (const signer of signers) await client.signAndSubmit(crypto.randomUUID(), signer);
}
`;

const IN_A_BROWSER = (origin: string) => `(async () => {
  const { createClient } = await import('/launchwire.js');
  const { signWebhook, webhookVerifier } = await import('/webhooks/webhooks.js');
  const client = createClient({ baseUrl: '${origin}', apiKey: 'never sent' });
  const { data } = await client.listTokens();
  const mint = 'So11111111111111111111111111111111111111112';
  const { code } = await client.getToken({ mint }).catch((error) => error);
  const secret = 'whsec_' + btoa('0123456789abcdef0123456789abcdef');
  const body = JSON.stringify({ type: 'build.service.webhook.ping.v1', data: {} });
  const headers = await signWebhook(secret, 'evt', Math.floor(Date.now() / 1000), body);
  const { event } = await webhookVerifier({ secrets: [secret] }).verify(body, headers);
  return { tokens: data.length, code, type: event.type };
})()`;
