import type { Evidence } from '../evidence/evidence.ts';
import type { DatabaseFacts } from '../evidence/facts.ts';
import type { ReaderHistory } from '../evidence/histories.ts';

/** The histories of a stream come exactly once and in the order of the log, however often it was resumed. */
export function readersSeeEveryChange({ histories, database }: Evidence): string[] {
  return histories.readers.flatMap((reader) => mistakesOf(reader, database));
}

function mistakesOf(reader: ReaderHistory, { log }: DatabaseFacts): string[] {
  const { name, messages, gaps, fromId, toId, accountId } = reader;
  if (fromId < 0n) return [`${name} never began`];
  const last = log.at(-1)?.id ?? 0n;
  const expected = log
    .filter(({ id }) => id > fromId)
    .filter((entry) => entry.accountId === null || entry.accountId === accountId)
    .filter(({ isPing }) => !isPing)
    .map(({ kind, ref }) => `${kind} ${ref}`)
    .filter(withoutUnseenReversals(messages));
  return [
    ...(gaps > 0 ? [`${name} got ${gaps} gaps`] : []),
    ...(toId < last ? [`${name} stopped at ${toId}, and the log ends at ${last}`] : []),
    ...differences(name, messages, expected),
  ];
}

/**
 * A trade that was reverted before the stream read it does not come (contract/streams#histories). Keeps every other
 * message of the log.
 */
function withoutUnseenReversals(seen: readonly string[]) {
  const wasSeen = new Set(seen);
  return (message: string, at: number, log: readonly string[]): boolean => {
    const [kind, ref] = message.split(' ');
    return kind !== 'trade' || wasSeen.has(message) || !log.includes(`trade_reverted ${ref}`, at);
  };
}

function differences(name: string, seen: readonly string[], expected: readonly string[]): string[] {
  const counts = Map.groupBy(seen, (message) => message);
  const doubles = [...counts].filter(([, copies]) => copies.length > 1);
  const missing = expected.filter((message) => !counts.has(message));
  const wanted = new Set(expected);
  const foreign = seen.filter((message) => !wanted.has(message));
  const found = [
    ...doubles.map(([message, copies]) => `${name} saw ${message} ${copies.length} times`),
    ...missing.map((message) => `${name} did not see ${message}`),
    ...foreign.map((message) => `${name} saw ${message}, which is not in the log`),
  ];
  if (found.length > 0) return found;
  const at = seen.findIndex((message, index) => message !== expected[index]);
  return at < 0 ? [] : [`${name} saw ${seen[at]} where the log has ${expected[at]}`];
}
