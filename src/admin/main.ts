import { runProgram } from './program.ts';

const { env: environment, stdin, stdout, stderr } = process;
const code = await runProgram(process.argv.slice(2), { environment, stdin, stdout, stderr });
// The exit drops what a slow reader of a pipe has not taken yet.
for (const stream of [stdout, stderr]) await new Promise<void>((resolve) => stream.end(resolve));
process.exit(code);
