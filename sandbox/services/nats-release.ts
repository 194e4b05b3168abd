import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './command.ts';
import { elapsed, type Log } from './log.ts';

/** One archive of a release, and what it must be. */
export interface NatsRelease {
  readonly url: string;
  readonly sha256: string;
  /** Path of the executable inside the archive. */
  readonly member: string;
}

const VERSION = '2.11.9';
/** SHA-256 of the release archives, as stated by the NATS project in the Dockerfile of its own image
 * (nats-io/nats-docker, 2.11.x/alpine3.22 at commit b486da9a110f). */
const PINNED: Readonly<Record<string, NatsRelease>> = {
  'linux-x64': release('amd64', '3eef83faa048d3879937a6871f59ae5d9c3bbf5900905b7a9ff996a894d755ab'),
  'linux-arm64': release('arm64', '47d7e652eb761d771bc42df04924aae0acf4e026d30ea98faa9bab216cc2e742'),
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
/** A network that drops packets instead of refusing must not hold up a start. */
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
    log(`what came from ${wanted.url} has the wrong checksum and was thrown away`);
    return undefined;
  }
  if (!(await unpack(archive, wanted.member, target))) return undefined;
  log(`downloaded nats-server (${elapsed(startedAt)})`);
  return target;
}

/** The body, or undefined when the network does not give it: that is a normal case here, another source follows. */
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
