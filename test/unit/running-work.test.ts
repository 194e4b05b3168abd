import { describe, expect, test } from 'bun:test';
import { untilAborted } from '../../src/shared/loop.ts';
import { runTogether } from '../../src/shared/run-together.ts';
import { RunningWork } from '../../src/shared/running-work.ts';

describe('running work', () => {
  test('is counted until it ends, and its end is waited for, also of what it starts', async () => {
    const running = new RunningWork();
    await running.ended();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isOver = false;
    running.add(first.promise.then(() => running.add(second.promise)));
    const ended = running.ended().then(() => {
      isOver = true;
    });
    expect(running.size).toBe(1);
    first.resolve();
    await running.oneEnded();
    expect([running.size, isOver]).toEqual([1, false]);
    second.resolve();
    await ended;
    expect(running.size).toBe(0);
  });

  test('that fails rejects the end, and counts no more', async () => {
    const running = new RunningWork();
    running.add(Promise.reject(new Error('broken')));
    await expect(running.ended()).rejects.toThrow('broken');
    expect(running.size).toBe(0);
  });
});

describe('loops that run together', () => {
  test('end with the signal', async () => {
    const stopped = new AbortController();
    const together = runTogether(stopped.signal, (stop) => [untilAborted(stop), untilAborted(stop)]);
    stopped.abort();
    await together;
    await untilAborted(stopped.signal);
  });

  test('are all stopped by the first that fails, whose error is thrown after the others have ended', async () => {
    const order: string[] = [];
    const together = runTogether(new AbortController().signal, (stop) => [
      untilAborted(stop).then(() => {
        order.push('other ended');
        throw new Error('later');
      }),
      Promise.reject(new Error('first')),
    ]);
    await expect(together).rejects.toThrow('first');
    expect(order).toEqual(['other ended']);
  });
});
