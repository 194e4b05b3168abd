import { join } from 'node:path';
import { loadBudgets } from '../budgets.ts';
import { loadResults } from '../results.ts';
import { reportPage } from './page.ts';

/** Writes `report.html` for all results of a folder. Returns its path. */
export async function writeReport(folder: string): Promise<string> {
  const file = join(folder, 'report.html');
  await Bun.write(file, reportPage(await loadResults(folder), await loadBudgets()));
  return file;
}
