import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChild } from './child-process.ts';
import { freePort } from './free-port.ts';
import { elapsed, type Log, silent } from './log.ts';
import { findNatsServer, type NatsBinary } from './nats-binary.ts';
import { stopOrphan } from './orphan-process.ts';
import { responds } from './tcp-probe.ts';

export interface NatsOptions {
  /** Not shared with another server; created when missing. */
  readonly storeDir: string;
  /** A free one when left out. */
  readonly port?: number;
  /** True syncs every write to disk where the server can (2.11 and newer). Default true. */
  readonly durable?: boolean;
  /** Found or installed when left out. */
  readonly binary?: NatsBinary;
  /** More lines of the server's configuration, such as users and TLS. */
  readonly settings?: readonly string[];
  /** Environment variables that those lines use. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly log?: Log;
}

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

/** The folder of a downloaded nats-server. */
export const NATS_CACHE_DIR = join(import.meta.dir, '..', '..', '.sandbox', 'bin');

/** Starts a real nats-server on loopback with JetStream in files (50 ms). Ready means that it accepts clients. A server
 * that an earlier launcher left running on the same folder is stopped first. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  const log = options.log ?? silent;
  const binary = options.binary ?? (await findNatsServer({ cacheDir: NATS_CACHE_DIR, log }));
  const startedAt = performance.now();
  const storeDir = resolve(options.storeDir);
  mkdirSync(storeDir, { recursive: true, mode: 0o700 });
  const pidFile = join(storeDir, 'nats.pid');
  const orphan = await stopOrphan(pidFile, storeDir);
  if (orphan !== undefined) log(`stopped the nats-server of an earlier run (pid ${orphan})`);
  const port = options.port ?? (await freePort());
  const configFile = join(storeDir, 'nats.conf');
  const lines = configuration(storeDir, port, pidFile, binary, options.durable ?? true);
  writeFileSync(configFile, [...lines, ...(options.settings ?? []), ''].join('\n'));
  const child = await startChild({
    name: 'nats-server',
    command: binary.path,
    args: ['-c', configFile],
    env: { ...process.env, ...options.environment },
    ownSession: true,
    logFile: join(storeDir, 'nats.log'),
    // The server responds to PING only after CONNECT, and accepts clients only after JetStream has recovered. One with users
    // or TLS then rejects this client.
    ready: () =>
      responds(
        port,
        'CONNECT {"verbose":false}\r\nPING\r\n',
        /"jetstream":true[\s\S]*(?:\r\nPONG\r\n|Authorization Violation)|^(?=.*"jetstream":true).*"tls_required":true/,
      ),
  });
  log(`nats-server ${binary.version.join('.')} on port ${port} (${elapsed(startedAt)})`);
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    stop: async () => void (await child.stop()),
    kill: async () => void (await child.kill()),
  };
}

function configuration(
  storeDir: string,
  port: number,
  pidFile: string,
  binary: NatsBinary,
  durable: boolean,
): string[] {
  const [major, minor] = binary.version;
  // Debian's 2.9.10 rejects the field: its default, a sync every two minutes, still survives a kill -9 of the server, but
  // not a crash of the machine.
  const canSyncAlways = major > 2 || (major === 2 && minor >= 11);
  return [
    `listen: "127.0.0.1:${port}"`,
    `pid_file: ${JSON.stringify(pidFile)}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeDir)}`,
    ...(durable && canSyncAlways ? ['  sync_interval: always'] : []),
    '}',
  ];
}
