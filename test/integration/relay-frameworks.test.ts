import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { debianExecutable } from '../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../sandbox/services/executable.ts';
import { silent } from '../../sandbox/services/log.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const GZIP = Buffer.from(gzipSync('gzip'));
let world: RelayWorld;
const origins = new Map<string, string>();

beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '3600' });
  const python = findExecutable('python3') ?? (await debianExecutable('python3', ['python3'], silent));
  if (python === undefined) throw new Error('python3 is missing (Debian: apt-get install python3)');
  const [ofNode, ofPython] = await Promise.all([
    startReceivers(['node', 'framework-receivers.mjs', GZIP.toString('base64')]),
    startReceivers([python, 'http_server_receivers.py']),
  ]);
  for (const [name, port] of Object.entries({ ...ofNode, ...ofPython, Hono: serveHono() }))
    origins.set(name, `http://127.0.0.1:${port}`);
  await world.startRelay();
});

/** Starts a program that prints the ports of its receivers. */
async function startReceivers([command, file, ...args]: [string, string, ...string[]]): Promise<
  Record<string, number>
> {
  const path = join(import.meta.dir, '..', 'support', 'webhooks', file);
  const child = Bun.spawn([command, path, ...args], { stdout: 'pipe', stderr: 'ignore' });
  atEnd(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  const { value } = await child.stdout.getReader().read();
  return JSON.parse(new TextDecoder().decode(value));
}

function serveHono(): number {
  const app = new Hono();
  const stream = (pieces: readonly string[]) => new Response(new Blob([...pieces]).stream());
  app.post('/plain', (context) => context.text('plain'));
  app.post('/early', (context) => context.text('early'));
  app.post('/read', async (context) => context.json((await context.req.arrayBuffer()).byteLength > 0));
  app.post('/empty', (context) => context.body(null, 204));
  app.post('/close', (context) => context.text('close', 200, { connection: 'close' }));
  app.post('/chunked', () => stream(['ch', 'unk', 'ed']));
  app.post('/large', (context) => context.text('large'.repeat(40_000)));
  app.post('/gzip', () => new Response(GZIP, { headers: { 'content-encoding': 'gzip' } }));
  app.post('/throws', () => {
    throw new Error('of the receiver');
  });
  app.onError((_error, context) => context.text('failed', 500));
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 255, fetch: app.fetch });
  atEnd(async () => void (await server.stop(true)));
  return server.port ?? 0;
}

interface Behaviour {
  status: number;
  /** The first 1 KiB of the body, latin1. */
  body?: string;
  /** Whether the next delivery comes on the same connection; undefined where the receiver and the relay may both end it. */
  isKept?: boolean;
}

const behaviours: Readonly<Record<string, Behaviour>> = {
  plain: { status: 200, body: 'plain', isKept: true },
  read: { status: 200, body: 'true', isKept: true },
  empty: { status: 204, body: '', isKept: true },
  interim: { status: 200, body: 'interim', isKept: true },
  trailers: { status: 200, body: 'trailers', isKept: true },
  chunked: { status: 200, body: 'chunked', isKept: true },
  drip: { status: 200, body: 'drip', isKept: true },
  gzip: { status: 200, body: GZIP.toString('latin1'), isKept: true },
  throws: { status: 500, isKept: true },
  unknown: { status: 404, isKept: true },
  early: { status: 200, body: 'early' },
  drop: { status: 200, body: 'drop' },
  close: { status: 200, body: 'close', isKept: false },
  large: { status: 200, body: 'large'.repeat(205).slice(0, 1_024), isKept: false },
};

const pick = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, behaviours[name]]));
const ofPython = pick('plain empty interim trailers chunked drip early close large');
/** Its errors say that the connection ends. */
const unknownOfPython: Behaviour = { status: 404, isKept: false };
const frameworks: Readonly<Record<string, Readonly<Record<string, Behaviour | undefined>>>> = {
  'Express 4': behaviours,
  'Express 5': behaviours,
  Fastify: behaviours,
  Hono: pick('plain read empty chunked gzip throws unknown early close large'),
  'http.server of Python, HTTP/1.1': { ...ofPython, unknown: unknownOfPython },
  'http.server of Python, HTTP/1.0': {
    ...Object.fromEntries(Object.entries(ofPython).map(([name, one]) => [name, { ...one, isKept: false }])),
    // HTTP/1.0 has no chunks, so the response cannot be framed, and its status counts (contract/delivery#success).
    chunked: { status: 200, body: '', isKept: false },
    trailers: { status: 200, body: '', isKept: false },
    // Nor interim responses.
    interim: { status: 200, body: '', isKept: false },
    unknown: unknownOfPython,
  },
};

interface AttemptRow {
  attemptNumber: number;
  succeeded: boolean;
  errorCode: string | null;
  responseStatus: number | null;
  responseBody: Buffer | null;
  connectMs: number | null;
}

/** Delivers an event and returns the only attempt. */
async function deliver(endpointId: string): Promise<AttemptRow> {
  // Larger than what a socket takes at once from a receiver that does not read.
  const id = await world.publish({ onlyEndpointId: endpointId, data: { text: 'x'.repeat(60_000) } });
  const delivery = await world.deliveryOf(endpointId, id, ({ status }) =>
    ['succeeded', 'retrying', 'dead_letter'].includes(status),
  );
  const [attempt, ...others] = await world.sql<AttemptRow[]>`
    select * from webhook_attempts where delivery_id = ${delivery.id}`;
  if (attempt === undefined) throw new Error('the delivery has no attempt');
  expect(others).toEqual([]);
  expect(delivery.attemptCount).toBe(1);
  expect(delivery.status).toBe(attempt.succeeded ? 'succeeded' : 'retrying');
  return attempt;
}

describe('each delivery has one result, which says what the receiver did', () => {
  test.each(Object.entries(frameworks))('%s', async (framework, expected) => {
    await Promise.all(
      Object.entries(expected).map(async ([name, behaviour]) => {
        const { status, body, isKept } = behaviour ?? { status: 0 };
        const { id } = await world.createEndpoint(`${origins.get(framework)}/${name}`);
        const judge = async () => {
          const attempt = await deliver(id);
          const isSuccess = status < 300;
          const errorCode = isSuccess ? null : `http_${status}`;
          const result = { attemptNumber: 1, succeeded: isSuccess, responseStatus: status, errorCode };
          expect({ name, ...attempt }).toMatchObject({ name, ...result });
          const read = attempt.responseBody?.toString('latin1') ?? '';
          if (body !== undefined) expect({ name, read }).toEqual({ name, read: body });
          return attempt.connectMs === null;
        };
        expect(await judge()).toBe(false);
        const isReused = await judge();
        if (isKept === false) expect(isReused).toBe(false);
        // Both sides keep an idle connection for a time only.
        else if (isKept) await eventually('a delivery on a kept connection', async () => isReused || judge());
      }),
    );
  });
});
