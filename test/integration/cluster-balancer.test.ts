import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { haproxyExecutable } from '../../sandbox/cluster/executables.ts';
import { haproxyConfig } from '../../sandbox/cluster/haproxy-config.ts';
import { probe } from '../../sandbox/processes/readiness.ts';
import { startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { silent } from '../../sandbox/services/log.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

/** An api that answers, or breaks every connection that brings a request. */
interface StandIn {
  readonly port: number;
  readonly server: Server;
  breaks: boolean;
  isReady: boolean;
  requests: number;
}

let origin = '';
let one: StandIn;
let two: StandIn;

beforeAll(async () => {
  [one, two] = await Promise.all([standIn(), standIn()]);
  const port = await freePort();
  const config = haproxyConfig({
    api: port,
    primary: await freePort(),
    standby: await freePort(),
    apis: [
      { name: 'api-1', port: one.port },
      { name: 'api-2', port: two.port },
    ],
    databases: [],
  });
  const file = join(createTempDir('balancer'), 'haproxy.cfg');
  writeFileSync(file, config);
  origin = `http://127.0.0.1:${port}`;
  const haproxy = await startChild({
    name: 'haproxy',
    command: await haproxyExecutable(silent),
    args: ['-db', '-f', file],
    ready: probe(async () => (await fetch(origin)).ok),
  });
  atEnd(async () => void (await haproxy.stop()));
});

async function standIn(): Promise<StandIn> {
  const port = await freePort();
  const server = createServer((request, response) => {
    const isCheck = request.url === '/readyz' || request.url === '/healthz';
    if (isCheck) {
      response.writeHead(request.url === '/readyz' && !stand.isReady ? 503 : 200).end();
      return;
    }
    stand.requests += 1;
    if (stand.breaks) request.socket.destroy();
    else response.writeHead(stand.isReady ? 200 : 503, { 'x-from': String(port) }).end('{}');
  });
  const stand: StandIn = { port, server, breaks: false, isReady: true, requests: 0 };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return stand;
}

const change = (headers: Record<string, string>) =>
  fetch(`${origin}/api/v2/things`, { method: 'POST', body: '{}', headers, keepalive: false });

function reset(breaks: boolean): void {
  for (const stand of [one, two]) Object.assign(stand, { breaks, isReady: true, requests: 0 });
}

describe('the balancer of the cluster', () => {
  test('sends a request that may be repeated to another api when the first one dies with it', async () => {
    reset(false);
    one.breaks = true;
    for (let at = 0; at < 4; at += 1) {
      expect((await fetch(`${origin}/api/v2/things`, { keepalive: false })).status).toBe(200);
      expect((await change({ 'Idempotency-Key': `key-${at}` })).status).toBe(200);
    }
    expect(one.requests).toBeGreaterThan(0);
  });

  test('repeats no change without a key, and ends it as a problem of the contract', async () => {
    reset(true);
    const response = await change({});
    expect(one.requests + two.requests).toBe(1);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('retry-after')).toBe('1');
    const body = await response.json();
    expect(body).toMatchObject({
      status: 503,
      code: 'api_dependency_unavailable',
      instance: '/api/v2/things',
      requestId: response.headers.get('x-request-id'),
    });
  });

  test('uses the apis that live while none is ready, and only ready ones otherwise', async () => {
    reset(false);
    one.isReady = false;
    await eventually('the end of its turn', async () => {
      const from = await Promise.all(Array.from({ length: 4 }, () => fetch(`${origin}/api/v2/things`)));
      return from.every((response) => response.headers.get('x-from') === String(two.port));
    });
    two.isReady = false;
    await eventually('a 503 of an api itself', async () => {
      const response = await fetch(`${origin}/api/v2/things`);
      return response.status === 503 && response.headers.get('x-from') !== null;
    });
  });
});
