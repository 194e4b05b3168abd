import { beforeAll, expect, test } from 'bun:test';
import postgres from 'postgres';
import { checkResult } from '../../../bench/cases/check-result.ts';
import { type CaseLoader, registry } from '../../../bench/registry.ts';
import { describeBudget, loadBudgets, medianOf, passes } from '../../../bench/report/budgets.ts';
import { SHORTEST } from '../../../bench/run-shortest.ts';
import { ensureTemplate } from '../database/database-template.ts';
import { withDatabase } from '../database/database-url.ts';
import { sharedPostgresUrl } from '../servers/services.ts';

/** Groups whose cases have a test file of their own, because all cases in one file take two minutes. */
const ownFile = ['pipeline', 'scale'] as const;

/**
 * Tests that run the cases of a group, or of all groups without a file of their own. Each case verifies its work: it compares
 * responses and counts rows or messages, and throws when they are wrong.
 */
export function testShortestCases(group: (typeof ownFile)[number] | 'others'): void {
  beforeAll(nameTemplate);
  for (const [name, load] of Object.entries(registry)) {
    const own = ownFile.find((one) => name.startsWith(`${one}/`)) ?? 'others';
    if (own !== group) continue;
    test(`bench case ${name} does its work, checks it, and gives every ratio that has a budget`, async () => {
      await runShortest(name, load);
    });
  }
}

async function nameTemplate(): Promise<void> {
  const serverUrl = await sharedPostgresUrl();
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  const template = await ensureTemplate(admin, serverUrl);
  await admin.end();
  process.env.BENCH_DATABASE_TEMPLATE_URL = withDatabase(serverUrl, template);
}

async function runShortest(name: string, load: CaseLoader): Promise<void> {
  const run = await load();
  const result = await run(SHORTEST);
  checkResult(result);
  for (const { name: variant, rounds } of result.figures) {
    // The rounds of a long run are its parts.
    if (result.plot !== 'course')
      expect(`${variant}: ${rounds.length}`).toBe(`${variant}: ${SHORTEST.rounds}`);
  }
  const budgets = (await loadBudgets()).filter((budget) => budget.case === name);
  const ratios = Object.keys(result.ratios);
  for (const { ratio } of budgets) expect(ratios).toContain(ratio);
  // Counts are the same on a busy machine and in a short run: a change that does more work ends here.
  for (const budget of budgets.filter(({ isCount }) => isCount === true)) {
    const median = medianOf(result.ratios, budget.ratio);
    const what = `${budget.ratio} = ${median}, ${describeBudget(budget)}. ${budget.reason}`;
    expect({ what, passes: passes(budget, median) }).toEqual({ what, passes: true });
  }
  expect(result.name).not.toBe('');
}
