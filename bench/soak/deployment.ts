import { join } from 'node:path';
import { type ChildExit, type RunningChild, startChild } from '../../sandbox/services/child-process.ts';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { startDurableServers } from '../cases/durable-servers.ts';
import { Resources } from '../cases/resources.ts';
import { type Victim, victims } from './kill-plan.ts';

interface Running {
  /** Resolves at the end of a product process. */
  readonly exited?: Promise<ChildExit>;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
}

export interface Deployment {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly secretKey: string;
  /** Exits of product processes that were not killed. They are restarted, as a supervisor would. */
  readonly unexpectedExits: () => number;
  /** SIGKILL; `start` brings it back on the same data and address. */
  kill(victim: Victim): Promise<void>;
  start(victim: Victim): Promise<void>;
  /** Stops everything and deletes the data. */
  close(): Promise<void>;
}

/** The parts that carry an event from its row to a subscriber, as real processes on durable servers. */
export function startDeployment(retryScheduleSeconds: string): Promise<Deployment> {
  return Resources.build(async (resources) => {
    const { folder, dataDir, storeDir, postgres, nats } = await startDurableServers(resources);
    const secretKey = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
    const environment = {
      ...process.env,
      DATABASE_URL: postgres.url,
      NATS_URL: nats.url,
      // Nothing listens there: no intent is in flight, so only the chain head needs a node.
      SOLANA_RPC_URL: 'http://127.0.0.1:9',
      SECRET_KEY: secretKey,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_RETRY_SCHEDULE: retryScheduleSeconds,
      LOG_LEVEL: 'warn',
    };
    const product = (name: string, entry: string) => (): Promise<RunningChild> =>
      startChild({
        name,
        command: process.execPath,
        args: [entry],
        env: environment,
        ownSession: true,
        logFile: join(folder, `${name}.log`),
      });
    const supervised = await resources.start(
      async () =>
        new SupervisedProcesses({
          database: () => startPostgres({ dataDir, port: postgres.port }),
          broker: () => startNats({ storeDir, port: nats.port }),
          worker: product('worker', 'src/worker/main.ts'),
          relay: product('relay', 'relay/main.ts'),
        }),
      (processes) => processes.stopAll(),
    );
    supervised.adopt('database', postgres);
    supervised.adopt('broker', nats);
    await supervised.start('worker');
    await supervised.start('relay');
    return {
      databaseUrl: postgres.url,
      natsUrl: nats.url,
      secretKey,
      unexpectedExits: () => supervised.unexpectedExits,
      kill: (victim) => supervised.kill(victim),
      start: (victim) => supervised.start(victim),
      close: () => resources.close(),
    };
  });
}

/** Keeps the four running: a process that exits unexpectedly is counted and restarted. */
class SupervisedProcesses {
  unexpectedExits = 0;
  readonly #running = new Map<Victim, Running>();
  readonly #restarts = new Set<Promise<void>>();
  readonly #launchers: Record<Victim, () => Promise<Running>>;

  constructor(launchers: Record<Victim, () => Promise<Running>>) {
    this.#launchers = launchers;
  }

  adopt(victim: Victim, process: Running): void {
    this.#running.set(victim, process);
    void process.exited?.then(() => {
      if (this.#running.get(victim) !== process) return;
      this.unexpectedExits += 1;
      const restart = this.start(victim).finally(() => this.#restarts.delete(restart));
      this.#restarts.add(restart);
    });
  }

  async start(victim: Victim): Promise<void> {
    this.adopt(victim, await this.#launchers[victim]());
  }

  async kill(victim: Victim): Promise<void> {
    await this.#release(victim)?.kill();
  }

  async stopAll(): Promise<void> {
    for (const victim of victims) {
      await Promise.all(this.#restarts);
      await this.#release(victim)?.stop();
    }
  }

  /** From here on its exit is expected. */
  #release(victim: Victim): Running | undefined {
    const process = this.#running.get(victim);
    this.#running.delete(victim);
    return process;
  }
}
