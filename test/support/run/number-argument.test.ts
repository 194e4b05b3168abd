import { expect, test } from 'bun:test';
import { takeNumber } from './number-argument.ts';

const files = ['test/unit', '--bail'];

test('a number is taken out of the arguments, in either form', () => {
  expect(takeNumber(['--late', '100', ...files], '--late', 1000)).toEqual({ value: 100, rest: files });
  expect(takeNumber([...files, '--late=0'], '--late', 1000)).toEqual({ value: 0, rest: files });
  expect(takeNumber(files, '--late', 1000)).toEqual({ value: undefined, rest: files });
});

test.each(
  [['--late'], ['--late', '-1'], ['--late', '1e2'], ['--late='], ['--late=1000']].map((args) => ({ args })),
)('$args is refused with the limit', ({ args }) => {
  expect(() => takeNumber(args, '--late', 1000)).toThrow('--late takes a number below 1000');
});
