import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseOptions, CaseResult } from '../cases/case.ts';
import type { Machine } from '../measurement/machine.ts';

/** One saved run of the suite. */
export interface ResultFile {
  machine: Machine;
  options: Required<Pick<CaseOptions, 'rounds' | 'roundMs' | 'quick' | 'seed'>>;
  /** Results by case. */
  results: Record<string, CaseResult>;
  /** Cases that failed: they have no result. */
  failed?: string[];
}

/** Creates the file of a run, named by its date and commit, and returns its path. Never overwrites one. */
export async function createResult(folder: string, result: ResultFile): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { date, commit } = result.machine;
  const file = join(folder, `${date.replaceAll(/[:.]/g, '')}-${commit}.json`);
  await writeFile(file, textOf(result), { flag: 'wx' });
  return file;
}

/** Replaces the file of a run by all that the run has measured by now. */
export async function updateResult(file: string, result: ResultFile): Promise<void> {
  await writeFile(`${file}.next`, textOf(result));
  await rename(`${file}.next`, file);
}

const textOf = (result: ResultFile) => `${JSON.stringify(result, null, 1)}\n`;

/** Every result of a folder, oldest first. */
export async function loadResults(folder: string): Promise<ResultFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(names.map(async (name) => (await Bun.file(join(folder, name)).json()) as ResultFile));
}
