import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signalAll } from '../../../sandbox/services/process-family.ts';
import { processesIn } from './leaked-processes.ts';

const MEMORY_FOLDER = '/dev/shm';
const PREFIX = 'launchwire-test-';
/** The name of a run's folder, with the pid of the run. */
const NAME = new RegExp(`^${PREFIX}(\\d+)-`);
/** A complete run stores less than 1 GiB at a time. Its processes need the rest of the memory. */
const ROOM_MIN_BYTES = 6 * 1024 ** 3;
const MEMORY_MIN_BYTES = 8 * 1024 ** 3;

/**
 * Creates a folder for all files of a run. It is in memory when there is enough room, unless TMPDIR names a
 * place. Dropping a test's database takes 0.35 s of CPU on the disk of CI, and 0.02 s in memory.
 */
export function createRunFolder(): string {
  const isFree = process.env.TMPDIR === undefined && hasRoom();
  if (isFree) removeAbandoned(MEMORY_FOLDER);
  const inMemory = isFree ? createFolder(MEMORY_FOLDER) : undefined;
  if (inMemory !== undefined && mayRunPrograms(inMemory)) return inMemory;
  if (inMemory !== undefined) rmSync(inMemory, { recursive: true });
  return createFolder(tmpdir());
}

/**
 * Removes folders of killed runs, which would otherwise stay in memory until the machine stops, and kills the servers that
 * work in them.
 */
export function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    const folder = join(parent, name);
    signalAll(
      processesIn(folder).map((server) => server.pid),
      'SIGKILL',
    );
    rmSync(folder, { recursive: true, force: true });
  }
}

function createFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // When we are root, Postgres uses another account and must be able to enter this folder.
  chmodSync(folder, 0o711);
  return folder;
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY_FOLDER) || !existsSync('/proc/meminfo')) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return bavail * bsize >= ROOM_MIN_BYTES && Number(available ?? 0) * 1024 >= MEMORY_MIN_BYTES;
}

/** Tests unpack programs in the folder, but containers often mount it without execution. */
function mayRunPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
