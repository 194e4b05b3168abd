import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { output, packedClient } from '../support/client/packed-client.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..');
const PACK_TIMEOUT_MS = 300_000;

interface Machine {
  folder: string;
  umask: string;
  /** The modification time that `touch` sets on every file. */
  modified: string;
  environment: Record<string, string>;
}

/** Packs a copy of the package as its publisher would, with its scripts. Returns the tarball. */
async function pack({ folder, umask, modified, environment }: Machine): Promise<Uint8Array> {
  const root = join(createTempDir('reproducible'), folder);
  const target = join(root, 'packages');
  const destination = createTempDir('packed');
  mkdirSync(target, { recursive: true });
  copyFileSync(join(PROJECT_ROOT, 'tsconfig.json'), join(root, 'tsconfig.json'));
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  const script = [
    `umask ${umask}`,
    `cp -R '${join(PROJECT_ROOT, 'packages', 'client')}' client`,
    'cd client',
    `find . -type f -exec touch -t ${modified} {} +`,
    `npm pack --silent --pack-destination '${destination}'`,
  ].join(' && ');
  await output(['sh', '-c', script], { cwd: target, environment });
  const [tarball = ''] = readdirSync(destination);
  return readFileSync(join(destination, tarball));
}

function sha512(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('base64');
}

test(
  'the package has the same bytes at any place, time and umask of packing',
  async () => {
    const { tarball } = await packedClient();
    const again = await pack({
      folder: 'another place',
      umask: process.umask() === 0o077 ? '022' : '077',
      modified: '202602030405',
      environment: { TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8' },
    });
    expect(sha512(again)).toBe(sha512(readFileSync(tarball)));
  },
  PACK_TIMEOUT_MS,
);
