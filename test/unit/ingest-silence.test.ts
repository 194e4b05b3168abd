import { expect, test } from 'bun:test';
import { DeliveryWatch } from '../../src/indexer/ingest/subscription.ts';
import { consumers } from '../../src/shared/bus/topology.ts';

const seen = (pending: number, consumerSeq: number, unacknowledged = 0) => ({
  num_pending: pending,
  num_ack_pending: unacknowledged,
  delivered: { consumer_seq: consumerSeq, stream_seq: consumerSeq, last_active: 0 },
});

test('silence counts while messages wait and no worker gets any', () => {
  const watch = new DeliveryWatch();
  expect(watch.silentMs(seen(3, 10), 1_000)).toBe(0);
  expect(watch.silentMs(seen(3, 10), 2_000)).toBe(1_000);
  expect(watch.silentMs(seen(4, 10), 8_000)).toBe(7_000);
  expect(watch.silentMs(seen(3, 11), 9_000)).toBe(0);
  expect(watch.silentMs(seen(3, 11), 10_000)).toBe(1_000);
});

test('one waiting message is enough while the broker may deliver it', () => {
  const { maxAckPending } = consumers.ingest;
  for (const [unacknowledged, silentMs] of [
    [0, 60_000],
    [maxAckPending - 1, 60_000],
    [maxAckPending, 0],
  ] as const) {
    const watch = new DeliveryWatch();
    watch.silentMs(seen(1, 10, unacknowledged), 0);
    expect(watch.silentMs(seen(1, 10, unacknowledged), 60_000)).toBe(silentMs);
  }
});

test('an empty stream is not silent, and neither is one whose messages all wait for another try', () => {
  const watch = new DeliveryWatch();
  watch.silentMs(seen(0, 10), 0);
  expect(watch.silentMs(seen(0, 10), 60_000)).toBe(0);
  expect(watch.silentMs(seen(5, 10, 200_000), 120_000)).toBe(0);
});
