import { expect, test } from 'bun:test';
import { WAITING_PAUSES_MS } from '../../src/indexer/ingest/acknowledge.ts';
import { ACK_WAIT_MS } from '../../src/shared/bus/streams.ts';

test('what waits for its token is still tried when the broker has taken that from a dead worker', () => {
  const patienceMs = WAITING_PAUSES_MS.reduce((sum, pauseMs) => sum + pauseMs, 0);
  const lastPauseMs = WAITING_PAUSES_MS.at(-1) ?? 0;
  expect(patienceMs - lastPauseMs).toBeGreaterThan(ACK_WAIT_MS);
});
