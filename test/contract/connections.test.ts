import { beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { lockAccount } from '../../src/db/account-lock.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { holdLocks } from '../support/database/held-locks.ts';
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

/** Writes the request, and reads until the server closes: then `answers` has the status lines in their order. */
function connection(request: string): { write(more: string): void; answers: Promise<string[]> } {
  const { hostname, port } = new URL(api.origin);
  const socket = connect(Number(port), hostname, () => socket.write(request));
  const answers = new Promise<string[]>((resolve, reject) => {
    const received: Buffer[] = [];
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
  return { write: (more) => socket.write(more), answers };
}

describe('requests that a client writes before it has the response of the one before', () => {
  test('are answered in order or not at all, and a repeat under their keys makes each change once', async () => {
    const { database } = api.dependencies;
    const names = ['pipelined-1', 'pipelined-2', 'pipelined-3'];
    const [first = '', ...others] = names.map((name, at) => creation(name, 8_081 + at));
    const last = creation('pipelined-4', 8_091, 'Connection: close');
    const held = await holdLocks(database, (transaction) => lockAccount(transaction, key.accountId));
    const { write, answers: received } = connection(first);
    await held.untilBlocked('the first request waits for the account');
    write([...others, last].join(''));
    await held.commit();
    const answers = await received;
    expect(answers).toEqual([...names, last].slice(0, answers.length).map(() => 'HTTP/1.1 201'));
    // The handler of a lost response may still be running.
    for (const [at, name] of names.entries()) {
      const repeat = await eventually('the repeat has a response', async () => {
        const response = await sendRaw(api.origin, creation(name, 8_081 + at));
        return response.status !== 409 && response;
      });
      expect(repeat.status).toBe(201);
      // The first one was carried out, whether or not its response came.
      if (at < Math.max(1, answers.length)) expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    }
    const rows = await database`
      select url from webhook_endpoints where account_id = ${key.accountId} and url like '%:808_/hook'`;
    expect(rows).toHaveLength(names.length);
  });
});
