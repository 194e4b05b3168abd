import { expect, test } from 'bun:test';
import { processCpu, processCpuMs } from '../../bench/measurement/process-cpu.ts';

/** What readings may miss or count twice: two ticks of the process. */
const TICKS_MS = 20;
const WORK_MS = 150;

const useCpu = (ms: number) => {
  const startedAt = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(startedAt);
    return (user + system) / 1_000;
  };
  while (used() < ms) Math.sqrt(used());
};

test('the CPU time of a process grows by less than a tick, and that of its main thread is part of it', () => {
  const before = processCpu(process.pid);
  const small = Array.from({ length: 20 }, () => {
    useCpu(1);
    return processCpu(process.pid).allMs;
  });
  const after = processCpu(process.pid);
  expect(small.toSorted((left, right) => left - right)).toEqual(small);
  expect(new Set(small.map((ms) => ms % 10)).size).toBeGreaterThan(1);
  expect(after.mainMs).toBeGreaterThan(before.mainMs);
  // Each difference is rounded on its own.
  expect(after.mainMs - before.mainMs).toBeLessThanOrEqual(after.allMs - before.allMs + 1e-6);
});

test('the time of a thread that begins and ends between two readings is counted', async () => {
  const usage = process.cpuUsage();
  const before = processCpu(process.pid);
  const script = 'let sum = 0; for (let at = 0; at < 3e8; at += 1) sum += Math.sqrt(at); postMessage(sum);';
  const worker = new Worker(URL.createObjectURL(new Blob([script])));
  await new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }));
  await new Promise((resolve) => {
    worker.addEventListener('close', resolve, { once: true });
    worker.terminate();
  });
  const after = processCpu(process.pid);
  const { user, system } = process.cpuUsage(usage);
  expect((user + system) / 1_000).toBeGreaterThan(WORK_MS);
  expect(after.allMs - before.allMs).toBeGreaterThan((user + system) / 1_000 - 2 * TICKS_MS);
  expect(after.mainMs - before.mainMs).toBeLessThan(after.allMs - before.allMs - TICKS_MS);
});

test('a process that does not exist has no CPU time', () => {
  expect(() => processCpuMs(2 ** 30)).toThrow();
});
