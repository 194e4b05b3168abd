import { expect, test } from 'bun:test';
import { SendSlots, sendsInFlightMax } from '../../src/chain/rpc/send-slots.ts';

test('all addresses together leave room for other requests', () => {
  for (const addresses of [1, 2, 3, 4, 7, 50]) {
    expect(sendsInFlightMax(addresses)).toBeGreaterThan(0);
    expect(sendsInFlightMax(addresses) * addresses).toBeLessThanOrEqual(192);
  }
});

test('who waits gets the slot that is given back, in order', async () => {
  const slots = new SendSlots(1);
  expect(slots.tryTake()).toBe(true);
  expect(slots.tryTake()).toBe(false);
  const order: number[] = [];
  const waiting = [1, 2].map((number) =>
    slots.take().then((granted) => {
      if (granted) order.push(number);
    }),
  );
  slots.release();
  await waiting[0];
  expect(order).toEqual([1]);
  slots.release();
  await waiting[1];
  expect(order).toEqual([1, 2]);
  slots.release();
  expect(slots.tryTake()).toBe(true);
});

test('a queue that is full refuses at once, and keeps its length', async () => {
  const slots = new SendSlots(1);
  slots.tryTake();
  const waiting = Array.from({ length: 1_024 }, () => slots.take());
  expect(await slots.take()).toBe(false);
  for (let released = 0; released <= waiting.length; released += 1) slots.release();
  expect((await Promise.all(waiting)).every((granted) => granted)).toBe(true);
});

test('who has waited too long is refused, and the slot goes on to the next that has not', async () => {
  let nowMs = 0;
  const slots = new SendSlots(1, () => nowMs);
  slots.tryTake();
  const late = slots.take();
  nowMs = 1_500;
  const inTime = slots.take();
  slots.release();
  expect(await late).toBe(false);
  expect(await inTime).toBe(true);
  nowMs = 5_000;
  slots.release();
  expect(slots.tryTake()).toBe(true);
});
