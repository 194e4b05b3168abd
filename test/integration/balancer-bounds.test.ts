import { beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { haproxyExecutable } from '../../sandbox/cluster/executables.ts';
import { probe } from '../../sandbox/processes/readiness.ts';
import { startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { silent } from '../../sandbox/services/log.ts';
import { problemTable } from '../../src/shared/problem-table.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const CONNECTIONS = 10;
const REQUESTS = 40;

let port: number;

/** The shipped configuration, with one api on a port of this test and bounds that a test can reach. */
beforeAll(async () => {
  const api = await freePort();
  const server = createServer((_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(api, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  port = await freePort();
  const shipped = readFileSync(join(import.meta.dir, '../../ops/haproxy/haproxy.cfg'), 'utf8');
  const config = shipped
    // Several threads count connections in any order, and a test names the one that is too many.
    .replace('maxconn 8000', 'maxconn 8000\n  nbthread 1')
    .replace('bind :3000', `bind 127.0.0.1:${port}\n  bind 127.0.0.2:${port}`)
    .replaceAll(/server-template .*/g, `server api 127.0.0.1:${api} check`)
    .replace('sc0_conn_cur gt 500', `sc0_conn_cur gt ${CONNECTIONS}`)
    .replace('sc0_http_req_rate gt 10000', `sc0_http_req_rate gt ${REQUESTS}`);
  const file = join(createTempDir('bounds'), 'haproxy.cfg');
  writeFileSync(file, config);
  const haproxy = await startChild({
    name: 'haproxy',
    command: await haproxyExecutable(silent),
    args: ['-db', '-f', file],
    ready: probe(async () => (await get('127.0.0.3')).startsWith('HTTP/1.1 200')),
  });
  atEnd(async () => void (await haproxy.stop()));
});

/** A connection from an address of this machine; `text` is what came, and `isClosed` whether it ended. */
function open(localAddress: string): { socket: Socket; text: string; isClosed: boolean } {
  const opened = { socket: connect({ host: '127.0.0.1', port, localAddress }), text: '', isClosed: false };
  opened.socket.on('data', (data) => {
    opened.text += data.toString();
  });
  opened.socket.on('error', () => {});
  opened.socket.on('close', () => {
    opened.isClosed = true;
  });
  atEnd(async () => void opened.socket.destroy());
  return opened;
}

/** The response to one request from an address, as text. */
async function get(localAddress: string): Promise<string> {
  const opened = open(localAddress);
  opened.socket.write('GET /api/v2/tokens HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n');
  await eventually('the end of the response', async () => opened.isClosed);
  return opened.text;
}

test('one address has a bounded number of connections, and takes none from another', async () => {
  const held = Array.from({ length: CONNECTIONS }, () => open('127.0.0.4'));
  await eventually('all are open', async () => held.every(({ socket }) => socket.readyState === 'open'));
  const refused = open('127.0.0.4');
  await eventually('one more is closed', async () => refused.isClosed);
  expect(held.filter(({ isClosed }) => isClosed)).toEqual([]);
  expect(await get('127.0.0.5')).toStartWith('HTTP/1.1 200');
  for (const { socket } of held) socket.destroy();
  await eventually('there is room again', async () => (await get('127.0.0.4')).startsWith('HTTP/1.1 200'));
});

test('one address that sends too many requests is refused with a problem of the contract, and others are not', async () => {
  let refusal = '';
  await eventually('a refusal', async () => {
    refusal = await get('127.0.0.6');
    return refusal.startsWith('HTTP/1.1 429');
  });
  const [head = '', body = '{}'] = refusal.split('\r\n\r\n');
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  expect(head.toLowerCase()).toContain('retry-after: 10');
  expect(JSON.parse(body)).toMatchObject({
    status: 429,
    code: 'rate_limit_exceeded',
    title: problemTable.rate_limit_exceeded.title,
    instance: '/api/v2/tokens',
  });
  expect(await get('127.0.0.7')).toStartWith('HTTP/1.1 200');
});
