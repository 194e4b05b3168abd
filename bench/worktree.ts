import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotFoundError } from './read-arguments.ts';

const ROOT = join(import.meta.dir, '..');

export interface Worktree {
  folder: string;
  commit: string;
  remove(): Promise<void>;
}

/** Throws a NotFoundError for a commit that this repository does not have. */
export async function assertCommit(ref: string): Promise<void> {
  const found = await Bun.$`git rev-parse --verify --quiet ${`${ref}^{commit}`}`.cwd(ROOT).quiet().nothrow();
  if (found.exitCode !== 0) throw new NotFoundError(`this repository has no commit ${ref}`);
}

/**
 * Another commit in a temporary folder, with its own installed packages. Its product is measured by this tree's cases:
 * `bench/` and the test support that cases use are copied over it, so that both sides run the same measurement.
 */
export async function createWorktree(ref: string): Promise<Worktree> {
  const parent = await mkdtemp(join(tmpdir(), 'launchwire-bench-tree-'));
  const folder = join(parent, 'tree');
  const remove = async () => {
    await Bun.$`git worktree remove --force ${folder}`.cwd(ROOT).quiet().nothrow();
    await rm(parent, { recursive: true, force: true });
    await Bun.$`git worktree prune`.cwd(ROOT).quiet().nothrow();
  };
  try {
    await Bun.$`git worktree add --detach ${folder} ${ref}`.cwd(ROOT).quiet();
    const commit = (await Bun.$`git rev-parse --short HEAD`.cwd(folder).quiet().text()).trim();
    await rm(join(folder, 'bench'), { recursive: true, force: true });
    for (const part of ['bench', 'test/support']) {
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    }
    await Bun.$`${process.execPath} install --frozen-lockfile`.cwd(folder).quiet();
    return { folder, commit, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
