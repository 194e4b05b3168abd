import { expect, test } from 'bun:test';
import { RETRY_DELAYS_MS } from '../../src/indexer/ingest/acknowledge.ts';
import { ACK_WAIT_MS } from '../../src/shared/bus/durable-consumers.ts';

test('retries of a message that waits for its token outlast the time after which the broker redelivers from a dead worker', () => {
  const patienceMs = RETRY_DELAYS_MS.reduce((sum, pauseMs) => sum + pauseMs, 0);
  const lastPauseMs = RETRY_DELAYS_MS.at(-1) ?? 0;
  expect(patienceMs - lastPauseMs).toBeGreaterThan(ACK_WAIT_MS);
});
