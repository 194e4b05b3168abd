import type { Sql } from 'postgres';
import { atEnd } from '../run/cleanup.ts';
import { asAdmin } from './admin-connection.ts';

/** A copy of a whole database at one moment. */
export interface DatabaseBackup {
  /** Replaces the database with the copy. Every connection to it ends. */
  restore(): Promise<void>;
}

/** Copies a database on its own server, like a dump. All of its connections end. */
export async function backUp(databaseUrl: string): Promise<DatabaseBackup> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const copy = `${name}_backup`;
  await asAdmin(databaseUrl, (admin) => replace(admin, copy, name));
  atEnd(() => asAdmin(databaseUrl, (admin) => admin.unsafe(`drop database if exists ${copy} with (force)`)));
  return { restore: () => asAdmin(databaseUrl, (admin) => replace(admin, name, copy)) };
}

async function replace(admin: Sql, target: string, source: string): Promise<void> {
  await admin.unsafe(`drop database if exists ${target} with (force)`);
  // A template must not be in use. The pools of the test reconnect by themselves.
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${source}`;
  await admin.unsafe(`create database ${target} template ${source} strategy file_copy`);
}
