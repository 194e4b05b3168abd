import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../../src/admin/program.ts';

/**
 * Runs the admin CLI where nobody can be asked, in this process: one of its own costs 0.3 s of CPU each time. That
 * the process does the same is in admin-output.test.ts and admin-confirmation.test.ts.
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
