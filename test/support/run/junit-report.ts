export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the test cases of a JUnit report one by one, because a truncated report would still have bun's
 * totals. Throws when the report is incomplete. */
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

/** The last line of a run. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
