import { expect, test } from 'bun:test';
import { SerialisedCache } from '../../src/http/caches/serialised-cache.ts';
import { Gate, GateRefused } from '../../src/shared/gate.ts';

test('a cache repeats a failure that it keeps only after its age, and forgets a refusal immediately', async () => {
  let nowMs = 0;
  let loads = 0;
  const client = { name: 'reader', isKeyed: false };
  const gate = new Gate({ runningMax: 1, waitingMax: 0, waitMaxMs: 60_000 });
  const cache = new SerialisedCache({
    gate,
    maxAgeMs: 100,
    entriesMax: 10,
    nowMs: () => nowMs,
    keepsFailures: true,
  });
  const read = () =>
    Promise.try(() =>
      cache.get(client, 'wallet', async () => {
        loads += 1;
        throw new Error(`failure ${loads}`);
      }),
    );
  const blocker = Promise.withResolvers<void>();
  const blocking = gate.run(client, () => blocker.promise);
  await expect(read()).rejects.toBeInstanceOf(GateRefused);
  blocker.resolve();
  await blocking;
  await expect(read()).rejects.toThrow('failure 1');
  await expect(read()).rejects.toThrow('failure 1');
  nowMs = 100;
  await expect(read()).rejects.toThrow('failure 2');
  expect(loads).toBe(2);
});
