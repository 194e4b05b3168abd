import { type ChildProcess, spawn } from 'node:child_process';
import { debianExecutable } from '../../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../../sandbox/services/executable.ts';
import { silent } from '../../../sandbox/services/log.ts';
import { atEnd } from '../run/cleanup.ts';

/** A command in its own terminal, with keyboard input. */
export interface Terminal {
  /** The text on the terminal. */
  readonly shown: string;
  press(keys: string): void;
  /** The exit code. */
  ended: Promise<number | null>;
}

/** Runs a command in a pseudo-terminal, which `script` of util-linux makes. */
export async function runInTerminal(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Terminal> {
  const script = findExecutable('script') ?? (await debianExecutable('script', ['bsdutils'], silent));
  if (script === undefined) throw new Error('script of util-linux is missing: install it (Debian: bsdutils)');
  const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const env = { ...process.env, ...environment };
  const child: ChildProcess = spawn(script, ['-qefc', line, '/dev/null'], { env, stdio: 'pipe' });
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  atEnd(async () => void child.kill('SIGKILL'));
  return {
    get shown() {
      return shown;
    },
    press: (keys) => void child.stdin?.write(keys),
    ended,
  };
}
