import { beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { eventually } from '../support/run/eventually.ts';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi({ environment: localWebhooks });
  key = await createTestKey(api.dependencies.database);
});

/** A request that creates an endpoint under this idempotency key. */
function creation(idempotencyKey: string, port: number, ...more: string[]): string {
  const body = `{"url":"http://127.0.0.1:${port}/hook"}`;
  const head = [
    'POST /api/v2/webhook-endpoints HTTP/1.1',
    'Host: localhost',
    `Authorization: ${key.header.authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Idempotency-Key: ${idempotencyKey}`,
    ...more,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Writes all of it at once, and reads until the server closes. Returns the status lines in their order. */
function pipelined(requests: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(api.origin);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(requests.join('')));
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', reject);
    socket.on('close', () =>
      resolve(
        Buffer.concat(received)
          .toString()
          .match(/^HTTP\/1\.1 \d+/gm) ?? [],
      ),
    );
  });
}

describe('requests that a client writes before it has the response of the one before', () => {
  test('are answered in order or not at all, and a repeat under their keys makes each change once', async () => {
    const names = ['pipelined-1', 'pipelined-2', 'pipelined-3'];
    const last = creation('pipelined-3', 8_083, 'Connection: close');
    const requests = [creation('pipelined-1', 8_081), creation('pipelined-2', 8_082), last];
    const answers = await pipelined(requests);
    expect(answers).toEqual(names.slice(0, answers.length).map(() => 'HTTP/1.1 201'));
    // The handler of a lost response may still be running.
    for (const [at, name] of names.entries()) {
      const repeat = await eventually('the repeat has a response', async () => {
        const response = await sendRaw(api.origin, creation(name, 8_081 + at));
        return response.status !== 409 && response;
      });
      expect(repeat.status).toBe(201);
      if (at < answers.length) expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    }
    const rows = await api.dependencies.database`
      select url from webhook_endpoints where account_id = ${key.accountId} and url like '%:808_/hook'`;
    expect(rows).toHaveLength(names.length);
  });
});
