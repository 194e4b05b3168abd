import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MutantKey } from './choose-mutants.ts';

const FILE = '.sandbox/mutation/survivors.json';

export function saveSurvivors(root: string, survivors: readonly MutantKey[]): void {
  const path = join(root, FILE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(survivors, null, 2));
}

/** Throws when there was no run yet. */
export function readSurvivors(root: string): MutantKey[] {
  const path = join(root, FILE);
  if (!existsSync(path)) throw new Error('--again needs a run before it');
  return JSON.parse(readFileSync(path, 'utf8'));
}
