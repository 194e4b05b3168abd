import { chmodSync, mkdtempSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createLineSplitter } from '../../../sandbox/services/line-splitter.ts';
import { atEnd } from './cleanup.ts';
import { createTempDir } from './temp-dir.ts';

/** The port at which the files of a run request shared resources. */
const PORT = 'LAUNCHWIRE_TEST_SHARED_PORT';
/** A sandbox needs 6 s of CPU to start and 0.15 s for each second that it runs. After about this time without
 * users, another start is as cheap. */
const LINGER_MS = 30_000;

export interface SharedResource<Value> {
  /** Sent as JSON. */
  readonly value: Value;
  /** Stops a running resource. If unset, the resource is kept until the run ends. */
  readonly stop?: () => Promise<void>;
}

/** Creates a resource in an existing folder. Its processes need the environment, so that the run can find
 * leftover ones. */
export type Maker<Value> = (
  folder: string,
  environment: Readonly<Record<string, string>>,
) => Promise<SharedResource<Value>>;

export interface SharedResources {
  readonly environment: Readonly<Record<string, string>>;
  /** Stops all resources. */
  stop(): Promise<void>;
}

/**
 * Offers resources to the files of a run. The first request creates a resource. A file uses it while its
 * connection is open, so the use always ends with the file's process.
 */
export async function serveSharedResources(
  makers: Readonly<Record<string, Maker<unknown>>>,
  folder: string,
  environment: Readonly<Record<string, string>>,
  lingerMs = LINGER_MS,
): Promise<SharedResources> {
  const makeIn = (name: string, make: Maker<unknown>) => () => {
    const own = mkdtempSync(join(folder, `${name}-`));
    // When we are root, Postgres uses another account in this folder.
    chmodSync(own, 0o711);
    return make(own, environment);
  };
  const leases = new Map(
    Object.entries(makers).map(([name, make]) => [name, new Lease(makeIn(name, make), lingerMs)]),
  );
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A killed process resets its connection; `close` follows.
    socket.on('error', () => {});
    onLine(socket, (name) => void lend(leases.get(name), socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    environment: { [PORT]: String((server.address() as AddressInfo).port) },
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([...leases.values()].map((lease) => lease.end()));
    },
  };
}

/** Calls `take` with each line. `readline` would throw the socket's errors. */
function onLine(socket: Socket, take: (line: string) => void): void {
  const lines = createLineSplitter(take);
  socket.setEncoding('utf8').on('data', (text: string) => lines.push(text));
}

async function lend(lease: Lease | undefined, socket: Socket): Promise<void> {
  if (lease === undefined) return void socket.end(`${JSON.stringify({ error: 'nobody makes it' })}\n`);
  socket.once('close', () => lease.giveBack());
  const answer = await lease.take().then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  if (!socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`);
}

/** One resource. The first user creates it, and it ends some time after the last user. */
class Lease {
  readonly #make: () => Promise<SharedResource<unknown>>;
  readonly #lingerMs: number;
  #made: Promise<SharedResource<unknown>> | undefined;
  #users = 0;
  #linger: Timer | undefined;
  readonly #ending: Promise<void>[] = [];

  constructor(make: () => Promise<SharedResource<unknown>>, lingerMs: number) {
    this.#make = make;
    this.#lingerMs = lingerMs;
  }

  async take(): Promise<unknown> {
    clearTimeout(this.#linger);
    this.#users += 1;
    this.#made ??= this.#make();
    return (await this.#made).value;
  }

  giveBack(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    // biome-ignore lint/plugin: the time for which a resource waits for its next user
    this.#linger = setTimeout(() => void this.#endUnused(), this.#lingerMs);
  }

  /** Ends the resource and waits for earlier ones that are still ending. */
  async end(): Promise<void> {
    clearTimeout(this.#linger);
    this.#forget();
    await Promise.all(this.#ending);
  }

  async #endUnused(): Promise<void> {
    const isRunning =
      (await this.#made?.then(
        ({ stop }) => stop !== undefined,
        () => true,
      )) ?? false;
    // A new user may have come during the creation.
    if (isRunning && this.#users === 0) this.#forget();
  }

  /** The next user gets a new resource. A failed creation needs no end, and the run reports a resource that
   * does not end. */
  #forget(): void {
    const ending = this.#made?.then(({ stop }) => stop?.()).catch(() => {});
    if (ending !== undefined) this.#ending.push(ending);
    this.#made = undefined;
  }
}

/** Whether a run offers its resources to this process. */
export const isInRun = () => process.env[PORT] !== undefined;

/** Returns the resource that the files of this run share under the name, or without a run one of this
 * process. It is kept until the file ends. */
export async function useShared<Value>(name: string, make: Maker<Value>): Promise<Value> {
  const port = process.env[PORT];
  if (port === undefined) {
    const own = await make(createTempDir(name), {});
    atEnd(async () => own.stop?.());
    return own.value;
  }
  const socket = connect(Number(port), '127.0.0.1');
  const line = Promise.withResolvers<string>();
  const lost = () => line.reject(new Error(`the run ended before it had made ${name}`));
  socket.on('error', line.reject).once('close', lost);
  onLine(socket, line.resolve);
  atEnd(async () => {
    // An aborted test no longer waits.
    socket.off('close', lost).destroy();
  });
  socket.write(`${name}\n`);
  const { value, error } = JSON.parse(await line.promise) as { value: Value; error?: string };
  if (error !== undefined) throw new Error(`${name} could not be made: ${error}`);
  return value;
}
