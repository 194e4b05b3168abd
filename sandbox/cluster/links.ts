import { freePort } from '../services/free-port.ts';

/** A connection that one server of the cluster makes to another one. */
export interface Link {
  /** Name of the server that connects. */
  readonly from: string;
  /** Name of the server that listens on `port` of 127.0.0.1. */
  readonly to: string;
  readonly service: Service;
  readonly port: number;
}

export type Service =
  | 'nats'
  | 'nats-routes'
  | 'etcd'
  | 'postgres'
  | 'patroni'
  | 'pooler'
  | 'primary'
  | 'standby'
  | 'redis'
  | 'chain'
  | 'chain-socket'
  | 'api';

/** Puts something between two servers: returns the port on which `from` shall reach `to`. */
export type Connect = (link: Link) => number | Promise<number>;

/** The ports of the cluster. Each link is made once and then keeps its port. */
export class Links {
  readonly #connect: Connect;
  readonly #known = new Map<string, Promise<number>>();
  readonly #ports = new Map<string, Promise<number>>();

  constructor(connect: Connect = ({ port }) => port) {
    this.#connect = connect;
  }

  /** The port on which a server offers a service. */
  portOf(server: string, service: Service): Promise<number> {
    return once(this.#ports, `${server} ${service}`, () => freePort());
  }

  /** Names a port that is chosen elsewhere. */
  setPort(server: string, service: Service, port: number): void {
    this.#ports.set(`${server} ${service}`, Promise.resolve(port));
  }

  /** The port on which `from` reaches the service of another server. */
  portFor(from: string, to: string, service: Service): Promise<number> {
    return once(this.#known, `${from} ${to} ${service}`, async () =>
      this.#connect({ from, to, service, port: await this.portOf(to, service) }),
    );
  }
}

function once<Value>(map: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
