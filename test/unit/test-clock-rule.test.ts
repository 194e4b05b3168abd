import { test } from 'bun:test';
import { expectRule } from '../support/patterns/lint-rule.ts';

test('the check refuses fixed waits and measured times in tests alone, except on lines with a reason', () =>
  expectRule({
    rule: './.config/test-clock.grit',
    lines: [
      ["import { setTimeout as delay } from 'node:timers/promises';", true],
      ['await Bun.sleep(5);', true],
      ['await new Promise((resolve) => setTimeout(resolve, 5));', true],
      ['globalThis.setTimeout(() => {}, 3);', true],
      ['const timer = setInterval(() => {}, 4);', true],
      ['const tookMs = performance.now() - startedAtMs;', true],
      ['expect(performance.now()).toBeLessThan(4);', true],
      ['expect(Math.abs(Date.now() - atMs)).toBeLessThan(4);', true],
      ['expect(expiresAtMs).toBeGreaterThan(Date.now() + 4);', true],
      ['// biome-ignore lint/plugin: the pace of a worker', false],
      ['await Bun.sleep(6);', false],
      ['const past = new Date(Date.now() - HOUR_MS);', false],
      ['windows.add(claims, performance.now() - 2_500);', false],
      ["await eventually('it is there', async () => isThere);", false],
    ],
    checked: ['test/one.test.ts'],
    spared: ['src/one.ts'],
  }));
