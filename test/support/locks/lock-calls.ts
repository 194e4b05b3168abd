import { linesByFunction, sources } from '../sources-by-function.ts';

/** Functions with such a name that take no lock of the database. */
const otherNames: Readonly<Record<string, string>> = {
  lockId: 'the number of a lock',
  lockKey: 'the number of a lock',
  lockOf: 'the number of a lock; in src/features/market it is locked liquidity',
  lockOfIngest: 'locked liquidity',
  lockOfPool: 'locked liquidity',
};

const lockCall = /(?<!function )\b(lock[A-Z]\w*)\(/g;

/** A lock that a statement waits for. */
const lockStatement =
  /\bfor (?:no key )?update(?: of \w+)?(?! of\b| skip locked)\b|\bfor (?:key )?share\b(?! of \w+ skip)|pg_advisory_xact_lock(?:_shared)?\(/;

/** Every call `lock…(` of the service and the relay: `<file> <function that calls> <function that locks>`. */
export function listLockCalls(): string[] {
  return sources().flatMap(([file, source]) => callsIn(file, source));
}

/** Every function that locks in a statement of its own, and is not named so: `<file> <function>`. */
export function listLockStatements(): string[] {
  return sources().flatMap(([file, source]) => statementsIn(file, source));
}

export function statementsIn(file: string, source: string): string[] {
  return linesByFunction(source).flatMap(([name, line]) =>
    !/^lock[A-Z]/.test(name) && lockStatement.test(line) ? [`${file} ${name}`] : [],
  );
}

export function callsIn(file: string, source: string): string[] {
  return linesByFunction(source).flatMap(([caller, line]) =>
    [...line.matchAll(lockCall)].flatMap(([, callee = '']) =>
      callee in otherNames ? [] : [`${file} ${caller} ${callee}`],
    ),
  );
}
