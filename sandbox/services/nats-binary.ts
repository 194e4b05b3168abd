import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { debianExecutable } from './debian-executable.ts';
import { findExecutable } from './executable.ts';
import { type Log, silent } from './log.ts';
import { downloadNatsRelease } from './nats-release.ts';

export interface NatsBinary {
  readonly path: string;
  /** `[2, 11, 9]` */
  readonly version: readonly [number, number, number];
}

/** nats-server from PATH; else our cached or freshly downloaded pinned release; else Debian's package, installed or
 * unpacked. */
export async function findNatsServer(options: { cacheDir: string; log?: Log }): Promise<NatsBinary> {
  const log = options.log ?? silent;
  const cached = join(options.cacheDir, 'nats-server');
  const path =
    findExecutable('nats-server') ??
    (existsSync(cached) ? cached : undefined) ??
    (await downloadNatsRelease(cached, log)) ??
    (await debianExecutable('nats-server', ['nats-server'], log));
  if (path === undefined) {
    throw new Error(
      'nats-server is missing and could be neither downloaded nor installed: install it (Debian: apt-get install nats-server; ' +
        'macOS: brew install nats-server; else a release from nats.io put on PATH) or set NATS_URL.',
    );
  }
  return { path, version: readVersion(path) };
}

function readVersion(path: string): NatsBinary['version'] {
  const output = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const match = /v(\d+)\.(\d+)\.(\d+)/.exec(output);
  if (match === null) throw new Error(`${path} does not say its version: ${output.trim()}`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}
