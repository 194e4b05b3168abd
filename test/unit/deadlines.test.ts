import { describe, expect, test } from 'bun:test';
import { requestDeadlines } from '../../src/http/request-deadlines.ts';
import { Deadlines } from '../../src/shared/deadlines.ts';
import { createLogger } from '../../src/shared/log.ts';

const endings = {
  inTime: (value: string) => `in time: ${value}`,
  failed: (error: unknown) => `failed: ${error}`,
  expired: () => 'expired',
};

describe('a deadline', () => {
  test('ends promises that do not settle, in the order of their deadlines', async () => {
    const deadlines = new Deadlines(40);
    const never = new Promise<string>(() => {});
    const ended: number[] = [];
    await Promise.all(
      [1, 2, 3].map(async (number) => {
        expect(await deadlines.within(never, endings)).toBe('expired');
        ended.push(number);
      }),
    );
    expect(ended).toEqual([1, 2, 3]);
  });

  test('does not touch a promise that settles in time, even one that fails', async () => {
    const deadlines = new Deadlines(60_000);
    expect(await deadlines.within(Promise.resolve('now'), endings)).toBe('in time: now');
    const failure = deadlines.within(Promise.reject<string>('broken'), endings);
    expect(await failure).toBe('failed: broken');
  });

  test.each([
    ['in time', () => Promise.resolve('now')],
    ['failed', () => Promise.reject<string>('broken')],
    ['expired', () => new Promise<string>(() => {})],
  ])('fails as its ending does: %s', async (_name, begin) => {
    const fail = () => {
      throw new Error('of the ending');
    };
    const outcome = new Deadlines(20).within(begin(), { inTime: fail, failed: fail, expired: fail });
    await expect(outcome).rejects.toThrow('of the ending');
  });

  test('has passed for good: a late result changes nothing, and a late failure is reported', async () => {
    const late: unknown[] = [];
    const deadlines = new Deadlines(20, (error) => late.push(error));
    const awaited = Promise.withResolvers<string>();
    expect(await deadlines.within(awaited.promise, endings)).toBe('expired');
    awaited.reject('too late');
    await awaited.promise.catch(() => undefined);
    expect(late).toEqual(['too late']);
  });

  test('that has passed keeps no other wait, even where its promise never settles', async () => {
    const deadlines = new Deadlines(20);
    const never = Array.from({ length: 20 }, () => new Promise<string>(() => {}));
    const others: WeakRef<object>[] = [];
    const waitForAnother = () => {
      const response = { text: 'expired' };
      others.push(new WeakRef(response));
      return deadlines.within(new Promise<string>(() => {}), { ...endings, expired: () => response.text });
    };
    await Promise.all(
      never.flatMap((stuck): Promise<string>[] => [deadlines.within(stuck, endings), waitForAnother()]),
    );
    Bun.gc(true);
    expect(never).toHaveLength(20);
    expect(others.filter((other) => other.deref() !== undefined).length).toBeLessThan(10);
  });

  test('of a request logs a late failure', async () => {
    const logged: unknown[] = [];
    const log = Object.assign(createLogger('test', 'silent'), {
      warn: (facts: unknown) => logged.push(facts),
    });
    const awaited = Promise.withResolvers<string>();
    expect(await requestDeadlines(log, 20).within(awaited.promise, endings)).toBe('expired');
    const err = new Error('too late');
    awaited.reject(err);
    await awaited.promise.catch(() => undefined);
    expect(logged).toEqual([{ err }]);
  });
});
