import type { TcpLink } from '../../sandbox/services/tcp-link.ts';
import type { FaultTargets } from '../plan/fault-plan.ts';
import type { SmallDisk } from './small-disk.ts';

/** A process or server as the nemesis treats it. */
export interface Controlled {
  readonly name: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Exits that nobody caused. */
  readonly unexpectedExits: number;
  /** SIGKILL; it stays down until `start`, which brings it back on the same data and address. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP to it and everything that it started. */
  pause(): void;
  resume(): void;
}

/** Undoes a fault. */
export type Mend = () => Promise<void>;

/** A whole deployment with everything that the nemesis may break. */
export interface Deployment {
  readonly kind: 'single' | 'cluster';
  /** One address of all apis, as clients have it. */
  readonly origin: string;
  /** Addresses that no fault touches, for the judge and for the sources of facts. */
  readonly direct: {
    readonly databaseUrl: string;
    readonly natsUrl: string;
    readonly rpcUrl: string;
  };
  /** Variables of the product, for the administration. */
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: ReadonlyMap<string, Controlled>;
  /** Addresses of the metrics of each process of the product, by its name. */
  readonly metrics: ReadonlyMap<string, string>;
  /**
   * Links by name, such as `worker-1→postgres`. A link has several proxies if one server offers another several
   * services.
   */
  readonly links: ReadonlyMap<string, readonly TcpLink[]>;
  readonly targets: FaultTargets;
  /** File systems of servers, by the name of the server; none where they were not asked for or cannot be made. */
  readonly disks: ReadonlyMap<string, SmallDisk>;
  /** Addresses of every server of Postgres, which no fault touches. */
  readonly databaseServers: readonly string[];
  /** The one of them that accepts writes. */
  primaryUrl(): Promise<string>;
  /** Moves the clock that a process sees, by milliseconds from the true one. */
  setClock(process: string, aheadMs: number): Promise<void>;
  /** Loses the primary, so that the standby takes its place. */
  promote(): Promise<Mend>;
  /** Kills a node of the broker and deletes its files. */
  wipe(node: string): Promise<Mend>;
  /** Stops the sources of facts that are no part of the walk, before it comes to rest. */
  quieten(): Promise<void>;
  /** Folder with the logs of all processes. */
  readonly logFolder: string;
  close(): Promise<void>;
}
