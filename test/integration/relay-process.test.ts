import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { EVENT_STREAM, eventSubject } from '../../src/shared/bus/topology.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import type { TestCertificate } from '../support/webhooks/webhook-certificates.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

let world: RelayWorld;
beforeAll(async () => {
  world = await createRelayWorld();
});

/** Signed by itself for 127.0.0.1, for tests only, valid for a hundred years. */
const privateCertificate: TestCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUDtD2H0CRTN2ns3RQJmdAJiT6GGcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMDEzNDgwMFoYDzIxMjYxMDI3
MTM0ODAwWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR20ljuv69B+0McpJB74kcGF+D6KYaePKOJ0lhiZaSc05kxZf6/HAks
Bh9ONl+CWhuqO3jyxT/VklbNTIQI8MrKo2QwYjAdBgNVHQ4EFgQULkpRhwe+SbhR
YGfw/QkScCCEkh8wHwYDVR0jBBgwFoAULkpRhwe+SbhRYGfw/QkScCCEkh8wDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IGaXxcKqjL7qzkRe/vYMVyaA8RLG/kxKEmCSMsT8AXmNAiEA7OtiIgNfK2cn3GwZ
VVYE2ccaZ0ZrV892n5gbN24T89U=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4UZGWze1dMF3I0xW
2JphT/3jgDnzPYjpVOVl6eyAMpKhRANCAAR20ljuv69B+0McpJB74kcGF+D6KYae
PKOJ0lhiZaSc05kxZf6/HAksBh9ONl+CWhuqO3jyxT/VklbNTIQI8MrK
-----END PRIVATE KEY-----
`,
};

type LogLine = Record<string, unknown> & { msg: string };

/** Reads a relay's log until a line has the message. */
async function logged(lines: AsyncIterator<LogLine>, message: string): Promise<LogLine> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the relay ended without ${message}`);
    if (value.msg === message) return value;
  }
}

async function* logLines(stderr: ReadableStream<Uint8Array>): AsyncGenerator<LogLine, void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stderr) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as LogLine;
  }
}

test('WEBHOOK_CA_FILE: a certificate of that authority is accepted, which is tls_error without it', async () => {
  const file = join(createTempDir('authority'), 'authority.pem');
  writeFileSync(file, privateCertificate.cert);
  const receiver = await startReceiver({ certificate: privateCertificate });
  const strict = await world.spawnRelay();
  const endpoint = await world.createEndpoint(receiver.origin);
  const refused = await world.publish({ accountId: endpoint.accountId });
  const row = await world.deliveryOf(endpoint.id, refused, ({ status }) => status === 'retrying');
  expect(row.lastErrorCode).toBe('tls_error');
  expect(receiver.requests).toHaveLength(0);
  strict.kill('SIGTERM');
  await strict.exited;
  const trusting = await world.spawnRelay({ WEBHOOK_CA_FILE: file });
  const lines = logLines(trusting.stderr);
  expect(await logged(lines, 'url_policy.widened')).toMatchObject({ caFile: file });
  const accepted = await world.publish({ accountId: endpoint.accountId });
  await receiver.received(1, ({ headers }) => headers['webhook-id'] === accepted);
  trusting.kill('SIGTERM');
  await trusting.exited;
});

test('a message that announces no event stays in the stream, and an error in the log names its place', async () => {
  const relay = await world.spawnRelay();
  const lines = logLines(relay.stderr);
  const subject = eventSubject(await world.createAccount());
  const { seq } = await jetstream(world.connection).publish(subject, 'garbage');
  expect(await logged(lines, 'message.parked')).toMatchObject({ level: 50, subject, streamSequence: seq });
  const manager = await jetstreamManager(world.connection);
  const kept = await manager.streams.getMessage(EVENT_STREAM, { seq });
  expect(kept?.string()).toBe('garbage');
  relay.kill('SIGTERM');
  expect(await logged(lines, 'relay.stopped')).toMatchObject({ poisonMessages: 1 });
  expect(await relay.exited).toBe(0);
});
