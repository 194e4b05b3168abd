import { type Declaration, exitCodes, type Program, UsageError, type Values } from './command.ts';
import { commandHelp, groupHelp, programHelp } from './help.ts';
import type { Sinks } from './output.ts';
import { type Request, readLine } from './read-line.ts';
import { visibleLines } from './visible.ts';

/** A command to run with its checked values. */
export interface Line<Command extends Declaration> {
  command: Command;
  arguments: Values;
  options: Values;
}

/**
 * Runs a command line: prints help or the version, or calls `run`. Returns the exit code. It reports a
 * `UsageError`; any other error is thrown.
 */
export async function runLine<Command extends Declaration>(
  program: Program<Command>,
  words: readonly string[],
  { out, err }: Sinks,
  run: (line: Line<Command>) => Promise<number>,
): Promise<number> {
  let command = '';
  try {
    const request = readLine(program, words);
    if (request.kind === 'run') {
      command = request.command.name;
      return await run(request);
    }
    out.write(`${request.kind === 'version' ? program.version : helpOf(program, request)}\n`);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const help = [program.name, error.command || command, '--help'].filter((part) => part !== '').join(' ');
    err.write(`${program.errorPrefix ?? ''}${visibleLines(`${error.message}\nSee ${help}.`)}\n`);
    return exitCodes.usage;
  }
}

function helpOf<Command extends Declaration>(
  program: Program<Command>,
  { group, command }: Extract<Request<Command>, { kind: 'help' }>,
): string {
  if (command !== undefined) return commandHelp(program, command);
  return group === undefined ? programHelp(program) : groupHelp(program, group);
}
