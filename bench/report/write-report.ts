import { join, relative } from 'node:path';
import { loadBudgets } from './budgets.ts';
import { figuresPage } from './figures-page.ts';
import { reportPage } from './page.ts';
import { loadResults } from './results.ts';

/**
 * Writes `report.html` and, with the ratios alone, `README.md` for all results of a folder, with the cases in this order.
 * Returns the path of the first.
 */
export async function writeReport(
  folder: string,
  { cases, undisturbed }: { cases: readonly string[]; undisturbed: ReadonlySet<string> },
): Promise<string> {
  const file = join(folder, 'report.html');
  const [history, budgets] = await Promise.all([loadResults(folder), loadBudgets()]);
  await Bun.write(file, reportPage(history, budgets, cases, undisturbed));
  const ages = await commitAges(history.map(({ machine }) => machine.commit));
  const bench = relative(folder, join(import.meta.dir, '..'));
  await Bun.write(
    join(folder, 'README.md'),
    figuresPage(history, budgets, { cases, undisturbed, ages, bench }),
  );
  return file;
}

/** How many commits were made since each of these; one that this repository does not have is left out. */
async function commitAges(commits: readonly string[]): Promise<Map<string, number>> {
  const ages = await Promise.all(
    [...new Set(commits)].map(async (commit) => {
      const range = `${commit.replace(/\+changes$/, '')}..HEAD`;
      const counted = await Bun.$`git rev-list --count ${range}`.quiet().nothrow();
      return counted.exitCode === 0 ? [[commit, Number(counted.text())] as const] : [];
    }),
  );
  return new Map(ages.flat());
}
