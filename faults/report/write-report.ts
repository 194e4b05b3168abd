import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WalkResult } from '../walk.ts';
import { type ReportFacts, reportText } from './report-text.ts';

/** Writes the report of a walk as a page. @returns its path */
export async function writeWalkReport(
  folder: string,
  facts: ReportFacts,
  result: WalkResult,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${facts.against}-seed-${facts.seed}-${facts.machine.commit}.md`);
  await writeFile(file, reportText(facts, result));
  return file;
}

/** Keeps what an investigation needs: the logs of all processes, and the evidence. @returns the folder */
export async function keepLogs(logFolder: string, below: string, result: WalkResult): Promise<string> {
  const folder = join(below, new Date().toISOString().replaceAll(/[:.]/g, ''));
  await mkdir(folder, { recursive: true });
  await cp(logFolder, join(folder, 'logs'), { recursive: true });
  const text = JSON.stringify(result, readable, 1);
  await writeFile(join(folder, 'evidence.json'), text);
  return folder;
}

function readable(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof RegExp) return String(value);
  return value instanceof Set ? [...value] : value;
}
