import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { Streams } from '../../src/features/streams/streams.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../support/processes/worker-context.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a process without streams runs no timer for them, whichever streams it had', () => {
  const limits = { perKey: 10, perAddress: 10, perNetwork: 10, max: 10, keyReservePercent: 50 };
  // Without a topic a stream reads nothing.
  const nothingRead = { database: undefined as never, sources: undefined as never };
  const streams = new Streams(
    { ...limits, bufferBytes: 65_536 },
    { ...nothingRead, log: silentLog, clock: systemClock, usableKeys: async (ids) => new Set(ids) },
  );
  const open = () =>
    streams.open(
      { subject: '192.0.2.1', hasKey: false, network: null },
      { sink: { send: () => true, end: () => {} }, transport: 'sse' },
    );
  let running: number | undefined;
  for (let round = 0; round < 2; round += 1) {
    const [first, second] = [open(), open()];
    running ??= jest.getTimerCount();
    expect(running).toBeGreaterThan(0);
    streams.close(first);
    expect([streams.count, jest.getTimerCount()]).toEqual([1, running]);
    streams.close(second);
    expect([streams.count, jest.getTimerCount()]).toEqual([0, 0]);
  }
});
