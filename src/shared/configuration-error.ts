import { readFileSync } from 'node:fs';

/** All mistakes of one environment, each as `NAME expectation`. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`invalid configuration:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.name = 'ConfigurationError';
    this.mistakes = mistakes;
  }
}

/** Reads the file that a variable names. Throws ConfigurationError when it cannot be read. */
export function readNamedFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigurationError([`${variable} names a file that cannot be read (${code})`]);
  }
}
