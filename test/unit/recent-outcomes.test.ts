import { expect, test } from 'bun:test';
import { RecentOutcomes } from '../../src/http/observation/recent-outcomes.ts';

const FAILURES = 5;

function createOutcomes() {
  const clock = { nowMs: 1_000 };
  const outcomes = new RecentOutcomes(() => clock.nowMs);
  const isReady = async () => (await outcomes.readiness.check()).ready;
  const expire = (count: number) => {
    for (let at = 0; at < count; at += 1) outcomes.expired();
  };
  return { clock, outcomes, isReady, expire };
}

test('the process is ready until more requests fail than succeed, and some failures do not count', async () => {
  const { outcomes, isReady, expire } = createOutcomes();
  expire(FAILURES - 1);
  expect(await isReady()).toBe(true);
  expire(1);
  expect(await isReady()).toBe(false);
  for (let at = 0; at < FAILURES; at += 1) outcomes.answered(at % 2 === 0 ? 200 : 404);
  expect(await isReady()).toBe(true);
});

test('requests that never reached the database do not hide failures', async () => {
  const { outcomes, isReady, expire } = createOutcomes();
  expire(FAILURES);
  for (const status of [401, 429, 500, 503]) for (let at = 0; at < 100; at += 1) outcomes.answered(status);
  expect(await isReady()).toBe(false);
});

test('failures that a probe sees, and failures of other services, do not count', async () => {
  const { outcomes, isReady } = createOutcomes();
  const failWith = (code: string) => {
    for (let at = 0; at < FAILURES; at += 1) outcomes.failed(Object.assign(new Error(code), { code }));
  };
  for (const code of ['ECONNREFUSED', 'CONNECTION_CLOSED', 'ENOENT']) failWith(code);
  outcomes.failed(new Error('none of the database'));
  expect(await isReady()).toBe(true);
  failWith('POOL_EXHAUSTED');
  expect(await isReady()).toBe(false);
});

test('failures are remembered for 10 to 20 s, even without requests', async () => {
  const { clock, isReady, expire } = createOutcomes();
  expire(FAILURES);
  clock.nowMs += 19_999;
  expect(await isReady()).toBe(false);
  clock.nowMs += 1;
  expect(await isReady()).toBe(true);
});
