import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSource, recordBlocks } from './source-blocks.ts';

const RECORDER = 'test/mutation/hit-recorder.ts';
/** What a fresh clone would install or download: shared, because nothing of it is mutated. */
const LINKED = ['node_modules', 'packages/client/node_modules', '.sandbox/toolchain', '.sandbox/bin'];

/** Files that git knows or would add, with slashes, seen from the root. */
export function projectFiles(root: string): string[] {
  const arguments_ = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listing = execFileSync('git', arguments_, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  return [...new Set(listing.split('\0'))].filter((file) => file !== '' && existsSync(join(root, file)));
}

/** Whether a file may be mutated: it is code of the product's processes. */
export function isMutable(file: string): boolean {
  return /^(src|relay)\/.*\.ts$/.test(file) && !file.endsWith('.d.ts');
}

/** Copies the working tree with the changes that are not committed. */
export function copyTree(root: string, folder: string): void {
  for (const file of projectFiles(root)) {
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, file), target);
  }
  for (const path of LINKED) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
  // Some tests ask git what belongs to the project.
  const git = (...command: string[]) => execFileSync('git', command, { cwd: folder, stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '--all');
}

/** Makes every source file of the copy record what it executes. Returns the texts before. */
export function recordCopy(folder: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of projectFiles(folder).filter(isMutable)) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    texts.set(file, text);
    const recorder = relative(dirname(file), RECORDER).replaceAll('\\', '/');
    writeFileSync(path, recordBlocks(parseSource(file, text), recorder));
  }
  return texts;
}
