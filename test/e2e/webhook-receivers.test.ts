import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Signer } from '../../relay/attempt/sign.ts';
import { debianExecutable } from '../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../sandbox/services/executable.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { silent } from '../../sandbox/services/log.ts';
import { publicSigningKey, WebhookSigningKeys } from '../../src/shared/webhooks/signing-keys.ts';
import { goEnvironment } from '../support/client/go-environment.ts';
import { output } from '../support/client/packed-client.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import {
  hasLongPart,
  isPlainTimestamp,
  libraryRefusals,
  signedMessages,
  signWith,
} from '../support/webhooks/signed-messages.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..');
const RECEIVERS = join(PROJECT_ROOT, 'examples', 'receivers');

interface RunningReceiver {
  url: string;
  /** Its output so far. */
  printed(): string;
}

/** The commands that start the receivers of `examples/receivers` on `PORT`, like a user's. */
const receiverCommands: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'node-http.ts on Node': () => onNode('node-http.ts'),
  'node-crypto.ts on Node': () => onNode('node-crypto.ts'),
  'express.ts on Node': () => onNode('express.ts'),
  'express.ts on Node, with Express 4': () =>
    onNode('express.ts', { express: import.meta.resolve('express-4') }),
  'fastify.ts on Node': () => onNode('fastify.ts'),
  'elysia.ts': async () => [process.execPath, join(RECEIVERS, 'elysia.ts')],
  'hono.ts': async () => [process.execPath, join(RECEIVERS, 'hono.ts')],
  'next-route.ts': async () => [process.execPath, '-e', nextServer()],
  'receiver.py': async () => [await fromDebian('python3', 'python3'), join(RECEIVERS, 'receiver.py')],
  'receiver.go': async () => [await compiledGo()],
};

/** Starts a receiver; it ends with the tests. */
async function startExampleReceiver(
  command: readonly string[],
  environment: Record<string, string>,
): Promise<RunningReceiver> {
  const [executable = '', ...args] = command;
  const port = await freePort();
  const child = spawn(executable, args, {
    cwd: PROJECT_ROOT,
    env: { PATH: process.env.PATH, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}/webhooks`;
  await eventually(`a receiver: ${command.join(' ')}`, async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${printed}`);
    return fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    );
  });
  return { url, printed: () => printed };
}

/**
 * Runs a receiver of the examples as JavaScript, because old versions of Node cannot read types.
 *
 * @param replaced addresses of modules, by the name of a package that the receiver imports
 */
function onNode(name: string, replaced: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  return fileOnNode(join(RECEIVERS, name), replaced);
}

/** Runs a program in TypeScript on Node. */
async function fileOnNode(
  file: string,
  replaced: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const outdir = createTempDir('receiver');
  const replace: Bun.BunPlugin = {
    name: 'replace',
    setup({ onResolve }) {
      for (const [from, to] of Object.entries(replaced))
        onResolve({ filter: new RegExp(`^${from}$`) }, () => ({ path: fileURLToPath(to) }));
    },
  };
  const { outputs } = await Bun.build({ entrypoints: [file], outdir, target: 'node', plugins: [replace] });
  return ['node', outputs[0]?.path ?? ''];
}

/** A server that calls the route's function like Next. */
function nextServer(): string {
  const route = JSON.stringify(join(RECEIVERS, 'next-route.ts'));
  return `const { POST } = await import(${route}); Bun.serve({ hostname: '127.0.0.1', port: process.env.PORT, fetch: POST });`;
}

let compilation: Promise<string> | undefined;

/** Compiles once, because that takes half a minute with an empty cache. */
function compiledGo(): Promise<string> {
  compilation ??= compileGo();
  return compilation;
}

async function compileGo(): Promise<string> {
  const folder = createTempDir('receiver-go');
  const go = await fromDebian('go', 'golang-go');
  const binary = join(folder, 'receiver');
  const command = [go, 'build', '-o', binary, join(RECEIVERS, 'receiver.go')];
  await output(command, { cwd: folder, environment: await goEnvironment() });
  return binary;
}

async function fromDebian(executable: string, packageName: string): Promise<string> {
  const found = findExecutable(executable) ?? (await debianExecutable(executable, [packageName], silent));
  if (found !== undefined) return found;
  throw new Error(
    `${executable} is missing and could not be installed (Debian: apt-get install ${packageName})`,
  );
}

const START_TIMEOUT_MS = 300_000;
const TYPE = 'build.service.launch.created.v1';
const body = Buffer.from(
  JSON.stringify({ id: 'event-1', type: TYPE, subject: 'grüße', data: { name: '🚀' } }),
);
const secretOf = (length: number) =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString('base64')}`;
const [young, old, foreign] = [secretOf(32), secretOf(24), secretOf(64)];
const [endpointId, otherId] = [crypto.randomUUID(), crypto.randomUUID()];
const keysOfEndpoints = new WebhookSigningKeys(
  { secretKey: crypto.getRandomValues(new Uint8Array(32)), secretKeyPrevious: [] },
  new Date(Date.now() + 3_600_000),
);
const signer = new Signer(keysOfEndpoints);
let deliveries = 0;

/** Headers of a delivery, like the relay's. */
function signed(
  secrets: readonly string[],
  options: { ageSeconds?: number; to?: string; sent?: Uint8Array } = {},
) {
  const { ageSeconds = 0, to = endpointId, sent = body } = options;
  deliveries += 1;
  const timestampSeconds = Math.floor(Date.now() / 1000) - ageSeconds;
  const keys = secrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'));
  return signer.headers({ id: `event-${deliveries}`, endpointId: to, timestampSeconds, body: sent }, keys);
}

async function post(
  url: string,
  headers: Record<string, string>,
  sent: Uint8Array<ArrayBuffer> = body,
  keepalive = true,
) {
  const type = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
  const all = { ...type, ...headers };
  const { status } = await fetch(url, { method: 'POST', headers: all, body: sent, keepalive });
  return status;
}

/** A request without a body and without a length, which `fetch` would add: frameworks have no body for it at all. */
async function postNothing(url: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port, pathname } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', reject).on('close', () => resolve(received));
  const fields = Object.entries({ host: hostname, connection: 'close', ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines}\r\n`, 'latin1');
  return Number((await promise).split(' ')[1]);
}

/** Texts of the variable that hold `young` and perhaps other secrets. */
const usable = [
  `${young} ${old}`,
  `${young}  ${old}`,
  ` ${young} `,
  `${young}\n`,
  `\t${young}\r\n${old}\n`,
  `${foreign} ${young}`,
];
/** Texts of the variable that are refused at the start: an empty or short key is known to everybody, or can be guessed. */
const refused = [
  undefined,
  '',
  ' \n',
  'whsec_',
  `${young} whsec_`,
  secretOf(23),
  secretOf(65),
  young.slice('whsec_'.length),
  `"${young}"`,
  `v1,${young}`,
  `${young},${old}`,
  `${young}%`,
];

/** What strangers can send and no library signs: headers, and the body unless it is the usual one. */
function forgeries(): [Record<string, string>, (Uint8Array<ArrayBuffer> | 'none')?][] {
  const genuine = signed([young]);
  const nothing = new Uint8Array();
  return [
    [{ ...genuine, 'webhook-signature': 'v1,é v1a,é é' }],
    [{ ...genuine, 'webhook-signature': `${'v1,AAAA '.repeat(500)}v1a,AAAA` }],
    [{ ...genuine, 'webhook-timestamp': '²' }],
    [{ ...genuine, 'webhook-id': 'é' }],
    [{}],
    [{}, 'none'],
    [genuine, 'none'],
    [genuine, nothing],
    [genuine, Buffer.from('{}')],
    // Under the empty key, which a blank too many in the variable once added.
    [signed([''])],
    [signed(['', young], { ageSeconds: 400 })],
    [signed([''], { sent: nothing }), 'none'],
  ];
}

async function refusesForgeries(url: string) {
  for (const [headers, sent] of forgeries()) {
    const status = await (sent === 'none' ? postNothing(url, headers) : post(url, headers, sent));
    expect(status, JSON.stringify(headers)).toBe(400);
  }
}

/** Judges what others sign as their own libraries do, and stricter only about texts that none of them writes. */
async function judgesAsTheLibraries(url: string, secrets: readonly string[], isLibrary = false) {
  const ages = [0, 0, 0, 250, -250, 350, -350];
  const signers = [...secrets, foreign].map(signWith);
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const messages = signedMessages({ signers, ages, isForHttp: true }, nowSeconds);
  await fc.assert(
    fc.asyncProperty(messages, async ({ headers, body }) => {
      const [refusal, ofSvix] = libraryRefusals({ headers, body }, secrets);
      expect(ofSvix).toBe(refusal);
      const isPlain = isPlainTimestamp(headers['webhook-timestamp']);
      const status = await post(url, headers, Buffer.from(body));
      if (isLibrary || refusal !== undefined) expect(status).toBe(refusal === undefined ? 204 : 400);
      else if (!isPlain || hasLongPart(headers['webhook-signature'])) expect([204, 400]).toContain(status);
      else expect(status).toBe(204);
    }),
    { numRuns: 40, endOnFailure: true },
  );
}

/** Why a receiver ended at its start. */
async function endOf(command: readonly string[], environment: Record<string, string>): Promise<string> {
  return startExampleReceiver(command, environment).then(() => 'it serves', String);
}

test('every receiver of the examples is tried below', () => {
  const tried = new Set(Object.keys(receiverCommands).map((name) => name.split(' ')[0] ?? ''));
  expect(
    readdirSync('examples/receivers')
      .filter((name) => name !== 'README.md')
      .sort(),
  ).toEqual([...tried].sort());
});

describe.each(Object.entries(receiverCommands))('%s', (name, commandOf) => {
  test(
    'accepts deliveries signed with either secret, and refuses all others',
    async () => {
      const environment = { LAUNCHWIRE_WEBHOOK_SECRET: `${young} ${old}` };
      const { url, printed } = await startExampleReceiver(await commandOf(), environment);
      for (const secrets of [[young], [old], [foreign, old]]) {
        const headers = signed(secrets);
        expect(await post(url, headers)).toBe(204);
        await eventually('the event', async () => printed().includes(`${headers['webhook-id']} ${TYPE}`));
      }
      await judgesAsTheLibraries(url, [young, old]);
      const last = signed([young]);
      expect(await post(url, last)).toBe(204);
      await eventually('the last event', async () => printed().includes(last['webhook-id']));
      const before = printed();
      await refusesForgeries(url);
      const genuine = signed([young]);
      const large = Buffer.alloc(200_000, 97);
      // In Next, the server around a route limits the size of the body.
      // The receiver may close the connection, so the next request needs one of its own.
      if (!name.startsWith('next')) expect(await post(url, genuine, large, false).catch(() => 413)).toBe(413);
      expect(await post(url, genuine)).toBe(204);
      const line = `${genuine['webhook-id']} ${TYPE}`;
      await eventually('the genuine event', async () => printed().endsWith(`${line}\n`));
      expect(printed().slice(before.length).trim()).toBe(line);
    },
    START_TIMEOUT_MS,
  );

  test(
    'takes its secrets from any white space, without a key for what lies between',
    async () => {
      const command = await commandOf();
      for (const LAUNCHWIRE_WEBHOOK_SECRET of usable) {
        const { url } = await startExampleReceiver(command, { LAUNCHWIRE_WEBHOOK_SECRET });
        expect(await post(url, signed([young]))).toBe(204);
        expect(await post(url, signed(['']))).toBe(400);
      }
    },
    START_TIMEOUT_MS,
  );

  test(
    'does not start with anything else than secrets, and does not print it',
    async () => {
      const command = await commandOf();
      for (const text of refused) {
        const environment = text === undefined ? {} : { LAUNCHWIRE_WEBHOOK_SECRET: text };
        const end = await endOf(command, environment);
        expect(end, JSON.stringify(text)).toContain('it ended with');
        expect(end).not.toContain(young.slice('whsec_'.length));
      }
    },
    START_TIMEOUT_MS,
  );
});

test(
  'the receiver in Go verifies with the public key of its endpoint alone',
  async () => {
    const command = await receiverCommands['receiver.go']?.();
    const publicKeys = keysOfEndpoints.ofEndpoint(endpointId).map((key) => publicSigningKey(key).key);
    const environment = { LAUNCHWIRE_WEBHOOK_PUBLIC_KEY: ` ${publicKeys.join(' ')}\n` };
    const { url } = await startExampleReceiver(command ?? [], environment);
    expect(await post(url, signed([]))).toBe(204);
    // The delivery is genuine and from the same deployment, but for another endpoint.
    expect(await post(url, signed([young], { to: otherId }))).toBe(400);
    expect(await endOf(command ?? [], { LAUNCHWIRE_WEBHOOK_PUBLIC_KEY: 'whpk_AAAA' })).toContain('it ended');
  },
  START_TIMEOUT_MS,
);

describe.each([
  ['Express 5', import.meta.resolve('express')],
  ['Express 4', import.meta.resolve('express-4')],
])('the sample of the guide with standardwebhooks, on %s', (_version, express) => {
  test(
    'refuses forgeries, and a secret that its library would take',
    async () => {
      const guide = readFileSync('docs/guides/webhooks.md', 'utf8');
      const [, sample = ''] =
        /```ts\n(import type \{ AddressInfo[\s\S]*?)\/\/ A delivery as it arrives/.exec(guide) ?? [];
      expect(sample).toContain("app.post('/launchwire'");
      const file = join(createTempDir('guide'), 'sample.ts');
      const listening = "app.listen(Number(process.env.PORT), '127.0.0.1');\n";
      writeFileSync(file, sample.replace("'/launchwire'", "'/webhooks'") + listening);
      const command = await fileOnNode(file, {
        express,
        standardwebhooks: import.meta.resolve('standardwebhooks'),
      });
      const { url } = await startExampleReceiver(command, { WEBHOOK_SECRET: young });
      expect(await post(url, signed([young]))).toBe(204);
      await refusesForgeries(url);
      await judgesAsTheLibraries(url, [young], true);
      for (const text of refused)
        expect(await endOf(command, text === undefined ? {} : { WEBHOOK_SECRET: text })).toContain(
          'it ended',
        );
    },
    START_TIMEOUT_MS,
  );
});
