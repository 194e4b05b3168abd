import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output, runCommand } from './packed-client.ts';

const VERSION = '2.9.6';
const FOLDER = join(import.meta.dir, '..', '..', '..', '.sandbox', 'toolchain', `deno-${VERSION}`);
const EXECUTABLE = join(FOLDER, 'node_modules', '.bin', 'deno');

/**
 * Deno of one exact version, from the npm registry, kept below `.sandbox`. It is no development dependency: it would make every
 * installation 92 MB larger (42 MB to download) for a single test.
 */
export async function denoExecutable(): Promise<string> {
  if (await isInstalled()) return EXECUTABLE;
  mkdirSync(FOLDER, { recursive: true });
  // The folder needs a package.json. With `--prefix` npm would ignore its global configuration, which may
  // name registry and CA.
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }');
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  await output(['npm', 'install', ...flags, `deno@${VERSION}`], { cwd: FOLDER });
  if (await isInstalled()) return EXECUTABLE;
  throw new Error(`deno@${VERSION} does not run here: the npm registry has to have it for this platform`);
}

async function isInstalled(): Promise<boolean> {
  try {
    const { code, stdout } = await runCommand([EXECUTABLE, '--version'], { cwd: FOLDER });
    return code === 0 && stdout.startsWith(`deno ${VERSION} `);
  } catch {
    // Deno is not installed yet.
    return false;
  }
}
