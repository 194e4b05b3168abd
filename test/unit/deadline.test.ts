import { describe, expect, test } from 'bun:test';
import { Deadlines } from '../../src/http/deadline.ts';
import { createLogger } from '../../src/shared/log.ts';

const log = createLogger('test', 'silent');

describe('a deadline', () => {
  test('ends what nobody answers, in the order in which it is due', async () => {
    const deadlines = new Deadlines(log, 40);
    const never = new Promise<string>(() => {});
    const ended: number[] = [];
    await Promise.all(
      [1, 2, 3].map((number) =>
        deadlines
          .within(never, () => 'late')
          .then((answer) => {
            expect(answer).toBe('late');
            ended.push(number);
          }),
      ),
    );
    expect(ended).toEqual([1, 2, 3]);
  });

  test('leaves alone what is answered in time, a failure too', async () => {
    const deadlines = new Deadlines(log, 60_000);
    const expired = () => 'late';
    expect(await deadlines.within(Promise.resolve('now'), expired)).toBe('now');
    const failure = deadlines.within(Promise.reject<string>(new Error('broken')), expired);
    await expect(failure).rejects.toThrow('broken');
  });

  test('has passed for good: what comes after it changes nothing, and what fails after it is logged', async () => {
    const logged: unknown[] = [];
    const spy = Object.assign(createLogger('test', 'silent'), {
      warn: (facts: unknown) => logged.push(facts),
    });
    const deadlines = new Deadlines(spy, 20);
    const late = Promise.withResolvers<string>();
    const answer = deadlines.within(late.promise, () => 'expired');
    expect(await answer).toBe('expired');
    const err = new Error('too late');
    late.reject(err);
    await late.promise.catch(() => undefined);
    expect(logged).toEqual([{ err }]);
  });
});
