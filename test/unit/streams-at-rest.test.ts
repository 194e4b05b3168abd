import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { Streams } from '../../src/features/streams/streams.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { recordMessage } from '../support/contract-coverage/messages.ts';
import { silentLog } from '../support/processes/worker-context.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const limits = { perKey: 10, perAddress: 10, perNetwork: 10, max: 10, keyReservePercent: 50 };
// Without a topic a stream reads nothing.
const nothingRead = { database: undefined as never, sources: undefined as never };

const newStreams = () =>
  new Streams(
    { ...limits, bufferBytes: 65_536 },
    { ...nothingRead, log: silentLog, clock: systemClock, usableKeys: async (ids) => new Set(ids) },
  );

test('a stream that ends before the log was read has no cursor', () => {
  const streams = newStreams();
  const ends: (string | undefined)[] = [];
  streams.open(
    { subject: '192.0.2.1', hasKey: false, network: null },
    { sink: { send: () => true, end: (_reason, last) => void ends.push(last?.text) }, transport: 'sse' },
  );
  streams.drain();
  const last = JSON.parse(ends[0] ?? '');
  recordMessage(last);
  expect([ends.length, last]).toMatchObject([1, { event: 'end', reason: 'draining', cursor: null }]);
});

test('a process without streams runs no timer for them, whichever streams it had', () => {
  const streams = newStreams();
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
