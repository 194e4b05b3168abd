import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..', '..', '..');

/** The test files in code marks that do not exist, and the titles in quotes that the file named before them does not have. */
export function missingTests(text: string): string[] {
  let path = '';
  let source = '';
  return [...text.matchAll(/`(test\/[\w/-]+\.test\.ts)`|"([^"]+)"/g)].flatMap(([, file, title]) => {
    if (file !== undefined) {
      path = file;
      source = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
      return source === '' ? [path] : [];
    }
    return title === undefined || isTitle(title, source) ? [] : [`${path}: ${title}`];
  });
}

/** Whether the title is a whole text of the source, or the end of one after a part that varies. */
function isTitle(title: string, source: string): boolean {
  return ["'", '"', '`', '} '].some((before) =>
    ["'", '"', '`'].some((after) => source.includes(`${before}${title}${after}`)),
  );
}
