import { lstat, mkdir, open, opendir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isHash } from '../image-hash.ts';
import { ImageStoreFailure, type ListedFile, type StoredFile, type SweptStore } from './image-store.ts';

/** Files that are being written, and those of processes that were killed. */
const ARRIVING = 'arriving';
/** The first two digits of hashes. */
const DIGITS = /^[0-9a-f]{2}$/;

/**
 * A folder, which every api process must see. An image appears under its name when it is whole and on the disk: a file is
 * written elsewhere in the folder, synced and renamed.
 */
export class FolderStore implements SweptStore {
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

  async *list(): AsyncGenerator<ListedFile, void> {
    try {
      yield* this.#listBelow('');
    } catch (error) {
      throw failureOf(error, 'listed');
    }
  }

  async remove({ kind, name }: Pick<ListedFile, 'kind' | 'name'>): Promise<void> {
    if (kind === 'foreign') throw new Error('a foreign file is not removed');
    const path = kind === 'image' ? this.#pathOf(name) : join(this.#folder, ARRIVING, basename(name));
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw failureOf(error, 'emptied');
    }
  }

  /** @param below the whole folder when empty, or one of those in it */
  async *#listBelow(below: string): AsyncGenerator<ListedFile, void> {
    for await (const { name } of await opendir(join(this.#folder, below))) {
      const path = join(below, name);
      const found = await lstat(join(this.#folder, path)).catch(ifGone);
      if (found === null) continue;
      if (below === '' && found.isDirectory() && (name === ARRIVING || DIGITS.test(name)))
        yield* this.#listBelow(name);
      else if (!found.isFile()) yield { kind: 'foreign', name: path, byteLength: 0, modifiedAt: found.mtime };
      else {
        const kind = kindOf(below, name);
        const { size: byteLength, mtime: modifiedAt } = found;
        yield { kind, name: kind === 'image' ? name : path, byteLength, modifiedAt };
      }
    }
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

function kindOf(folder: string, name: string): ListedFile['kind'] {
  if (folder === ARRIVING) return 'arriving';
  return isHash(name) && name.startsWith(folder) && folder !== '' ? 'image' : 'foreign';
}

/** A file that was renamed or removed since it was listed. */
function ifGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
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
