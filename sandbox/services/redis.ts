import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChild } from './child-process.ts';
import { debianExecutable } from './debian-executable.ts';
import { findExecutable } from './executable.ts';
import { freePort } from './free-port.ts';
import { elapsed, type Log, silent } from './log.ts';
import { stopOrphan } from './orphan-process.ts';
import { responds } from './tcp-probe.ts';

export interface RedisOptions {
  /** Not shared with another server; created when missing. Holds the log and the pid file, no data. */
  readonly dir: string;
  /** A free one when left out. */
  readonly port?: number;
  /** The password of the one user, letters and digits; made when left out. */
  readonly password?: string;
  /** Further settings, which count before all others. */
  readonly settings?: Readonly<Record<string, string>>;
  /** True gives every client all rights, without users. Other programs need this. */
  readonly isOpen?: boolean;
  readonly log?: Log;
}

export interface RedisServer {
  /** Names the user of `ops/redis`, who has only the rights that the limiter needs. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

const START_SCRIPT = join(import.meta.dir, '..', '..', 'ops', 'redis', 'start.sh');

/** redis-server from PATH, else Debian's package, installed or unpacked. */
async function findRedisServer(log: Log = silent): Promise<string> {
  const path =
    findExecutable('redis-server') ??
    findExecutable('valkey-server') ??
    // The package `redis-server` holds only a link to a program of `redis-tools`.
    (await debianExecutable('redis-server', ['redis-server', 'redis-tools'], log));
  if (path !== undefined) return path;
  throw new Error(
    'redis-server is missing and could be neither installed nor downloaded: install it (Debian: apt-get install redis-server; ' +
      'macOS: brew install redis) or set REDIS_URL.',
  );
}

/** Starts a real redis-server on loopback as `ops/redis/start.sh` does. Ready means that it responded to PING. */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  const log = options.log ?? silent;
  const command = await findRedisServer(log);
  const startedAt = performance.now();
  const dir = resolve(options.dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const pidFile = join(dir, 'redis.pid');
  const orphan = await stopOrphan(pidFile, titleOfLastStart(dir));
  if (orphan !== undefined) log(`stopped the redis-server of an earlier run (pid ${orphan})`);
  const port = options.port ?? (await freePort());
  writeFileSync(join(dir, 'title'), processTitle(port));
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir,
    pidfile: pidFile,
    daemonize: 'no',
    save: '',
    appendonly: 'no',
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const password = options.password ?? randomBytes(16).toString('hex');
  const child = await startChild({
    name: 'redis-server',
    ...(options.isOpen === true
      ? { command, args }
      : {
          command: 'sh',
          args: [START_SCRIPT, ...args],
          env: { ...process.env, REDIS_SERVER: command, REDIS_PASSWORD: password },
        }),
    ownSession: true,
    logFile: join(dir, 'redis.log'),
    ready: () => responds(port, 'PING\r\n', /^(?:\+PONG|-NOAUTH)/),
  });
  log(`redis-server on port ${port} (${elapsed(startedAt)})`);
  return {
    url: `redis://${options.isOpen === true ? '' : `api:${password}@`}127.0.0.1:${port}`,
    port,
    pid: child.pid,
    stop: async () => void (await child.stop()),
    kill: async () => void (await child.kill()),
  };
}

/** Redis replaces its command line with this, so an orphan is identified by its address and not by its folder. */
function processTitle(port: number): string {
  return `-server 127.0.0.1:${port}`;
}

function titleOfLastStart(dir: string): string {
  const file = join(dir, 'title');
  return existsSync(file) ? readFileSync(file, 'utf8') : processTitle(0);
}
