import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './cleanup.ts';

/** A new folder, deleted at the end. Others may pass through but not list it: as root, Postgres works inside it
 * under another account. */
export function createTempDir(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `launchwire-${name}-`));
  chmodSync(folder, 0o711);
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
