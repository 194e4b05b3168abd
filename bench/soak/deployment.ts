import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildExit, type RunningChild, startChild } from '../../sandbox/services/child-process.ts';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Victim } from './kill-plan.ts';

interface Running {
  /** Of a product process. */
  readonly exited?: Promise<ChildExit>;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
}

export interface Deployment {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly secretKey: string;
  /** Product processes that ended although nobody killed them; a supervisor would start them again, and so do we. */
  readonly diedByThemselves: () => number;
  /** SIGKILL; `start` brings it back on the same data and address. */
  kill(victim: Victim): Promise<void>;
  start(victim: Victim): Promise<void>;
  /** Stops everything and deletes the data. */
  close(): Promise<void>;
}

/** The parts that carry an event from its row to a subscriber, as real processes on durable stores. */
export async function startDeployment(retryScheduleSeconds: string): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'launchwire-soak-'));
  // Postgres passes through here under another account when we are root.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'postgres');
  const storeDir = join(folder, 'nats');
  const postgres = await startPostgres({ dataDir });
  const nats = await startNats({ storeDir });
  const secretKey = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
  const environment = {
    ...process.env,
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    // Nobody listens there: no intent is in flight, so only the chain head misses it.
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
  const launchers: Record<Victim, () => Promise<Running>> = {
    database: () => startPostgres({ dataDir, port: postgres.port }),
    broker: () => startNats({ storeDir, port: nats.port }),
    worker: product('worker', 'src/worker.ts'),
    relay: product('relay', 'relay/main.ts'),
  };
  const crew = new Supervised(launchers);
  crew.adopt('database', postgres);
  crew.adopt('broker', nats);
  await migrate(postgres.url);
  await crew.start('worker');
  await crew.start('relay');
  return {
    databaseUrl: postgres.url,
    natsUrl: nats.url,
    secretKey,
    diedByThemselves: () => crew.deaths,
    kill: (victim) => crew.kill(victim),
    start: (victim) => crew.start(victim),
    async close() {
      for (const victim of ['relay', 'worker', 'broker', 'database'] as const) await crew.stop(victim);
      await removePostgresData(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Keeps the four running: what ends without having been told to is counted and started again. */
class Supervised {
  deaths = 0;
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
      this.deaths += 1;
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

  async stop(victim: Victim): Promise<void> {
    await Promise.all(this.#restarts);
    await this.#release(victim)?.stop();
  }

  /** From here on its end is no surprise. */
  #release(victim: Victim): Running | undefined {
    const process = this.#running.get(victim);
    this.#running.delete(victim);
    return process;
  }
}
