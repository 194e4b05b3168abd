import { readFileSync } from 'node:fs';
import { Glob } from 'bun';

/** Functions with such a name that take no lock of the database. */
const otherNames: Readonly<Record<string, string>> = {
  lockId: 'the number of a lock',
  lockKey: 'the number of a lock',
  lockOf: 'the number of a lock; in src/features/market it is locked liquidity',
  lockOfIngest: 'locked liquidity',
  lockOfPool: 'locked liquidity',
};

const functionStart = /^(?:export )?(?:async )?function\*? (\w+)/;
const lockCall = /(?<!function )\b(lock[A-Z]\w*)\(/g;

/** Every call `lock…(` of the service and the relay: `<file> <function that calls> <function that locks>`. */
export function listLockCalls(): string[] {
  const files = [...new Glob('{src,relay}/**/*.ts').scanSync('.')].sort();
  return files.flatMap((file) => callsIn(file, readFileSync(file, 'utf8')));
}

export function callsIn(file: string, source: string): string[] {
  const calls: string[] = [];
  let caller = '(module)';
  for (const line of source.split('\n')) {
    caller = functionStart.exec(line)?.[1] ?? caller;
    if (/^\s*(?:\/?\*|\/\/)/.test(line)) continue;
    for (const [, callee = ''] of line.matchAll(lockCall))
      if (!(callee in otherNames)) calls.push(`${file} ${caller} ${callee}`);
  }
  return calls;
}
