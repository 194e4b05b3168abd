import type { Evidence } from '../evidence/evidence.ts';
import type { DatabaseFacts } from '../evidence/facts.ts';
import type { ReaderHistory } from '../evidence/histories.ts';

/** The histories of a stream come exactly once and in the order of the log, however often it was resumed. */
export function readersSeeEveryChange({ histories, database }: Evidence): string[] {
  return histories.readers.flatMap((reader) => mistakesOf(reader, database));
}

function mistakesOf(reader: ReaderHistory, { log }: DatabaseFacts): string[] {
  const { name, messages, gaps, fromId, toId, accountId, failures } = reader;
  if (fromId < 0n) return [`${name} never began`];
  const last = log.at(-1)?.id ?? 0n;
  const entries = log
    .filter(({ id }) => id > fromId)
    .filter((entry) => entry.accountId === null || entry.accountId === accountId)
    .filter(({ isPing }) => !isPing)
    .map(({ kind, ref }) => `${kind} ${ref}`);
  return [
    ...failures.map((failure) => `${name} failed: ${failure}`),
    ...(gaps > 0 ? [`${name} got ${gaps} gaps`] : []),
    ...(toId < last ? [`${name} stopped at ${toId}, and the log ends at ${last}`] : []),
    ...differences(name, messages, expectedOf(entries, messages)),
  ];
}

/**
 * The messages of the log that the reader has to see. A trade that was reverted before the stream read it does not come
 * (contract/streams#histories), so one that the reader did not see at its place is left out when its reversal follows.
 */
function expectedOf(log: readonly string[], seen: readonly string[]): string[] {
  let at = 0;
  return log.filter((message, place) => {
    const isSeen = seen[at] === message;
    if (isSeen) at += 1;
    const [kind, ref] = message.split(' ');
    return isSeen || kind !== 'trade' || !log.includes(`trade_reverted ${ref}`, place);
  });
}

/** A trade comes once for each time that it landed, so copies are compared with those of the log. */
function differences(name: string, seen: readonly string[], expected: readonly string[]): string[] {
  const [counts, wanted] = [countsOf(seen), countsOf(expected)];
  const found = [...new Set([...seen, ...expected])].flatMap((message) => {
    const [copies, due] = [counts.get(message) ?? 0, wanted.get(message) ?? 0];
    if (copies === due) return [];
    if (due === 0) return [`${name} saw ${message}, which is not in the log`];
    return copies < due
      ? [`${name} did not see ${message}`]
      : [`${name} saw ${message} ${copies} times, and the log has it ${due} times`];
  });
  if (found.length > 0) return found;
  const at = seen.findIndex((message, index) => message !== expected[index]);
  return at < 0 ? [] : [`${name} saw ${seen[at]} where the log has ${expected[at]}`];
}

function countsOf(messages: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return counts;
}
