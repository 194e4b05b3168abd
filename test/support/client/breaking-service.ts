import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../run/cleanup.ts';
import { sse } from './scripted-stream.ts';

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
export class BreakingService {
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
      return void response.destroy();
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
