import { beforeAll, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { bareEnvironment } from '../support/run/runtime-variables.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const root = new URL('../../', import.meta.url).pathname;
const plant = (name: string) => `${name}-${randomBytes(12).toString('hex')}`;

/** Secrets that no log may contain, named after the place where they enter. */
const secrets = {
  databasePassword: plant('database'),
  redisPassword: plant('redis'),
  natsPassword: plant('nats'),
  /** In the form of a trace id. */
  rpcPathKey: randomBytes(16).toString('hex'),
  rpcQueryKey: plant('rpcquery'),
  webhookUserInfo: plant('userinfo'),
  webhookQuery: plant('webhookquery'),
  presentedKey: `lw_test_${'A'.repeat(16)}_${randomBytes(32).toString('hex').slice(0, 43)}`,
  malformedKey: `lw_test_${randomBytes(8).toString('hex')}`,
  otherScheme: plant('basic'),
  secretKey: randomBytes(32).toString('base64'),
};
const forbidden = new Map<string, string>(Object.entries(secrets));
const logLines: { process: string; line: string }[] = [];
const answers: { request: string; text: string }[] = [];
let world: RelayWorld;
let environment: Record<string, string>;
let baseUrl: string;

beforeAll(async () => {
  world = await createRelayWorld({ SECRET_KEY: secrets.secretKey });
  // Postgres asks for its password. The broker does not, but its password is a secret too.
  const role = `secrets_${randomBytes(6).toString('hex')}`;
  await world.sql.unsafe(`create role ${role} login superuser password '${secrets.databasePassword}'`);
  atEnd(async () => void (await world.sql.unsafe(`drop role ${role}`)));
  const withPassword = (address: string, user: string, password: string) => {
    const url = new URL(address);
    url.username = user;
    url.password = password;
    return url.href;
  };
  environment = {
    ...bareEnvironment(),
    ...world.environment,
    DATABASE_URL: withPassword(world.environment.DATABASE_URL ?? '', role, secrets.databasePassword),
    NATS_URL: withPassword(world.nats.url, 'launchwire', secrets.natsPassword),
    REDIS_URL: `redis://default:${secrets.redisPassword}@127.0.0.1:${await freePort()}`,
    SOLANA_RPC_URL: [
      `http://127.0.0.1:${await freePort()}/v2/${secrets.rpcPathKey}`,
      `http://127.0.0.1:${await freePort()}/?api-key=${secrets.rpcQueryKey}`,
    ].join(),
    LOG_LEVEL: 'trace',
    ACCESS_LOG: 'all',
  };
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}/api/v2`;
  await start('api', 'src/api/main.ts', { PORT: String(port) }, /api\.listening/);
  await start('worker', 'src/worker/main.ts', {}, /worker\.started/);
  await start('relay', 'relay/main.ts', {}, /relay\.ready/);
});

async function start(
  name: string,
  entry: string,
  more: Record<string, string>,
  ready: RegExp,
): Promise<void> {
  const child = await startChild({
    name,
    command: process.execPath,
    args: [entry],
    cwd: root,
    env: { ...environment, ...more },
    onLine: (line) => logLines.push({ process: name, line }),
    ready,
  });
  atEnd(async () => void (await child.kill()));
}

/** A second api without the broken limiter, because a 503 for everything would show little. */
async function startUnlimitedApi(): Promise<void> {
  const port = await freePort();
  await start('api', 'src/api/main.ts', { PORT: String(port), REDIS_URL: '' }, /api\.listening/);
  baseUrl = `http://127.0.0.1:${port}/api/v2`;
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${baseUrl}${path}`, init);
  const text = await response.clone().text();
  if (response.status >= 400)
    answers.push({ request: path, text: `${text} ${JSON.stringify([...response.headers])}` });
  return response;
}

const logged = (match: RegExp) =>
  eventually(`a log line ${match}`, async () => logLines.find(({ line }) => match.test(line)));

/** The log must contain the replacement instead of each secret. */
function expectNoSecrets(texts: readonly { place: string; text: string }[]): void {
  for (const { place, text } of texts) {
    for (const [name, secret] of forbidden) {
      for (const spelling of [secret, encodeURIComponent(secret)])
        expect(`${place}: ${text.includes(spelling) ? `${name} in ${text}` : ''}`).toBe(`${place}: `);
    }
  }
}

/** Sends keys in every place where a client may put one by mistake. */
async function presentKeys(): Promise<void> {
  const { presentedKey, malformedKey, otherScheme } = secrets;
  for (const authorization of [
    `Bearer ${presentedKey}`,
    `Bearer ${malformedKey}`,
    `bearer  ${presentedKey} trailing`,
    presentedKey,
    `Basic ${otherScheme}`,
  ]) {
    expect((await ask('/me', { headers: { authorization } })).status).toBeOneOf([401, 503]);
  }
  for (const key of [presentedKey, malformedKey]) {
    const encoded = key.replaceAll('_', '%5F');
    await ask(`/tokens?apiKey=${key}`);
    await ask(`/tokens?${key}=1`);
    await ask(`/tokens?limit=${key}`);
    await ask(`/tokens/${key}`);
    await ask(`/tokens/${encoded}`);
    await ask(`/nothing/${key}`);
    await ask(`/nothing/${encoded}/%zz`);
  }
}

test('keys in headers, queries and paths appear in no response, with and without a limiter', async () => {
  await presentKeys();
  expect(answers.some(({ text }) => text.includes('rate_limit_unavailable'))).toBe(true);
  await startUnlimitedApi();
  await presentKeys();
  for (const code of ['invalid_api_key', 'validation_failed', 'not_found'])
    expect(`${code} ${answers.some(({ text }) => text.includes(`"${code}"`))}`).toBe(`${code} true`);
  expectNoSecrets(answers.map(({ request, text }) => ({ place: `answer of ${request}`, text })));
});

test('secrets of the configuration that a client sends are recognised', async () => {
  const { databasePassword, natsPassword, secretKey, rpcPathKey } = secrets;
  for (const secret of [databasePassword, natsPassword, secretKey, rpcPathKey]) {
    const headers = { traceparent: `00-${rpcPathKey}-0123456789abcdef-01`, 'user-agent': secret };
    // Not `ask`: a problem shows the path to the client that has sent it.
    const { status } = await fetch(`${baseUrl}/nothing/${encodeURIComponent(secret)}`, { headers });
    expect(status).toBe(404);
  }
  await logged(/"traceId":"\[redacted\]".*"path":"\/api\/v2\/nothing\/\[redacted\]"/);
});

test('webhook addresses, secrets and transactions of a client appear in no error', async () => {
  const wallet = Keypair.generate();
  const key = await createTestKey(world.sql, { walletAddress: wallet.publicKey.toBase58() });
  forbidden.set('validKey', key.header.authorization.replace(/^Bearer /, ''));
  const post = (path: string, body: unknown, name: string, more: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': name, ...more },
      body: JSON.stringify(body),
    });
  const eventTypes = ['*'];
  const address = `http://127.0.0.1:${await freePort()}/hook?token=${secrets.webhookQuery}`;
  expect(
    (
      await post(
        '/webhook-endpoints',
        { url: `http://user:${secrets.webhookUserInfo}@127.0.0.1/`, eventTypes },
        'with-user-info',
      )
    ).status,
  ).toBe(422);
  const created = await post('/webhook-endpoints', { url: address, eventTypes }, 'endpoint-0001');
  expect(created.status).toBe(201);
  const { id, secret } = (await created.json()) as { id: string; secret: string };
  forbidden.set('webhookSecret', secret);
  const etag = created.headers.get('etag') ?? '"1"';
  await post(`/webhook-endpoints/${id}/pings`, {}, 'ping-0001', { 'if-match': etag });

  const prepared = await createPreparedIntent(world.sql, { accountId: key.accountId, wallet });
  const signedTransaction = Buffer.from(signWith(prepared.unsigned, wallet)).toString('base64');
  forbidden.set('signedTransaction', signedTransaction);
  const submit = (text: string, name: string) =>
    post(`/transaction-intents/${prepared.id}/submissions`, { signedTransaction: text }, name, {
      'if-match': '"1"',
    });
  expect((await submit(`${signedTransaction}!`, 'submission-0001')).status).toBe(422);
  expect((await submit(signedTransaction, 'submission-0002')).status).toBe(202);
  await logged(/broadcast\.not_accepted/);
  await world.publish({ accountId: key.accountId });
  await logged(/delivery\.attempted/);
  expectNoSecrets(answers.map(({ request, text }) => ({ place: `answer of ${request}`, text })));
});

test('an access line has the caller, the request and its outcome', async () => {
  const { line } = await logged(
    /"operation":"submitTransactionIntent".*"status":202|"status":202.*"operation":"submitTransactionIntent"/,
  );
  const fields = JSON.parse(line) as Record<string, unknown>;
  expect(fields).toMatchObject({
    msg: 'request',
    method: 'POST',
    code: null,
    client: '127.0.0.1',
    replayed: false,
  });
  expect(fields.requestId).toMatch(/^req_[0-9a-f]{32}$/);
  expect(fields.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(fields.keyId).toMatch(/^[0-9A-Za-z]{16}$/);
  expect(fields.accountId).toBeString();
  expect(fields.durationMs).toBeNumber();
  expect(fields.bytes).toBeGreaterThan(100);
});

test('processes that cannot start, and the admin commands, show no secret', async () => {
  const dead = `postgres://launchwire:${secrets.databasePassword}@127.0.0.1:${await freePort()}/nothing`;
  const runs: [string, ...string[]][] = [
    ['src/admin/main.ts', 'key', 'list', '--account', crypto.randomUUID()],
    ['src/admin/main.ts', 'intent', 'prepare', '--wallet', Keypair.generate().publicKey.toBase58()],
    ['src/db/main.ts'],
  ];
  for (const args of runs) {
    const { code, output } = await runBun(args, { ...environment, DATABASE_URL: dead });
    expect(code).not.toBe(0);
    expectNoSecrets([{ place: args.join(' '), text: output }]);
  }
});

test('no log line of any process holds a secret, at LOG_LEVEL=trace', async () => {
  await logged(/loop\.failed.*chain-head|chain-head.*loop\.failed/);
  await logged(/rate_limit_unavailable/);
  expect(new Set(logLines.map(({ process }) => process))).toEqual(new Set(['api', 'worker', 'relay']));
  expect(logLines.length).toBeGreaterThan(30);
  expectNoSecrets(logLines.map(({ process, line }) => ({ place: `log of ${process}`, text: line })));
});
