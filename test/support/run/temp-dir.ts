import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './cleanup.ts';
import { TEMP_PREFIX } from './leaked-processes.ts';

/** Creates a folder that is deleted at the end. Other accounts may enter but not list it, because Postgres
 * uses another account in it when we are root. */
export function createTempDir(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${TEMP_PREFIX}${name}-`));
  chmodSync(folder, 0o711);
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
