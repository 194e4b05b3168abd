import { expect, test } from 'bun:test';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { createClient } from 'launchwire';
import { sse } from '../support/client/scripted-stream.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const IDS = ['a', 'b', 'c'];
const clientOf = ({ origin }: BreakingService) =>
  createClient({ baseUrl: origin, apiKey: 'key', baseDelayMs: 1, maxRetries: 20 });

type Step =
  | { does: 'wait' | 'submit' | 'end'; id: string }
  | { does: 'break'; inside: boolean }
  | { does: 'forget' }
  | { does: 'refuse'; times: number }
  | { does: 'slow'; ms: number }
  | { does: 'pause'; ms: number };

const id = fc.constantFrom(...IDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('wait', 'submit', 'end'), id }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('break'), inside: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('forget') }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('refuse'), times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('slow'), ms: fc.integer({ min: 0, max: 15 }) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('pause'), ms: fc.integer({ min: 0, max: 8 }) }) },
) as fc.Arbitrary<Step>;

const WAIT_TIMEOUT_MS = 180_000;

test('a wait sees the end, however the stream breaks, whichever messages are lost, and whenever the read is answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (steps) => {
      const service = await new BreakingService().start();
      const client = clientOf(service);
      for (const one of IDS) service.add(one);
      const ended = new Set<string>();
      const waits: Promise<unknown>[] = [];
      const wait = (intentId: string) =>
        waits.push(
          client.waitForIntent(intentId, { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) }).then((intent) =>
            expect(intent).toMatchObject({
              id: intentId,
              status: 'confirmed',
              serializedTransaction: `bytes of ${intentId}`,
            }),
          ),
        );
      for (const one of IDS) wait(one);
      for (const one of steps) {
        // biome-ignore lint/plugin: how steps and answers interleave was drawn; nothing is asserted of it
        if (one.does === 'pause') await Bun.sleep(one.ms);
        else if (one.does === 'break') service.break(one.inside);
        else if (one.does === 'forget') service.forget();
        else if (one.does === 'refuse') service.refusals = one.times;
        else if (one.does === 'slow') service.slowness = one.ms;
        else if (one.does === 'wait') wait(one.id);
        else if (!ended.has(one.id)) {
          service.change(one.id, one.does === 'end' ? 'confirmed' : 'submitted');
          if (one.does === 'end') ended.add(one.id);
        }
      }
      for (const one of IDS) if (!ended.has(one)) service.change(one, 'confirmed');
      await Promise.all(waits);
    }),
    { numRuns: 60 },
  );
});

test('successive waits leave stream openings to the program, and close the streams that they opened', async () => {
  const service = await new BreakingService().start();
  const client = clientOf(service);
  service.add('a');
  const wait = client.waitForIntent('a');
  await eventually('the read of a stream that is live', async () => service.reads === 2);
  service.change('a', 'confirmed');
  await wait;
  service.add('b');
  const next = client.waitForIntent('b', { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) });
  await eventually('a read without a stream', async () => service.reads === 4);
  expect(service.opened).toBe(1);
  service.change('b', 'confirmed');
  expect(await next).toMatchObject({ status: 'confirmed' });
});

test('a stream that falls silent without an end is not trusted', async () => {
  const service = await new BreakingService().start();
  service.add('a');
  const wait = clientOf(service).waitForIntent('a', { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) });
  await eventually('the read of a stream that is live', async () => service.reads === 2);
  service.isSilent = true;
  service.change('a', 'confirmed');
  expect(await wait).toMatchObject({ status: 'confirmed' });
});

test('an aborted wait rejects with the reason, and its stream is closed', async () => {
  const service = await new BreakingService().start();
  service.add('a');
  const stopping = new AbortController();
  const wait = clientOf(service).waitForIntent('a', { signal: stopping.signal });
  await eventually('the read of a stream that is live', async () => service.reads === 2);
  const reason = new Error('enough');
  stopping.abort(reason);
  expect(await wait.catch((error: unknown) => error)).toBe(reason);
  await eventually('the end of the stream', async () => service.streams === 0);
});

interface Intent {
  id: string;
  status: string;
  version: number;
}

const BEAT_MS = 20;

/**
 * An in-memory service for clients that wait (contract/streams, contract/requests#waiting). It has intents, a
 * log of their changes, and streams that break where the test wants.
 */
class BreakingService {
  origin = '';
  opened = 0;
  reads = 0;
  /** The number of new streams to refuse. */
  refusals = 0;
  /** Milliseconds between a read and its response. */
  slowness = 0;
  isSilent = false;
  readonly #intents = new Map<string, Intent>();
  readonly #log: Intent[] = [];
  #forgotten = 0;
  readonly #streams = new Set<ServerResponse>();

  /** Streams that are open. */
  get streams(): number {
    return this.#streams.size;
  }

  add(id: string): void {
    this.#intents.set(id, { id, status: 'prepared', version: 1 });
  }

  change(id: string, status: string): void {
    const intent = { id, status, version: (this.#intents.get(id)?.version ?? 0) + 1 };
    this.#intents.set(id, intent);
    this.#log.push(intent);
    if (!this.isSilent) for (const stream of this.#streams) stream.write(this.#entry(this.#log.length));
  }

  /** Ends every connection; with `inside` in the middle of a message. */
  break(inside: boolean): void {
    for (const stream of this.#streams) {
      if (inside) stream.write('event: intent\ndata: {"event":"int', () => stream.destroy());
      else stream.destroy();
    }
    this.#streams.clear();
  }

  /** Trims the log, so that older cursors cannot continue. */
  forget(): void {
    this.#forgotten = this.#log.length;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test');
      if (pathname.endsWith('/stream')) this.#open(response, searchParams.get('cursor'));
      else this.#read(response, pathname.split('/').at(-1) ?? '');
    });
    // biome-ignore lint/plugin: the heartbeat of a service
    const beat = setInterval(() => {
      if (!this.isSilent) for (const stream of this.#streams) stream.write(this.#heartbeat());
    }, BEAT_MS);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    atEnd(async () => {
      clearInterval(beat);
      server.closeAllConnections();
      server.close();
    });
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this;
  }

  #read(response: ServerResponse, id: string): void {
    this.reads += 1;
    // The response is read now and sent later. The stream reports the changes in between.
    const body = JSON.stringify({ ...this.#intents.get(id), serializedTransaction: `bytes of ${id}` });
    // biome-ignore lint/plugin: the test draws this delay and asserts nothing about it
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      this.slowness,
    );
  }

  #open(response: ServerResponse, cursor: string | null): void {
    this.opened += 1;
    if (this.refusals > 0) {
      this.refusals -= 1;
      return void response.socket?.destroy();
    }
    const after = cursor === null ? null : Number(cursor);
    const resumed = after !== null && after >= this.#forgotten;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(sse({ event: 'ready', topics: [], resumed, retryMs: 1 } as never));
    if (after !== null && !resumed)
      response.write(sse({ event: 'gap', reason: 'expired', topics: [], from: null, reads: [] } as never));
    if (resumed) for (let at = after + 1; at <= this.#log.length; at += 1) response.write(this.#entry(at));
    response.write(this.#heartbeat());
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
  }

  #entry(at: number): string {
    const data = this.#log[at - 1];
    return sse({ event: 'intent', id: String(at), topic: 'intents', data } as never);
  }

  #heartbeat(): string {
    return sse({
      event: 'heartbeat',
      id: String(this.#log.length),
      sequence: 1,
      provenThrough: null,
    } as never);
  }
}
