import { runProgram } from './program.ts';

const { env: environment, stdin, stdout, stderr } = process;
process.exit(await runProgram(process.argv.slice(2), { environment, stdin, stdout, stderr }));
