import { mkdir, statfs } from 'node:fs/promises';
import { runCommand } from '../../sandbox/services/command.ts';

/** Far more than a walk writes: room that nobody uses costs no memory. */
const SIZE_KIB = 4 * 1024 * 1024;
/** Its server goes on writing while the end of the file system moves. */
const TRIES = 20;

/**
 * A file system of its own, in memory, whose end can be moved to the data that it has. Without room nothing can be written
 * that needs a new block; what is there stays, and nothing else on the machine is full.
 */
export class SmallDisk {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Mounts it over the folder, which it creates. Null where this account may not mount: only root may. */
  static async mount(folder: string): Promise<SmallDisk | null> {
    await mkdir(folder, { recursive: true });
    const options = `size=${SIZE_KIB}k,mode=0755`;
    const { succeeded } = await runCommand('mount', [
      '-t',
      'tmpfs',
      '-o',
      options,
      'launchwire-faults',
      folder,
    ]);
    return succeeded ? new SmallDisk(folder) : null;
  }

  /** Leaves no room. */
  async fill(): Promise<void> {
    let refused = '';
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { blocks, bfree, bsize } = await statfs(this.#folder);
      const { succeeded, output } = await this.#resize(Math.ceil(((blocks - bfree) * bsize) / 1024));
      if (succeeded) return;
      refused = output;
    }
    throw new Error(`the file system cannot be filled: ${refused}`);
  }

  /** Gives the room back. */
  async empty(): Promise<void> {
    const { succeeded, output } = await this.#resize(SIZE_KIB);
    if (!succeeded) throw new Error(`the file system stays full: ${output}`);
  }

  /** Deletes the file system with its content. */
  async unmount(): Promise<void> {
    await runCommand('umount', ['--lazy', this.#folder]);
  }

  #resize(kib: number) {
    return runCommand('mount', ['-o', `remount,size=${kib}k`, this.#folder]);
  }
}
