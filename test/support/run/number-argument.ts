export interface TakenArgument {
  readonly value: number | undefined;
  /** The arguments without it. */
  readonly rest: readonly string[];
}

/** Takes `<flag> N` or `<flag>=N` out of the arguments, for a number from 0 to below `limit`. */
export function takeNumber(args: readonly string[], flag: string, limit: number): TakenArgument {
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  const found = args[at];
  if (found === undefined) return { value: undefined, rest: args };
  const isJoined = found !== flag;
  const text = isJoined ? found.slice(flag.length + 1) : args[at + 1];
  return { value: readNumber(text, flag, limit), rest: args.toSpliced(at, isJoined ? 1 : 2) };
}

/** @throws Error if the text is no such number */
export function readNumber(text: string | undefined, flag: string, limit: number): number {
  if (text === undefined || !/^\d{1,10}$/.test(text) || Number(text) >= limit)
    throw new Error(`${flag} takes a number below ${limit}, not ${text}`);
  return Number(text);
}
