import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../../src/admin/program.ts';

/**
 * Runs the admin CLI in this process and without a terminal, because a separate process costs 0.3 s of CPU.
 * admin-output.test.ts and admin-confirmation.test.ts check that the process does the same.
 */
export async function runAdmin(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  let output = '';
  const both = () =>
    new Writable({
      write(chunk, _encoding, written) {
        output += String(chunk);
        written();
      },
    });
  const surroundings = { environment, stdin: Readable.from([]), stdout: both(), stderr: both() };
  return { code: await runProgram(args, surroundings), output };
}
