import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A log file of a child process. */
export interface LogFile {
  /** Never throws: a full disk costs lines of the log, not the child or its launcher. */
  write(chunk: string): void;
  close(): void;
}

/**
 * Opens a log file to append to it, and creates it and its folder where they are missing. Throws when it cannot be
 * opened.
 */
export function openLogFile(path: string): LogFile {
  mkdirSync(dirname(path), { recursive: true });
  const descriptor = openSync(path, 'a', 0o600);
  let lostBytes = 0;
  return {
    write(chunk) {
      try {
        if (lostBytes > 0) writeSync(descriptor, `\n[${lostBytes} bytes of output could not be written]\n`);
        lostBytes = 0;
        writeSync(descriptor, chunk);
      } catch (error) {
        if (lostBytes === 0)
          console.error(`${path} cannot be written: ${error instanceof Error ? error.message : error}`);
        lostBytes += Buffer.byteLength(chunk);
      }
    },
    close: () => closeSync(descriptor),
  };
}
