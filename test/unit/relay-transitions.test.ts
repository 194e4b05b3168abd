import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { transitions } from '../../relay/model/delivery-transitions.ts';
import { deliveryStatuses } from '../../src/db/values/webhooks.ts';

const relay = new URL('../../relay/', import.meta.url).pathname;

const sources = readdirSync(relay, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(`${relay}${name}`, 'utf8') }));

/** The parts of a source that write delivery rows: from `insert into` or `update` up to what follows the values. */
function writesOf(source: string): string[] {
  const inserts = source.matchAll(/insert into webhook_deliveries\b.*?\n\s*from\b/gs);
  const updates = source.matchAll(/update webhook_deliveries\b.*?(?=\n\s*(?:--.*\n\s*)?from\b|\bwhere\b)/gs);
  return [...inserts, ...updates].map(([text]) => text);
}

/** Statuses that a statement writes as literals. Statuses in its conditions do not count. */
function literalStatuses(write: string): string[] {
  const written = write.replace(/\bwhen [\w.]+ = '\w+'/g, '');
  return deliveryStatuses.filter((status) => written.includes(`'${status}'`));
}

test('every statement of the relay that writes delivery rows takes the status from a transition', () => {
  const writes = sources.flatMap(({ name, text }) => writesOf(text).map((write) => ({ name, write })));
  const statements = sources.flatMap(
    ({ text }) => text.match(/(?:insert into|update) webhook_deliveries\b/g) ?? [],
  );
  expect(writes).toHaveLength(statements.length);
  expect(writes.length).toBeGreaterThan(0);
  for (const { name, write } of writes) {
    expect([name, literalStatuses(write)]).toEqual([name, []]);
    // The result's row carries `transitions[step.transition].to`.
    if (!write.includes('status = result.status'))
      expect([name, write]).toEqual([name, expect.stringContaining('statusAfter(')]);
  }
});

test('a status that a statement writes as a literal is found', () => {
  const insert = `insert into webhook_deliveries (id, status) select id, 'pending'\n from page`;
  const update = `update webhook_deliveries set status = 'retrying', updated_at = now() where id = 1`;
  const good = `update webhook_deliveries set status = r.status, at = case when r.status = 'succeeded' then 1 end where id = 1`;
  expect(writesOf(insert).flatMap(literalStatuses)).toEqual(['pending']);
  expect(writesOf(update).flatMap(literalStatuses)).toEqual(['retrying']);
  expect(writesOf(good).flatMap(literalStatuses)).toEqual([]);
});

test('every transition of the table is made by a statement of the relay', () => {
  const named = sources.flatMap(({ text }) =>
    [...text.matchAll(/statusAfter\(\w+, '(\w+)'\)|transition: '(\w+)'/g)].map(
      ([, statement, result]) => statement ?? result ?? '',
    ),
  );
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(transitions).toSorted());
});

test('the results of an attempt start from the same statuses, since one statement writes them all', () => {
  const { succeeded, failed, exhausted } = transitions;
  expect<unknown[]>([succeeded.from, exhausted.from]).toEqual([failed.from, failed.from]);
});
