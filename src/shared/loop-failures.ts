/** Failed steps by loop since the start of the process; a loop is listed with 0 from its start. */
export const loopFailures = new Map<string, number>();

/** @param name of the loop, up to a space: the rest (a node) is dropped, so that the names are a fixed set */
export function countLoopFailures(name: string, failures: number): void {
  const [loop = name] = name.split(' ');
  loopFailures.set(loop, (loopFailures.get(loop) ?? 0) + failures);
}
