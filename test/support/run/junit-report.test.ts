import { describe, expect, test } from 'bun:test';
import { countTests, summaryLine } from './junit-report.ts';

const report = (cases: string) =>
  `<?xml version="1.0"?>\n<testsuites tests="9"><testsuite name="a">${cases}</testsuite></testsuites>\n`;

describe('the summary of a run', () => {
  test('counts each case by its own outcome, not by the totals of the report', () => {
    const cases = [
      '<testcase name="a" time="0" />',
      '<testcase name="b &lt;failure&gt;" />',
      '<testcase name="c"><failure type="AssertionError">&lt;testcase name="x" /&gt;</failure></testcase>',
      '<testcase name="d">\n<skipped message="TODO" />\n</testcase>',
      '<testcase name="e"><error/></testcase>',
    ];
    expect(countTests(report(cases.join('\n')))).toEqual({ passed: 2, failed: 2, skipped: 1 });
  });

  test('a report that was cut off is an error', () => {
    expect(() => countTests(report('<testcase name="a" />').slice(0, -10))).toThrow('not complete');
  });

  test('names skipped tests only when there are some', () => {
    expect(summaryLine({ passed: 2, failed: 0, skipped: 0 })).toBe('2 passed, 0 failed');
    expect(summaryLine({ passed: 2, failed: 1, skipped: 3 })).toBe('2 passed, 1 failed, 3 skipped');
  });
});
