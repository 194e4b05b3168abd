import { mkdir, open, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isHash } from '../image-hash.ts';
import { type ImageStore, ImageStoreFailure, type StoredFile } from './image-store.ts';

/** Files that are being written, and those of processes that were killed. */
const ARRIVING = 'arriving';

/**
 * A folder, which every api process must see. An image appears under its name when it is whole and on the disk: a file is
 * written elsewhere in the folder, synced and renamed.
 */
export class FolderStore implements ImageStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put({ hash, bytes }: { hash: string; bytes: Uint8Array }): Promise<void> {
    await this.#write(this.#pathOf(hash), bytes);
  }

  async get(hash: string): Promise<Uint8Array | null> {
    try {
      return await readFile(this.#pathOf(hash));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw failureOf(error, 'read');
    }
  }

  async file(hash: string): Promise<StoredFile | null> {
    const path = this.#pathOf(hash);
    try {
      const { size, ino, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
      return {
        body: Bun.file(path),
        byteLength: Number(size),
        version: [size, ino, mtimeNs, ctimeNs].join(),
      };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw failureOf(error, 'read');
    }
  }

  async probe(): Promise<void> {
    const path = join(this.#folder, ARRIVING, `probe-${crypto.randomUUID()}`);
    await this.#write(path, new Uint8Array([0]));
    await unlink(path);
  }

  /** No text but a hash becomes a part of a path. */
  #pathOf(hash: string): string {
    if (!isHash(hash)) throw new Error('an image is stored under a hash alone');
    return join(this.#folder, hash.slice(0, 2), hash);
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    const arriving = join(this.#folder, ARRIVING);
    const temporary = join(arriving, crypto.randomUUID());
    const folder = join(path, '..');
    try {
      await mkdir(arriving, { recursive: true });
      await mkdir(folder, { recursive: true });
      await writeSynced(temporary, bytes);
      await rename(temporary, path);
      await syncFolder(folder);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw failureOf(error, 'written');
    }
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o640);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without it a crash of the machine may forget the new name. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function failureOf(error: unknown, what: string): ImageStoreFailure {
  return new ImageStoreFailure(`the image folder cannot be ${what}: ${codeOf(error) ?? 'unknown'}`, {
    cause: error,
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
