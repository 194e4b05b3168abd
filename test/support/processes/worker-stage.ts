import type { RunningChild } from '../../../sandbox/services/child-process.ts';
import { connectDatabase, type Database } from '../../../src/db/client.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTestNats, type TestNats } from '../servers/nats.ts';
import { startWorkerProcess } from './service-processes.ts';

/** A test file's database and broker, for workers that are real processes. */
export interface WorkerStage {
  databaseUrl: string;
  /** For an api of the same stage. */
  database: TestDatabase;
  db: Database;
  nats: TestNats;
  /** The addresses of the two, and the variables given to the stage. */
  environment: Readonly<Record<string, string>>;
  /** Starts a worker with a SECRET_KEY that logs everything. Returns when a line matches `ready`. */
  startWorker(more?: Readonly<Record<string, string>>, ready?: RegExp): Promise<RunningChild>;
}

/** @param postgresUrl a server other than the shared one */
export async function createWorkerStage(
  settings: Readonly<Record<string, string>> = {},
  postgresUrl?: string,
): Promise<WorkerStage> {
  const [database, nats] = await Promise.all([createTestDatabase(postgresUrl), createTestNats()]);
  const { url: databaseUrl } = database;
  const db = connectDatabase(databaseUrl, { applicationName: 'test', connections: 8 });
  atEnd(() => db.end({ timeout: 1 }));
  const environment = { DATABASE_URL: databaseUrl, NATS_URL: nats.url, ...settings };
  const defaults = { SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), LOG_LEVEL: 'debug' };
  const startWorker = (more: Readonly<Record<string, string>> = {}, ready?: RegExp) =>
    startWorkerProcess({ ...defaults, ...environment, ...more }, ready);
  return { databaseUrl, database, db, nats, environment, startWorker };
}
