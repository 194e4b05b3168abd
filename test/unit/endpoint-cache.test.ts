import { expect, test } from 'bun:test';
import { EndpointCache } from '../../relay/endpoints/endpoint-cache.ts';
import type { Database } from '../../src/db/client.ts';

const ENDPOINT = {
  id: 'endpoint-1',
  accountId: 'account-1',
  eventTypes: ['*'],
  subjects: null,
  pausedForMs: null,
};

/** A database that answers the reads of changes in turn. It has no endpoints at first. */
function databaseOf(answers: readonly Promise<object[]>[]): Database {
  const left = [
    Promise.resolve([{ since: '1', id: null }]),
    Promise.resolve([{ since: '1', id: null }]),
    ...answers,
  ];
  const sql = (texts: readonly string[]) => {
    const text = texts.join('');
    if (text.includes('pg_snapshot_xmin')) return left.shift();
    return text.includes('order by id limit') ? Promise.resolve([]) : text;
  };
  return sql as unknown as Database;
}

test('a read of endpoints that ends late does not undo a newer one', async () => {
  const older = Promise.withResolvers<object[]>();
  const newer = Promise.resolve([{ since: '3', ...ENDPOINT, isEnabled: false }]);
  const cache = new EndpointCache(databaseOf([older.promise, newer]));
  await cache.refresh();
  const first = cache.refresh();
  await new Promise((resolve) => setImmediate(resolve));
  const second = cache.refresh();
  await new Promise((resolve) => setImmediate(resolve));
  older.resolve([{ since: '2', ...ENDPOINT, isEnabled: true }]);
  await Promise.all([first, second]);
  expect(cache.get(ENDPOINT.id)).toBeUndefined();
  expect(cache.since).toBe('3');
});
