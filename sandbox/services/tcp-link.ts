import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** How a link carries bytes. `uneven` delays them at random, rarely by almost `upToMs`; `silent` holds them back, as a network
 * that drops packets; `refused` ends connections. */
export type LinkState =
  | { readonly mode: 'open' }
  | { readonly mode: 'slow'; readonly delayMs: number }
  | { readonly mode: 'uneven'; readonly upToMs: number }
  | { readonly mode: 'silent' }
  | { readonly mode: 'refused' };

const OPEN: LinkState = { mode: 'open' };
/** Bytes that one direction holds before it reads no more. */
const HELD_MAX = 1 << 20;
/** Three in four uneven delays are below a tenth of the longest. */
const RARITY = 8;

/**
 * An address on loopback that forwards to others, and can be cut, slowed and mended. With several targets,
 * connections take turns, and one that a target refuses goes to the next, as a load balancer does.
 */
export class TcpLink {
  readonly name: string;
  readonly port: number;
  readonly #server: Server;
  #ports: readonly number[];
  readonly #pipes = new Set<Pipe>();
  #state: LinkState = OPEN;
  #turn = 0;

  constructor(name: string, server: Server, ports: readonly number[]) {
    this.name = name;
    this.#server = server;
    this.#ports = ports;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (incoming) => this.#accept(incoming));
  }

  static async open(name: string, ports: readonly number[]): Promise<TcpLink> {
    const server = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return new TcpLink(name, server, ports);
  }

  set(state: LinkState): void {
    this.#state = state;
    for (const pipe of this.#pipes) {
      if (state.mode === 'refused') pipe.end();
      else pipe.flow(state);
    }
  }

  mend(): void {
    this.set(OPEN);
  }

  /** Ends every connection; later ones go to this port. */
  pointTo(port: number): void {
    this.#ports = [port];
    for (const pipe of this.#pipes) pipe.end();
    this.mend();
  }

  close(): void {
    for (const pipe of this.#pipes) pipe.end();
    this.#server.close();
  }

  #accept(incoming: Socket): void {
    incoming.on('error', () => {});
    if (this.#state.mode === 'refused') {
      incoming.destroy();
      return;
    }
    this.#turn += 1;
    this.#connect(incoming, this.#turn, this.#ports.length);
  }

  #connect(incoming: Socket, turn: number, triesLeft: number): void {
    const port = this.#ports[turn % this.#ports.length];
    if (port === undefined || triesLeft === 0 || incoming.destroyed) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(port, '127.0.0.1');
    const onRefused = () => this.#connect(incoming, turn + 1, triesLeft - 1);
    outgoing.once('error', onRefused);
    outgoing.once('connect', () => {
      outgoing.off('error', onRefused);
      outgoing.on('error', () => {});
      // The link points elsewhere since this connection began, or the client has gone already.
      if (!this.#ports.includes(port) || incoming.destroyed) {
        outgoing.destroy();
        incoming.destroy();
        return;
      }
      const pipe = new Pipe(incoming, outgoing, () => this.#pipes.delete(pipe));
      this.#pipes.add(pipe);
      if (this.#state.mode === 'refused') pipe.end();
      else pipe.flow(this.#state);
    });
  }
}

/** Two sockets that get each other's bytes. */
class Pipe {
  readonly #directions: readonly Direction[];
  readonly #sockets: readonly Socket[];

  constructor(incoming: Socket, outgoing: Socket, onEnd: () => void) {
    this.#sockets = [incoming, outgoing];
    this.#directions = [new Direction(incoming, outgoing), new Direction(outgoing, incoming)];
    for (const socket of this.#sockets) {
      socket.setNoDelay(true);
      socket.once('close', () => {
        onEnd();
        // An end that the network holds back is noticed later, as the bytes before it.
        for (const direction of this.#directions) direction.finish();
      });
    }
  }

  flow(state: LinkState): void {
    for (const direction of this.#directions) direction.flow(state);
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

class Direction {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #state: LinkState = { mode: 'silent' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFinished = false;

  constructor(from: Socket, to: Socket) {
    this.#from = from;
    this.#to = to;
    from.on('data', (bytes: Buffer) => this.#take(bytes));
    to.on('drain', () => from.resume());
  }

  flow(state: LinkState): void {
    this.#state = state;
    this.#schedule();
    if (state.mode !== 'silent') this.#from.resume();
  }

  finish(): void {
    this.#isFinished = true;
    this.#schedule();
  }

  #take(bytes: Buffer): void {
    if (this.#state.mode === 'open' && this.#held.length === 0) {
      if (!this.#to.write(bytes)) this.#from.pause();
      return;
    }
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > HELD_MAX) this.#from.pause();
    this.#schedule();
  }

  #schedule(): void {
    const state = this.#state;
    if (state.mode === 'open') this.#release();
    else if (state.mode === 'slow' || state.mode === 'uneven')
      this.#timer ??= setTimeout(
        () => {
          this.#timer = undefined;
          this.#release();
        },
        state.mode === 'slow' ? state.delayMs : state.upToMs * Math.random() ** RARITY,
      );
  }

  #release(): void {
    if (this.#state.mode === 'silent') return;
    for (const bytes of this.#held.splice(0)) this.#to.write(bytes);
    this.#heldBytes = 0;
    this.#from.resume();
    if (this.#isFinished) this.#to.end();
  }
}
