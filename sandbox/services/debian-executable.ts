import { installDebianPackage } from './debian-packages.ts';
import type { Log } from './log.ts';
import { unpackDebianPackages } from './unpacked-packages.ts';

/**
 * An executable of Debian packages: installed where we are root, else unpacked below `.sandbox`. Undefined where neither
 * is possible. `more` are packages that hold files to which the first one only links.
 */
export async function debianExecutable(
  executable: string,
  [packageName, ...more]: readonly [string, ...string[]],
  log: Log,
): Promise<string | undefined> {
  return (
    (await installDebianPackage(packageName, executable, log)) ??
    (await unpackDebianPackages([packageName, ...more], executable, log))
  );
}
