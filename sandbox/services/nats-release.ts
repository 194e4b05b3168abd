import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './command.ts';
import { elapsed, type Log } from './log.ts';

/** One archive of a release, with its checksum. */
export interface NatsRelease {
  readonly url: string;
  readonly sha256: string;
  /** Path of the executable inside the archive. */
  readonly member: string;
}

const VERSION = '2.12.15';
/** SHA-256 of the release archives, as stated by the NATS project in the Dockerfile of its own image
 * (nats-io/nats-docker, 2.12.x/alpine3.22 at commit aa0caa57b71c). */
const PINNED: Readonly<Record<string, NatsRelease>> = {
  'linux-x64': release('amd64', '58ab8131f819263897e2fc38e503e1b755b63bcafeecc7d12582487df48ca15e'),
  'linux-arm64': release('arm64', 'b724db99fefbf8f5c808baa82819ee50350aee9734017e4a478f7e545cef3ab6'),
};

function release(architecture: string, sha256: string): NatsRelease {
  const name = `nats-server-v${VERSION}-linux-${architecture}`;
  return {
    url: `https://github.com/nats-io/nats-server/releases/download/v${VERSION}/${name}.tar.gz`,
    sha256,
    member: `${name}/nats-server`,
  };
}

const DOWNLOAD_TIMEOUT_MS = 30_000;
/** A network that drops packets instead of refusing must not delay a start for long. */
const CONNECT_TIMEOUT_MS = 5000;

/** Puts the pinned nats-server at `target` and returns it; undefined where no download works or none is pinned for
 * this machine. An archive with another checksum is never unpacked. */
export async function downloadNatsRelease(
  target: string,
  log: Log,
  wanted: NatsRelease | undefined = PINNED[`${process.platform}-${process.arch}`],
): Promise<string | undefined> {
  const startedAt = performance.now();
  const archive = wanted && (await download(wanted.url));
  if (wanted === undefined || archive === undefined) return undefined;
  if (createHash('sha256').update(archive).digest('hex') !== wanted.sha256) {
    log(`the download of ${wanted.url} has the wrong checksum and was discarded`);
    return undefined;
  }
  if (!(await unpack(archive, wanted.member, target))) return undefined;
  log(`downloaded nats-server (${elapsed(startedAt)})`);
  return target;
}

/** Returns undefined when the download fails, because the caller then tries another source. */
async function download(url: string): Promise<Uint8Array | undefined> {
  const abort = new AbortController();
  const connecting = setTimeout(() => abort.abort(), CONNECT_TIMEOUT_MS);
  const downloading = setTimeout(() => abort.abort(), DOWNLOAD_TIMEOUT_MS);
  try {
    const response = await fetch(url, { signal: abort.signal });
    clearTimeout(connecting);
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(connecting);
    clearTimeout(downloading);
  }
}

async function unpack(archive: Uint8Array, member: string, target: string): Promise<boolean> {
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(`${target}-`);
  try {
    writeFileSync(join(folder, 'archive.tar.gz'), archive);
    const { succeeded } = await runCommand('tar', ['-xzf', 'archive.tar.gz', member], { cwd: folder });
    if (!succeeded) return false;
    chmodSync(join(folder, member), 0o755);
    renameSync(join(folder, member), target);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
