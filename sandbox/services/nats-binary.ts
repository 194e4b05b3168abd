import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTER_VERSION_MIN, isTooOldForCluster } from '../../src/shared/bus/server-version.ts';
import { debianExecutable } from './debian-executable.ts';
import { findExecutable } from './executable.ts';
import { type Log, silent } from './log.ts';
import { downloadNatsRelease } from './nats-release.ts';
import { unpackDebianPackages } from './unpacked-packages.ts';

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

/**
 * As `findNatsServer`, but new enough for a cluster where one can be had: our pinned release, or the package of the next
 * Debian (7 s, once). Otherwise the old one, which may stall or lose messages after kills.
 */
export async function findClusterNatsServer(options: { cacheDir: string; log?: Log }): Promise<NatsBinary> {
  const log = options.log ?? silent;
  const usual = await findNatsServer(options);
  if (isFitForClusters(usual)) return usual;
  const cached = join(options.cacheDir, 'nats-server');
  const paths = [
    () => (existsSync(cached) ? cached : downloadNatsRelease(cached, log)),
    () => unpackDebianPackages(['nats-server'], 'nats-server', log, { release: 'testing' }),
  ];
  for (const find of paths) {
    const path = await find();
    if (path === undefined) continue;
    const found = { path, version: readVersion(path) };
    if (isFitForClusters(found)) return found;
  }
  log(
    `nats-server ${usual.version.join('.')} is too old for a cluster: ${CLUSTER_VERSION_MIN} was not found`,
  );
  return usual;
}

function isFitForClusters({ version }: NatsBinary): boolean {
  return !isTooOldForCluster(version.join('.'));
}

function readVersion(path: string): NatsBinary['version'] {
  const output = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const match = /v(\d+)\.(\d+)\.(\d+)/.exec(output);
  if (match === null) throw new Error(`${path} does not say its version: ${output.trim()}`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}
