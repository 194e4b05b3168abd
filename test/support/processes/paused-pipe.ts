import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';
import { createTempDir } from '../run/temp-dir.ts';

/** A real pipe that nobody reads until `read`. A Subprocess of Bun or Node would read ahead into memory. */
export interface PausedPipe {
  /** The file descriptor for the writing process. */
  fd: number;
  /** Writes until there is no room for another byte. */
  fill(): void;
  /** The present content of the pipe. */
  read(): string;
  /** Reads until a complete line satisfies `isLast`. Returns all complete lines. */
  readUntil(isLast: (line: string) => boolean): Promise<string[]>;
}

export function createPausedPipe(): PausedPipe {
  const path = join(createTempDir('pipe'), 'pipe');
  const { status, stderr } = spawnSync('mkfifo', [path]);
  if (status !== 0) throw new Error(`mkfifo: ${stderr}`);
  const fd = openSync(path, constants.O_RDWR);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  atEnd(async () => {
    closeSync(fd);
    closeSync(reader);
  });
  const read = () => {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.alloc(64 * 1024);
      let length = 0;
      try {
        length = readSync(reader, chunk);
      } catch (error) {
        if (!isFullOrEmpty(error)) throw error;
      }
      if (length === 0) return Buffer.concat(chunks).toString();
      chunks.push(chunk.subarray(0, length));
    }
  };
  return {
    fd,
    fill() {
      const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      const byte = Buffer.from('\n');
      try {
        for (;;) writeSync(filler, byte);
      } catch (error) {
        if (!isFullOrEmpty(error)) throw error;
      } finally {
        closeSync(filler);
      }
    },
    read,
    async readUntil(isLast) {
      let text = '';
      return await eventually('the line that was waited for', async () => {
        text += read();
        const lines = text.split('\n').slice(0, -1);
        return lines.some(isLast) && lines;
      });
    },
  };
}

function isFullOrEmpty(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
