import type { Supervisor } from '../processes/supervisor.ts';
import type { ClusterContext } from './context.ts';
import { roleOf } from './patroni.ts';

export type ServerState = 'running' | 'paused' | 'starting' | 'down';

/** One server of the cluster: a process, or Patroni with its Postgres. Its address stays the same when it restarts. */
export interface ClusterServer {
  readonly name: string;
  /** The name without its number. */
  readonly kind: string;
  /** Of `postgres-N` it is Patroni's. Undefined while it does not run. */
  readonly pid: number | undefined;
  readonly state: ServerState;
  /** How often it has ended without being asked to; it was restarted each time. */
  readonly unexpectedEnds: number;
  /** SIGKILL, as a crash of its machine; it stays down until `start`. */
  kill(): Promise<void>;
  /** Ends it in an orderly way; it stays down until `start`. */
  stop(): Promise<void>;
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** `stop`, then `start`. */
  restart(): Promise<void>;
  /** SIGSTOP: it stands still, and its connections stay open. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
}

export class ClusterServers {
  readonly #supervisor: Supervisor;
  readonly #paused = new Set<string>();

  constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor;
  }

  get all(): readonly ClusterServer[] {
    return this.#supervisor.names.map((name) => this.get(name));
  }

  /** Throws for an unknown name. */
  get(name: string): ClusterServer {
    const [supervisor, paused] = [this.#supervisor, this.#paused];
    if (!supervisor.names.includes(name)) throw new UnknownServer(name, supervisor.names);
    const end = async (how: 'stop' | 'kill') => {
      await supervisor.hold(name, how);
      paused.delete(name);
    };
    const server: ClusterServer = {
      name,
      kind: name.replace(/-\d+$/, ''),
      get pid() {
        return supervisor.pids[name];
      },
      get state() {
        if (supervisor.isHeld(name)) return 'down';
        if (!supervisor.isRunning(name)) return 'starting';
        return paused.has(name) ? 'paused' : 'running';
      },
      get unexpectedEnds() {
        return supervisor.unexpectedEnds(name);
      },
      kill: () => end('kill'),
      stop: () => end('stop'),
      start: () => supervisor.release(name),
      async restart() {
        await server.stop();
        await server.start();
      },
      pause() {
        paused.add(name);
        supervisor.signalTo(name, 'SIGSTOP');
      },
      resume() {
        paused.delete(name);
        supervisor.signalTo(name, 'SIGCONT');
      },
    };
    return server;
  }

  /** Before everything ends: a paused process does not see the request to end. */
  resumeAll(): void {
    for (const name of [...this.#paused]) this.get(name).resume();
  }
}

class UnknownServer extends Error {
  constructor(name: string, known: readonly string[]) {
    super(`there is no server ${name}; there are ${known.join(', ')}`);
  }
}

/** What a server is besides running; empty when there is nothing to say. */
export async function remarkOf(
  context: Pick<ClusterContext, 'links'>,
  server: ClusterServer,
): Promise<string> {
  if (server.state !== 'running') return '';
  if (server.kind === 'postgres') return roleOf(context, server.name);
  if (!['api', 'worker', 'relay'].includes(server.kind)) return '';
  const port = await context.links.portOf(server.name, 'api');
  const signal = AbortSignal.timeout(2_000);
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => null);
  return response?.ok === true ? 'ready' : 'not ready';
}
