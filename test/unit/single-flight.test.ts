import { expect, test } from 'bun:test';
import { SingleFlight } from '../../src/shared/single-flight.ts';

/** Work that ends when the test says so. */
function stage() {
  const begun: PromiseWithResolvers<string>[] = [];
  const work = () => {
    const running = Promise.withResolvers<string>();
    begun.push(running);
    return running.promise;
  };
  return { begun, work };
}

test('callers of one key share its work while it runs; those of another key and later ones begin their own', async () => {
  const flights = new SingleFlight<string>();
  const { begun, work } = stage();
  const together = [flights.run('key', work), flights.run('key', work)];
  const other = flights.run('other', work);
  expect(begun).toHaveLength(2);
  begun[0]?.resolve('first');
  expect(await Promise.all(together)).toEqual(['first', 'first']);
  const later = flights.run('key', work);
  begun[1]?.resolve('other');
  begun[2]?.resolve('second');
  expect(await Promise.all([other, later])).toEqual(['other', 'second']);
});

test('a failure reaches all that share it, and the next caller begins anew', async () => {
  const flights = new SingleFlight<string>();
  const { begun, work } = stage();
  const kept: unknown[] = [];
  const together = [1, 2].map(() => flights.run('key', work, (result) => kept.push(result.status)));
  begun[0]?.reject(new Error('away'));
  for (const each of together) await expect(each).rejects.toThrow('away');
  expect(kept).toEqual(['rejected']);
  expect(flights.running('key')).toBeUndefined();
});

test.each(['drop', 'clear'] as const)('work that a %s overtakes is no longer shared or kept', async (how) => {
  const flights = new SingleFlight<string>();
  const { begun, work } = stage();
  const kept: string[] = [];
  const keep = (result: PromiseSettledResult<string>) => {
    if (result.status === 'fulfilled') kept.push(result.value);
  };
  const old = flights.run('key', work, keep);
  if (how === 'drop') flights.drop('key');
  else flights.clear();
  const fresh = flights.run('key', work, keep);
  begun[0]?.resolve('old');
  expect(await old).toBe('old');
  expect(flights.running('key')).toBe(fresh);
  begun[1]?.resolve('new');
  expect(await fresh).toBe('new');
  expect(kept).toEqual(['new']);
});
