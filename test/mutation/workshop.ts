import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRunServices } from '../support/servers/run-services.ts';
import { copyTree } from './tree-copy.ts';

/** A temporary folder with copies of the tree, and the servers that all tests share. */
export interface Workshop {
  readonly environment: Readonly<Record<string, string>>;
  /** The tree as it was in the beginning: nothing changes here, whatever happens to the working tree meanwhile. */
  readonly pristine: string;
  newCopy(): string;
  close(): Promise<void>;
}

export async function openWorkshop(root: string, log: (line: string) => void): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), 'launchwire-mutation-'));
  // Postgres passes through here under another account when we are root.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const pristine = join(folder, 'pristine');
  const start = async () => {
    // The copy comes first: where it fails, there is no server to stop.
    copyTree(root, pristine);
    return startRunServices(folder, log);
  };
  const services = await start().catch((error: unknown) => {
    remove();
    throw error;
  });
  let copies = 0;
  return {
    environment: services.environment,
    pristine,
    newCopy() {
      const copy = join(folder, `copy-${copies++}`);
      copyTree(pristine, copy);
      return copy;
    },
    async close() {
      await services.stop();
      remove();
    },
  };
}
