import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Atomically replaces a file that only its owner may read. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
}

export function writePrivateJson(path: string, value: object): void {
  writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The content, or undefined when there is no such file. */
export function readFileIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The saved value; undefined when there is no file. */
export function readPrivateJson<Value>(path: string): Value | undefined {
  const content = readFileIfExists(path);
  return content === undefined ? undefined : (JSON.parse(content) as Value);
}
