/** The report of a run. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the test cases of a JUnit report. Judges each case by itself: bun's totals leave out nothing, but a
 * truncated report would still carry them. Throws when the report is not whole. */
export function countTests(report: string): TestCounts {
  if (!report.trimEnd().endsWith('</testsuites>')) throw new Error('the JUnit report is not complete');
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  // Text and attributes are escaped in XML, so a `<testcase` in them cannot occur.
  for (const [, rest = ''] of report.matchAll(/<testcase\b[^>]*?(\/>|>[\s\S]*?<\/testcase>)/g)) {
    if (/<(failure|error)\b/.test(rest)) failed++;
    else if (/<skipped\b/.test(rest)) skipped++;
    else passed++;
  }
  return { passed, failed, skipped };
}

/** The one line a run ends with. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
