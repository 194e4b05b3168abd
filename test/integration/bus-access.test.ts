import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import pino from 'pino';
import { startNats } from '../../sandbox/services/nats.ts';
import { openHintChannel } from '../../src/api/hint-channel.ts';
import type { BusAccess } from '../../src/shared/bus/access.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { logConnection } from '../../src/shared/bus/log-connection.ts';
import { busReadiness, busReason } from '../../src/shared/bus/readiness.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { untilAllowed } from '../../src/shared/bus/until-bus.ts';
import {
  clientCertificate,
  serverAuthority,
  serverCertificate,
} from '../support/http/server-certificates.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { createCredentials } from '../support/servers/nats-credentials.ts';
import { testAuthority, trustedCertificate } from '../support/webhooks/webhook-certificates.ts';

async function startServer(settings: readonly string[]) {
  const server = await startNats({
    storeDir: join(createTempDir('nats'), 'store'),
    durable: false,
    settings,
  });
  atEnd(() => server.stop());
  return server;
}

function fileWith(text: string): string {
  const path = join(createTempDir('access'), 'file');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** Connects and makes the streams, so that answers come too; the error's message when refused. */
async function attempt(access: BusAccess): Promise<string> {
  try {
    const connection = await connectBus(access, 'test');
    await ensureStreams(connection);
    await connection.close();
    return 'connected';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const REFUSED = 'Authorization Violation';

describe('who connects to the broker', () => {
  test('proves it with the user and password of NATS_URL', async () => {
    const { port } = await startServer(['authorization { user: launchwire, password: "p@ss/w:rd%" }']);
    const encoded = encodeURIComponent('p@ss/w:rd%');
    expect(await attempt({ natsUrls: [`nats://launchwire:${encoded}@127.0.0.1:${port}`] })).toBe('connected');
    expect(await attempt({ natsUrls: [`nats://launchwire:other@127.0.0.1:${port}`] })).toBe(REFUSED);
    expect(await attempt({ natsUrls: [`nats://127.0.0.1:${port}`] })).toBe(REFUSED);
  });

  test('proves it with the token of NATS_URL', async () => {
    const { port } = await startServer(['authorization { token: "a/token" }']);
    expect(await attempt({ natsUrls: [`nats://a%2Ftoken@127.0.0.1:${port}`] })).toBe('connected');
    expect(await attempt({ natsUrls: [`nats://other@127.0.0.1:${port}`] })).toBe(REFUSED);
  });

  test('proves it with the seed of an nkey', async () => {
    const user = nkeys.createUser();
    const { url } = await startServer([`authorization { users: [{ nkey: ${user.getPublicKey()} }] }`]);
    const seedOf = (pair: typeof user) => fileWith(`${new TextDecoder().decode(pair.getSeed())}\n`);
    expect(await attempt({ natsUrls: [url], natsNkeySeedFile: seedOf(user) })).toBe('connected');
    expect(await attempt({ natsUrls: [url], natsNkeySeedFile: seedOf(nkeys.createUser()) })).toBe(REFUSED);
  });

  test('proves it with a credentials file', async () => {
    const { settings, credentials } = createCredentials();
    const { url } = await startServer(settings);
    expect(await attempt({ natsUrls: [url], natsCredentialsFile: fileWith(credentials) })).toBe('connected');
    const others = createCredentials().credentials;
    expect(await attempt({ natsUrls: [url], natsCredentialsFile: fileWith(others) })).toBe(REFUSED);
    expect(await attempt({ natsUrls: [url], natsCredentialsFile: '/nowhere' })).toContain('ENOENT');
  });

  test('logs a refusal without the password', async () => {
    const { port } = await startServer([
      'authorization { users: [{ user: some, password: secret-enough, permissions: { publish: "a" } }] }',
    ]);
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const channel = openHintChannel(`nats://some:wrong-secret@127.0.0.1:${port}`, 'test', log);
    atEnd(() => channel.close());
    await eventually('the refused connection', async () => lines.join().includes(REFUSED));
    const connection = await connectBus(`nats://some:secret-enough@127.0.0.1:${port}`, 'test');
    const logging = logConnection(connection, log);
    for (let times = 0; times < 10; times += 1) connection.publish('forbidden');
    await connection.flush();
    await connection.close();
    await logging;
    expect(lines.filter((line) => line.includes('bus.refused'))).toHaveLength(1);
    expect(lines.join()).toContain('forbidden');
    expect(lines.join()).not.toContain('secret');
  });
});

describe('tls://', () => {
  const tls = (certificate: typeof serverCertificate, more = '') => [
    `tls { cert_file: "${fileWith(certificate.cert)}", key_file: "${fileWith(certificate.key)}" ${more} }`,
  ];

  test('is refused where the server speaks in clear text', async () => {
    const { port } = await startServer([]);
    expect(await attempt({ natsUrls: [`nats://127.0.0.1:${port}`] })).toBe('connected');
    expect(await attempt({ natsUrls: [`tls://127.0.0.1:${port}`] })).toContain(`does not support 'tls'`);
  });

  test('accepts only a certificate that NATS_CA_FILE signed for this host', async () => {
    const [good, otherHost] = await Promise.all([
      startServer(tls(serverCertificate)),
      startServer(tls(trustedCertificate)),
    ]);
    const natsCaFile = fileWith(serverAuthority);
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await attempt({ natsUrls: [`tls://${host}:${good.port}`], natsCaFile })).toBe('connected');
    expect(await attempt({ natsUrls: [`tls://127.0.0.1:${good.port}`] })).not.toBe('connected');
    const otherAuthority = fileWith(testAuthority);
    expect(
      await attempt({ natsUrls: [`tls://127.0.0.1:${good.port}`], natsCaFile: otherAuthority }),
    ).not.toBe('connected');
    for (const host of ['127.0.0.1', 'localhost'])
      expect(
        await attempt({ natsUrls: [`tls://${host}:${otherHost.port}`], natsCaFile: otherAuthority }),
      ).not.toBe('connected');
  });

  test('shows the certificate of NATS_CERT_FILE to a server that asks for one', async () => {
    const natsCaFile = fileWith(serverAuthority);
    const { port } = await startServer(tls(serverCertificate, `, ca_file: "${natsCaFile}", verify: true`));
    const natsUrls = [`tls://127.0.0.1:${port}`];
    const [natsCertFile, natsKeyFile] = [fileWith(clientCertificate.cert), fileWith(clientCertificate.key)];
    expect(await attempt({ natsUrls, natsCaFile, natsCertFile, natsKeyFile })).toBe('connected');
    expect(await attempt({ natsUrls, natsCaFile })).not.toBe('connected');
  });
});

test('a password that is changed while a process runs is reported in its readiness and its log, and both recover', async () => {
  const storeDir = join(createTempDir('nats'), 'store');
  const password = (text: string) => [`authorization { user: launchwire, password: ${text} }`];
  let server = await startNats({ storeDir, durable: false, settings: password('first') });
  const { port } = server;
  atEnd(() => server.stop());
  const url = `nats://launchwire:first@127.0.0.1:${port}`;
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const channel = openHintChannel(url, 'test', silentLog);
  const connection = await connectBus(url, 'test');
  atEnd(() => Promise.all([channel.close(), connection.close()]).then(() => {}));
  const logging = logConnection(connection, log);
  const readiness = busReadiness(() => connection);
  const reasons = async () => [
    (await readiness.check()).detail,
    await channel.ask().then(() => undefined, busReason),
  ];
  await eventually('both are connected', async () => (await reasons()).every((one) => one === undefined));
  for (const round of [1, 2]) {
    await server.stop();
    server = await startNats({ storeDir, port, durable: false, settings: password('second') });
    await eventually('both name the reason', async () =>
      (await reasons()).every((one) => one === 'it refuses user, password or key'),
    );
    await server.stop();
    server = await startNats({ storeDir, port, durable: false, settings: password('first') });
    await eventually('both are ready again', async () => (await reasons()).every((one) => one === undefined));
    const refused = lines.filter((line) => /"reason":"login_refused".*bus\.refused/.test(line));
    expect(refused).toHaveLength(round);
    expect(lines.filter((line) => line.includes('bus.accepted'))).toHaveLength(round);
  }
  await connection.close();
  await logging;
});

test('a subject that is refused makes its connection not ready', async () => {
  const { port } = await startServer([
    'authorization { users: [{ user: some, password: some, permissions: { publish: "a" } }] }',
  ]);
  const connection = await connectBus(`nats://some:some@127.0.0.1:${port}`, 'test');
  atEnd(() => connection.close());
  const readiness = busReadiness(() => connection);
  expect(await readiness.check()).toEqual({ ready: true });
  connection.publish('forbidden');
  await connection.flush();
  await eventually('it is not ready', async () => !(await readiness.check()).ready);
  expect((await readiness.check()).detail).toStartWith('it refuses this user a subject');
});

test('a request that its user may not publish ends the wait for its answer', async () => {
  const { port } = await startServer([
    'authorization { users: [{ user: some, password: some, permissions: { publish: "a" } }] }',
  ]);
  const connection = await connectBus(`nats://some:some@127.0.0.1:${port}`, 'test');
  atEnd(() => connection.close());
  const how = { log: silentLog, signal: new AbortController().signal };
  await expect(untilAllowed('jetstream', () => ensureStreams(connection), how)).rejects.toThrow(
    'NATS_URL logs in a user who may not publish to $JS.API.STREAM.INFO.EVENTS',
  );
});

test('a channel goes on after the server refused its user for a while', async () => {
  const storeDir = join(createTempDir('nats'), 'store');
  const password = (text: string) => [`authorization { user: launchwire, password: ${text} }`];
  let server = await startNats({ storeDir, durable: false, settings: password('first') });
  const { port } = server;
  atEnd(() => server.stop());
  const channel = openHintChannel(`nats://launchwire:first@127.0.0.1:${port}`, 'test', silentLog);
  atEnd(() => channel.close());
  await eventually('the channel is connected', async () => channel.isConnected());
  await server.stop();
  server = await startNats({ storeDir, port, durable: false, settings: password('second') });
  await eventually('it has lost its connection', async () => !channel.isConnected());
  const refusals = () =>
    readFileSync(join(storeDir, 'nats.log'), 'utf8').split('authentication error').length - 1;
  await eventually('it was refused again and again', async () => refusals() >= 3);
  await server.stop();
  server = await startNats({ storeDir, port, durable: false, settings: password('first') });
  await eventually('the channel is connected again', async () => channel.isConnected());
});
