/** Failed steps by loop since the start of the process; a loop is listed from its start on, with 0. */
export const loopFailures = new Map<string, number>();

/** @param name of the loop; what follows a space (a node) is left out, so that the names are a fixed set. */
export function countLoopFailures(name: string, failures: number): void {
  const [loop = name] = name.split(' ');
  loopFailures.set(loop, (loopFailures.get(loop) ?? 0) + failures);
}
