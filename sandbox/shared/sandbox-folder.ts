import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const PROJECT_ROOT = join(import.meta.dir, '..', '..');

/** Where everything of one sandbox is kept. Absolute paths. */
export interface SandboxFolder {
  readonly root: string;
  readonly postgres: string;
  readonly nats: string;
  readonly chain: string;
  /** Uploaded images. */
  readonly images: string;
  readonly logs: string;
  /** One pid file per running process, so that those of a killed launcher can be stopped. */
  readonly pids: string;
  readonly stateFile: string;
  readonly identityFile: string;
  readonly secretKeyFile: string;
  readonly marketFile: string;
  readonly inboxFile: string;
  readonly communityFile: string;
  readonly lockFile: string;
}

/** The sandbox of `SANDBOX_DIR`, by default `.sandbox` of the project. */
export function sandboxFolder(path: string = join(PROJECT_ROOT, '.sandbox')): SandboxFolder {
  const root = resolve(path);
  return {
    root,
    postgres: join(root, 'postgres'),
    nats: join(root, 'nats'),
    chain: join(root, 'chain'),
    images: join(root, 'images'),
    logs: join(root, 'logs'),
    pids: join(root, 'pids'),
    stateFile: join(root, 'state.json'),
    identityFile: join(root, 'identity.json'),
    secretKeyFile: join(root, 'secret.key'),
    marketFile: join(root, 'market.json'),
    inboxFile: join(root, 'inbox.json'),
    communityFile: join(root, 'community.json'),
    lockFile: join(root, 'launcher.lock'),
  };
}

/** Creates the folder. Others may pass through it but not list it: as root, Postgres works inside under another
 * account; every file with a secret is 0600. */
export function createSandboxFolder(folder: SandboxFolder): void {
  mkdirSync(folder.root, { recursive: true });
  chmodSync(folder.root, 0o711);
  for (const path of [folder.logs, folder.pids]) mkdirSync(path, { recursive: true, mode: 0o700 });
}
