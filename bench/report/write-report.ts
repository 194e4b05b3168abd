import { join } from 'node:path';
import { loadBudgets } from '../budgets.ts';
import { loadResults } from '../results.ts';
import { reportPage } from './page.ts';

/** Writes `report.html` beside the results of a folder, made anew from all of them; returns its path. */
export async function writeReport(folder: string): Promise<string> {
  const file = join(folder, 'report.html');
  await Bun.write(file, reportPage(await loadResults(folder), await loadBudgets()));
  return file;
}
