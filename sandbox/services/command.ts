import { spawn } from 'node:child_process';

export interface CommandOptions {
  readonly cwd?: string;
  /** Replaces the environment. If unset, the command inherits that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Runs a short command asynchronously and collects both output streams. A command that cannot be started counts as
 * failed. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<{ readonly succeeded: boolean; readonly output: string }> {
  const { user, ...rest } = options;
  const child = spawn(command, [...args], { ...rest, ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.once('close', (code) => resolve({ succeeded: code === 0, output }));
  });
}
