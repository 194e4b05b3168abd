import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseOptions, CaseResult } from './cases/case.ts';
import type { Machine } from './measurement/machine.ts';

/** One saved run of the suite. */
export interface ResultFile {
  machine: Machine;
  options: Required<Pick<CaseOptions, 'rounds' | 'roundMs' | 'quick' | 'seed'>>;
  /** Results by case. */
  results: Record<string, CaseResult>;
}

/** Adds a file named by date and commit; never overwrites one. Returns its path. */
export async function saveResult(folder: string, result: ResultFile): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { date, commit } = result.machine;
  const file = join(folder, `${date.replaceAll(/[:.]/g, '')}-${commit}.json`);
  await writeFile(file, `${JSON.stringify(result, null, 1)}\n`, { flag: 'wx' });
  return file;
}

/** Every result of a folder, oldest first. */
export async function loadResults(folder: string): Promise<ResultFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(names.map(async (name) => (await Bun.file(join(folder, name)).json()) as ResultFile));
}
