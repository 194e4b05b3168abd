import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Guard } from './guards.ts';

/** Takes a guard out of a copy of the tree. Throws when its text is not there exactly once: the product has changed. */
export async function breakGuard(tree: string, { name, changes }: Guard): Promise<void> {
  for (const { file, from, to } of changes) {
    const path = join(tree, file);
    const text = await readFile(path, 'utf8');
    const places = text.split(from).length - 1;
    if (places !== 1) throw new Error(`${file} has the guard ${name} ${places} times`);
    await writeFile(
      path,
      text.replace(from, () => to),
    );
  }
}
