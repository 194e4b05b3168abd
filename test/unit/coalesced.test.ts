import { expect, test } from 'bun:test';
import { coalesced } from '../../src/shared/coalesced.ts';

test('a value is loaded once, however many ask for it, until it is forgotten', async () => {
  let nowMs = 0;
  let asked = 0;
  const first = Promise.withResolvers<number>();
  const ask = coalesced(
    () => (++asked === 1 ? first.promise : Promise.resolve(asked)),
    1_000,
    () => nowMs,
  );
  const answers = [ask(), ask()];
  nowMs = 5_000;
  answers.push(ask());
  first.resolve(1);
  expect(await Promise.all(answers)).toEqual([1, 1, 1]);
  nowMs = 5_999;
  expect(await ask()).toBe(1);
  nowMs = 6_000;
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2]);
});

test('a failure is remembered as well, so that callers do not ask a failed service again', async () => {
  let asked = 0;
  const fail = async () => {
    asked += 1;
    throw new Error('down');
  };
  const ask = coalesced(fail, 1_000, () => 0);
  await expect(ask()).rejects.toThrow('down');
  await expect(ask()).rejects.toThrow('down');
  expect(asked).toBe(1);
});
