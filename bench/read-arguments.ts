import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A case or commit that does not exist. `runStoppable` prints only its message, because its stack does not help. */
export class NotFoundError extends Error {}

/**
 * The arguments of a command of the bench. Ends the process when they ask for help (0) or are not understood (2), with
 * the usage either way.
 */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
) {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    refuseArguments(error instanceof Error ? error.message : String(error), usage);
  }
}

/**
 * The whole number in the text of an option; undefined if the option is unset. Ends the process with the usage when the
 * text is no whole number of at least `least`.
 */
export function wholeNumberOf(
  name: string,
  text: string | undefined,
  { least, usage }: { least: number; usage: string },
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least)
    refuseArguments(`--${name} needs a whole number from ${least} on, not ${text}`, usage);
  return number;
}

/** Ends the process with what is wrong with its arguments. */
export function refuseArguments(mistake: string, usage: string): never {
  console.error(`${mistake}\n\n${usage}`);
  process.exit(2);
}
