import type { FaultTargets } from '../plan/fault-plan.ts';
import type { ControlledProcess } from './controlled-process.ts';
import type { TcpLink } from './tcp-link.ts';

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
  readonly processes: ReadonlyMap<string, ControlledProcess>;
  /** By name, such as `worker-1→postgres`. */
  readonly links: ReadonlyMap<string, TcpLink>;
  readonly targets: FaultTargets;
  /** Moves the clock that a process sees, by milliseconds from the true one. */
  setClock(process: string, aheadMs: number): Promise<void>;
  /** Where the logs of all processes are. */
  readonly logFolder: string;
  close(): Promise<void>;
}
