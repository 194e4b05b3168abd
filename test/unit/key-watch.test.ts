import { expect, jest, test } from 'bun:test';
import { KeyWatch } from '../../src/features/streams/key-watch.ts';
import type { StreamReader } from '../../src/features/streams/readers/reader.ts';

const readerOf = (keyId: string | null) => ({ keyId }) as StreamReader;

/** The promise of contract/authentication#revocation. */
const PROMISED_MS = 5_000;

test('the streams of a key are ended within five seconds of its revocation, and those of no other', async () => {
  jest.useFakeTimers();
  try {
    const readers = ['revoked', 'kept', null, 'revoked'].map(readerOf);
    const usable = new Set(['kept', 'revoked']);
    const ended: StreamReader[] = [];
    const watch = new KeyWatch({
      log: { warn: expect.unreachable } as never,
      readers: () => readers.filter((reader) => !ended.includes(reader)),
      usableKeys: async (keyIds) => new Set(keyIds.filter((keyId) => usable.has(keyId))),
      onRevoked: (reader) => ended.push(reader),
    });
    const stop = watch.start();
    const pass = async (durationMs: number) => {
      jest.advanceTimersByTime(durationMs);
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    };
    await pass(PROMISED_MS);
    expect(ended).toEqual([]);
    usable.delete('revoked');
    // The same time again allows for the statement and the message.
    await pass(PROMISED_MS / 2);
    expect(ended).toEqual([readers[0], readers[3]] as StreamReader[]);
    stop();
  } finally {
    jest.useRealTimers();
  }
});

test('a look that takes long is not overtaken by the next, and one that failed is followed by another', async () => {
  jest.useFakeTimers();
  try {
    let looks = 0;
    const failing = Promise.withResolvers<ReadonlySet<string>>();
    const watch = new KeyWatch({
      log: { warn: () => {} } as never,
      readers: () => [readerOf('key')],
      usableKeys: () => {
        looks += 1;
        return failing.promise;
      },
      onRevoked: () => expect.unreachable(),
    });
    const stop = watch.start();
    jest.advanceTimersByTime(PROMISED_MS);
    expect(looks).toBe(1);
    failing.reject(new Error('the key store is away'));
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    jest.advanceTimersByTime(PROMISED_MS / 2);
    expect(looks).toBeGreaterThan(1);
    stop();
  } finally {
    jest.useRealTimers();
  }
});
