import { expect, test } from 'bun:test';
import { takeNumber } from './number-argument.ts';

const files = ['test/unit', '--bail'];

test('a number is taken out of the arguments, in either form', () => {
  expect(takeNumber(['--late', '100', ...files], '--late', 1000)).toEqual({ value: 100, rest: files });
  expect(takeNumber([...files, '--late=0'], '--late', 1000)).toEqual({ value: 0, rest: files });
  expect(takeNumber(files, '--late', 1000)).toEqual({ value: undefined, rest: files });
});

test.each([
  { args: ['--late'] },
  { args: ['--late', '-1'] },
  { args: ['--late', '1e2'] },
  { args: ['--late='] },
  { args: ['--late=1000'] },
])('$args is refused with the limit', ({ args }) => {
  expect(() => takeNumber(args, '--late', 1000)).toThrow('--late takes a number below 1000');
});
